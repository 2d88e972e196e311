import { existsSync, openAsBlob, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve } from "node:path";
import { EXIT, stop } from "../reading/faults.js";
import { readFolder } from "../reading/read-folder.js";
import { makeKey, refusalOf, sha256 } from "../site/http.js";
import { openState, writeWhole } from "../site/state.js";
import { findAddress } from "./addresses.js";
import { noteWork, reportWork } from "./save.js";

/** The folder that has a broadsheet.json: this one, or one above it. */
export function findRoot(folder) {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, "broadsheet.json"))) return at;
    if (at === dirname(at))
      throw stop(EXIT.usage, "not_published", `${folder} was not published from here; publish it first.`);
  }
}

/** The dataset of a folder, as broadsheet.json knows it, with its file that grows. */
export function findGrowing(run, root, name) {
  const { site, agent, options } = run;
  const state = openState(root, site.site, agent.handle);
  const folder = readFolder(root, site.site);
  const at = relative(root, resolve(name)).split("\\").join("/") || ".";
  const sets = folder.works.filter(({ type, path }) => type === "dataset" && state.works[path]?.id);
  const [work, another] =
    at === "." && sets.every(({ path }) => path !== ".") ? sets : sets.filter(({ path }) => path === at);
  if (work === undefined || another !== undefined)
    throw stop(
      EXIT.usage,
      "not_found",
      `Name one of the published datasets: ${sets.map(({ path }) => path).join(", ")}.`,
    );
  const labels = work.payload.attachments.map(({ label }) => label);
  const n = labels.length === 1 ? 0 : labels.indexOf(options.label);
  if (n < 0) throw stop(EXIT.usage, "label", `Name one of its files with --label: ${labels.join(", ")}.`);
  return {
    state,
    folder,
    work,
    label: labels[n],
    path: work.files.find(({ at: place }) => place === n)?.path ?? "",
  };
}

/** Adds the rows of a file to a dataset, and to the file of the folder once the site has them. */
export async function appendFile(run, name, file) {
  const { site, agent, options, report } = run;
  const isFolder = existsSync(name) && statSync(name).isDirectory();
  const root = isFolder ? findRoot(name) : null;
  const grown = root === null ? null : findGrowing(run, root, name);
  const known = grown && grown.state.works[grown.work.path];
  const address = name.startsWith(site.site) ? name.slice(site.site.length) : name;
  const link = {
    kind: "work",
    address: address.startsWith("@") ? `/${address}` : address,
    field: [],
    line: null,
  };
  const id = known?.id ?? (await findAddress(run, { file: null }, link)).id;
  const { data } = await site.get(`/creations/${id}`);
  const piece = readFileSync(file);
  const own = grown && readFileSync(join(root ?? "", grown.path));
  const kept = known?.files[grown?.path ?? ""];
  const isOurs = known?.revision_number === data.latest_revision.revision_number;
  if (
    own !== null &&
    sha256(own) !== kept.sha256 &&
    data.latest_revision.files.every((one) => one.content_sha256 !== sha256(own))
  )
    throw stop(
      EXIT.conflict,
      "file_differs",
      `${grown?.path} is not as it was published; publish it first.`,
      { path: grown?.path },
    );
  const body = async () => {
    const form = new FormData();
    const label = grown?.label ?? options.label;
    const said = { label, change_summary: options.changeSummary, ...(!options.draft && { publish: "{}" }) };
    for (const [member, value] of Object.entries(said)) if (value !== undefined) form.append(member, value);
    form.append("file", await openAsBlob(file), basename(file));
    return form;
  };
  const base = known === null ? data.lock_version : known.lock_version;
  const key = makeKey(site.site, agent.id, grown?.work.path ?? id, "append", sha256(piece), base);
  const ifMatch = known === null || isOurs ? data.lock_version : known.lock_version;
  const answer = await site.ask("POST", `/creations/${id}/append`, { body, key, ifMatch });
  if (!answer.ok) throw refusalOf(answer, (field) => ({ path: file, field }));
  const { data: remote, appended } = answer.json;
  const { warnings, evidence } = answer.json;
  const told = { warnings, evidence };
  const work = grown?.work ?? {
    path: link.address,
    files: [],
    links: [],
    payload: {},
    beside: {},
    type: remote.type,
  };
  const plan = {
    work,
    remote,
    told,
    assets: {},
    from: {},
    source: known?.source_sha256,
    known,
    did: "updated",
    releases: null,
  };
  if (grown !== null && own !== null)
    await addRows(run, { ...grown, root, own, piece, plan, appended, kept });
  report.works.push({ ...reportWork(run, plan), rows: appended.row_count, rows_added: appended.rows });
}

/** Makes the file of the folder equal to that of the site, and notes it. */
async function addRows(run, { state, path, root, own, piece, plan, appended, kept }) {
  const { content_sha256, bytes } = plan.remote.latest_revision.files.find(
    ({ asset_id }) => asset_id === appended.asset_id,
  );
  const joint = own.at(-1) === 10 ? "" : own.includes("\r\n") ? "\r\n" : "\n";
  const joined = Buffer.concat([own, Buffer.from(joint), piece.subarray(piece.indexOf(10) + 1)]);
  if (sha256(own) !== content_sha256) {
    const isSame = sha256(joined) === content_sha256;
    const content = isSame
      ? joined
      : (await run.site.ask("GET", `/assets/${appended.asset_id}/content`)).bytes;
    writeWhole(join(root, path), content);
  }
  const files = {
    ...plan.known.files,
    [path]: { ...kept, asset_id: appended.asset_id, sha256: content_sha256, bytes },
  };
  plan.assets = files;
  noteWork({ ...run, state }, plan);
}
