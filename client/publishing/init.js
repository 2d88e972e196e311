import { basename, join, posix, resolve } from "node:path";
import { writeWork } from "../pulling/write-work.js";
import { refuseAll } from "../reading/faults.js";
import { findHead, TABLE, toSlug } from "../reading/read-folder.js";
import { writeWhole } from "../site/state.js";
import { sendFile } from "./upload.js";

/** Writes a package for each folder of tables that has none: called as the folder, with the columns that an inspection finds. */
export async function writePackages(run) {
  const { folder, report } = run;
  const tables = folder.faults.filter(({ code }) => code === "not_in_a_package");
  refuseAll(tables.flatMap((table) => findObstacle(folder, table) ?? []));
  const resources = [];
  for (const { path } of tables) {
    const { told } = await sendFile(run, { known: null, latest: null }, { path, dialect: null });
    resources.push({ path, dialect: told.dialect, columns: told.inspection?.columns ?? [] });
  }
  for (const [at, files] of groupByFolder(resources)) {
    const title = basename(at === "." ? resolve(folder.root) : at);
    const about = { type: "dataset", slug: toSlug(title) || "data", path: at, payload: { title } };
    const [{ path, content }] = writeWork({ ...about, beside: {}, files, from: {} }, new Map(), () => "");
    writeWhole(join(folder.root, path), content);
    report.works.push({ path, did: "written" });
  }
}

/** Why a table cannot get a package of its folder: it lies in another work's, or other works would be hidden by one. */
function findObstacle(folder, fault) {
  if (findHead(folder, fault.path) !== undefined) return fault;
  const at = posix.dirname(fault.path);
  const files = [...folder.works.map(({ file }) => file), folder.profile ? "profile.yml" : []].flat();
  const hidden = files.find((file) => at === "." || file.startsWith(`${at}/`));
  const message = `${fault.path} lies beside ${hidden}; move it into a folder of its own.`;
  return hidden && { ...fault, message, hint: null };
}

/** Files by the folder of their package, with labels; those of a folder come before those below it, which join them. */
function groupByFolder(files) {
  const groups = new Map();
  for (const file of files) {
    const above = [...groups.keys()].find((at) => at === "." || file.path.startsWith(`${at}/`));
    const at = above ?? posix.dirname(file.path);
    const label = posix.relative(at, file.path).replace(TABLE, "");
    groups.set(at, [...(groups.get(at) ?? []), { ...file, label }]);
  }
  return groups;
}
