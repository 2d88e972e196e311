import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT, Stop, usage } from "../reading/faults.js";
import { refusalOf, sha256 } from "../site/http.js";
import { writeWhole } from "../site/state.js";
import { findAddress } from "./plan.js";
import { noteWork, reportWork } from "./save.js";
import { listBroken, readShown } from "./status.js";

const LOOK_EVERY_MS = 500;
const LOOKS = 20;

/** The folder that has a broadsheet.json: this one, or one above it. */
export function findRoot(folder) {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, "broadsheet.json"))) return at;
    const message = `${folder} was not published from here; publish it first.`;
    if (at === dirname(at)) throw usage(message, "not_published");
  }
}

/** The dataset of a folder, as broadsheet.json knows it, with its file that grows. */
function findGrowing({ state, folder, options }, name) {
  const at = relative(folder.root, resolve(name)).replaceAll("\\", "/") || ".";
  const isKnown = ({ type, path }) => type === "dataset" && state.works[path]?.id !== undefined;
  const sets = folder.works.filter(isKnown);
  const [work, another] = sets.filter(({ path }) => at === "." || path === at);
  const names = sets.map(({ path }) => path).join(", ");
  if (!work || another) throw usage(`Name one of the published datasets: ${names}.`, "not_found");
  const labels = work.payload.attachments.map(({ label }) => label);
  const n = labels.length === 1 ? 0 : labels.indexOf(options.label);
  const { path } = work.files.find((one) => one.at === n) ?? {};
  if (!path) throw usage(`Name one of its files with --label: ${labels.join(", ")}.`, "label");
  const [own, known] = [readFileSync(join(folder.root, path)), state.works[work.path]];
  return { work, known, id: known.id, label: labels[n], path, own, before: known.files[path] };
}

/** The dataset of an address, of which nothing lies here. */
async function findFar(run, name) {
  const address = name.replace(run.site.site, "").replace(/^(?=@)/, "/");
  const { id } = await findAddress(run, null, { kind: "work", address, field: [], line: null });
  return { id, label: run.options.label, work: { path: address } };
}

/** Adds the rows of a file to a dataset, and to the file of the folder once the site has them. */
export async function appendFile(run, name, file) {
  const { site, options, report } = run;
  const isFolder = run.folder !== undefined;
  const grown = /** @type {any} */ (isFolder ? findGrowing(run, name) : await findFar(run, name));
  const { id, label, work } = grown;
  const { data } = await site.get(`/creations/${id}`);
  const publish = options.draft ? undefined : "{}";
  const piece = readFileSync(file);
  const joined = isFolder ? joinRows(grown, data.latest_revision.files, { file, piece }) : null;
  const sent = new File([piece], basename(file));
  const parts = { label, change_summary: options.changeSummary, publish, file: sent };
  const newest = data.latest_revision.revision_number;
  const send = (base) => {
    const key = run.keyOf(work.path, "append", sha256(piece), base);
    const ifMatch = base === newest ? data.lock_version : data.lock_version - 1;
    return site.ask("POST", `/creations/${id}/append`, { parts, key, ifMatch });
  };
  // Where nothing lies here, this may be the call whose answer got lost: under the key of before only that can come.
  const [first, ...others] = isFolder ? [grown.known.revision_number] : [newest - 1, newest];
  let answer = await send(first);
  for (const base of others) if (answer.status === 412) answer = await send(base);
  if (!answer.ok) throw refusalOf(answer, (fault) => ({ ...fault, path: file }));
  const { data: remote, appended, warnings, evidence } = answer.json;
  const did = answer.headers.has("idempotent-replayed") ? "unchanged" : "updated";
  const plan = { work, remote, told: { warnings, evidence }, assets: {}, did, releases: null };
  if (isFolder) await addRows(run, grown, plan, { asset_id: appended.asset_id, joined });
  report.works.push({ ...reportWork(run, plan), rows: appended.row_count, rows_added: appended.rows });
  if (isFolder && !options.draft) await reportTexts(run, grown, remote.latest_revision);
}

/** Reports the figures and charts of the folder's live texts that the rows no longer bear out. */
async function reportTexts(run, { id: source, path: file }, { revision_number, published_at }) {
  const isOfSource = ({ bound, creation = bound.creation }) => creation?.id === source;
  const isLate = ({ state, revision_number: asked, asked_at }) =>
    state === "not_asked" || (asked === null ? asked_at < published_at : asked < revision_number);
  const isOpen = (use) => use.now && isOfSource(use) && isLate(use.now);
  const texts = Object.entries(run.state.works).filter(([, { from }]) => from?.[file]);
  for (const [path, { id }] of texts) {
    const { data: remote } = await run.site.get(`/creations/${id}`);
    const { shown, isAsked } = await readAsked(run, remote, isOpen);
    const no_longer_holds = listBroken(shown);
    const hint = isAsked ? undefined : "The site has not asked all of it again yet; status tells.";
    const told = reportWork(run, { work: { path }, remote, told: {}, assets: {} });
    if (no_longer_holds.length > 0 || hint) run.report.works.push({ ...told, no_longer_holds, hint });
  }
}

/** A text as everybody reads it, once nothing of it waits to be asked or that takes too long. */
async function readAsked(run, remote, isOpen) {
  for (let looks = 0; ; looks++) {
    const shown = await readShown(run, remote);
    const isAsked = ![...shown.figures, ...shown.charts].some(isOpen);
    if (isAsked || looks === LOOKS) return { shown, isAsked };
    await wait(LOOK_EVERY_MS);
  }
}

/** The file with the new rows; what is neither as it was published, with them or not, nor the site's, nobody published. */
function joinRows({ own, before, path }, files, { file, piece }) {
  const hashes = [before.sha256, ...files.map((one) => one.content_sha256)];
  const base = [own, own.subarray(0, before.bytes)].find((one) => hashes.includes(sha256(one)));
  const joint = own.at(-1) === 10 ? "" : own.includes("\r\n") ? "\r\n" : "\n";
  const rows = piece.subarray(piece.indexOf(10) + 1);
  const joined = base && Buffer.concat([base, Buffer.from(joint), rows]);
  const message = `${path} is not as it was published; publish it first.`;
  if (!joined || (base !== own && !joined.equals(own)))
    throw new Stop(EXIT.conflict, { code: "file_differs", message, path });
  if (before.dialect) refuseOtherHead({ own, path, dialect: before.dialect }, { file, piece });
  return joined;
}

/** Rows are put behind those of another dialect where both files begin with one line of names. */
function refuseOtherHead({ own, path, dialect }, { file, piece }) {
  const { header, rows, commentChar, encoding } = dialect;
  const [head, other] = [own, piece].map((bytes) => `${bytes}`.split(/\r?\n/, 1)[0]);
  const isHead = header !== false && !rows && !commentChar && !/16/.test(encoding);
  const begin = `${path} is read by a dialect and begins with "${head}", ${file} with "${other}".`;
  const message = `${begin} Add the rows to ${path} by hand, and publish.`;
  if (!isHead || head !== other) throw new Stop(EXIT.refused, { code: "other_header", message, path: file });
}

/** Makes the file of the folder equal to that of the site, which one of another dialect cannot be, and notes it. */
async function addRows(run, { path, own, known, before }, plan, { asset_id, joined }) {
  const { content_sha256 } = plan.remote.latest_revision.files.find((file) => file.asset_id === asset_id);
  const isJoined = before.dialect || sha256(joined) === content_sha256;
  const content = isJoined ? joined : (await run.site.ask("GET", `/assets/${asset_id}/content`)).bytes;
  if (!own.equals(content)) writeWhole(join(run.folder.root, path), content);
  const now = { ...before, asset_id, sha256: sha256(content), bytes: content.length };
  plan.assets = { ...known.files, [path]: now };
  noteWork(run, { ...plan, known, source: known.source_sha256, from: known.from ?? {} });
}
