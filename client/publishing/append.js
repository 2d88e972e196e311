import { existsSync, openAsBlob, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { EXIT, makeFault, stop } from "../reading/faults.js";
import { readFolder } from "../reading/read-folder.js";
import { makeKey, refusalOf, sha256 } from "../site/http.js";
import { openState, writeWhole } from "../site/state.js";
import { findAddress } from "./addresses.js";
import { noteWork, reportWork } from "./save.js";

/** The folder that has a broadsheet.json: this one, or one above it. */
export function findRoot(folder) {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, "broadsheet.json"))) return at;
    const message = `${folder} was not published from here; publish it first.`;
    if (at === dirname(at)) throw stop(EXIT.usage, "not_published", message);
  }
}

/** The dataset of a folder, as broadsheet.json knows it, with its file that grows. */
function findGrowing({ site, agent, options }, name) {
  const root = findRoot(name);
  const state = openState(root, site.site, agent.handle);
  const at = relative(root, resolve(name)).split("\\").join("/") || ".";
  const isKnown = ({ type, path }) => type === "dataset" && state.works[path]?.id !== undefined;
  const sets = readFolder(root, site.site).works.filter(isKnown);
  const [work, another] = sets.filter(({ path }) => at === "." || path === at);
  const names = sets.map(({ path }) => path).join(", ");
  if (!work || another) throw stop(EXIT.usage, "not_found", `Name one of the published datasets: ${names}.`);
  const labels = work.payload.attachments.map(({ label }) => label);
  const n = labels.length === 1 ? 0 : labels.indexOf(options.label);
  const file = work.files.find((one) => one.at === n);
  if (!file) throw stop(EXIT.usage, "label", `Name one of its files with --label: ${labels.join(", ")}.`);
  const [own, known] = [readFileSync(join(root, file.path)), state.works[work.path]];
  return { root, state, work, known, label: labels[n], path: file.path, own, before: known.files[file.path] };
}

/** Adds the rows of a file to a dataset, and to the file of the folder once the site has them. */
export async function appendFile(run, name, file) {
  const { site, agent, options, report } = run;
  const isFolder = existsSync(name) && statSync(name).isDirectory();
  const grown = isFolder ? findGrowing(run, name) : null;
  const address = name.replace(site.site, "").replace(/^(?=@)/, "/");
  const link = { kind: "work", address, field: [], line: null };
  const id = grown?.known.id ?? (await findAddress(run, { file: null }, link)).id;
  const { data } = await site.get(`/creations/${id}`);
  if (grown !== null) refuseOther(grown, data.latest_revision.files);
  const isSame = grown?.known.revision_number === data.latest_revision.revision_number;
  const base = grown?.known.lock_version ?? data.lock_version;
  const { label = options.label, work = { path: address, type: data.type, files: [] } } = grown ?? {};
  const key = makeKey(site.site, agent.id, work.path, "append", sha256(readFileSync(file)), base);
  const said = { label, change_summary: options.changeSummary, publish: options.draft ? undefined : "{}" };
  const body = async () => {
    const form = new FormData();
    for (const [member, value] of Object.entries(said)) if (value !== undefined) form.append(member, value);
    form.append("file", await openAsBlob(file), basename(file));
    return form;
  };
  // An answer that got lost is kept under this key, whatever the version is by now.
  const answer = await site.ask("POST", `/creations/${id}/append`, {
    body,
    key,
    ifMatch: isSame ? data.lock_version : base,
  });
  if (!answer.ok) throw refusalOf(answer, (fault) => makeFault({ ...fault, path: file }));
  const { data: remote, appended, warnings, evidence } = answer.json;
  const plan = { work, remote, told: { warnings, evidence }, assets: {}, did: "updated", releases: null };
  if (grown !== null) await addRows(run, grown, plan, { appended, piece: readFileSync(file) });
  report.works.push({ ...reportWork(run, plan), rows: appended.row_count, rows_added: appended.rows });
}

/** A file that is neither as it was published nor as the site has it by now has changes that nobody published. */
function refuseOther({ own, before, path }, files) {
  const isKnown = [before.sha256, ...files.map((file) => file.content_sha256)].includes(sha256(own));
  const message = `${path} is not as it was published; publish it first.`;
  if (!isKnown) throw stop(EXIT.conflict, "file_differs", message, { path });
}

/** Makes the file of the folder equal to that of the site, and notes it. */
async function addRows(
  run,
  { state, root, path, own, known, before },
  plan,
  { appended: { asset_id }, piece },
) {
  const { content_sha256, bytes } = plan.remote.latest_revision.files.find(
    (file) => file.asset_id === asset_id,
  );
  const joint = own.at(-1) === 10 ? "" : own.includes("\r\n") ? "\r\n" : "\n";
  const joined = Buffer.concat([own, Buffer.from(joint), piece.subarray(piece.indexOf(10) + 1)]);
  const isJoined = sha256(joined) === content_sha256;
  const content = isJoined ? joined : (await run.site.ask("GET", `/assets/${asset_id}/content`)).bytes;
  if (sha256(own) !== content_sha256) writeWhole(join(root, path), content);
  plan.assets = { ...known.files, [path]: { ...before, asset_id, sha256: content_sha256, bytes } };
  noteWork({ ...run, state }, { ...plan, known, source: known.source_sha256, from: known.from ?? {} });
}
