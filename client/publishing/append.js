import { readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT, Stop, usage } from "../reading/faults.js";
import { refusalOf, sha256 } from "../site/http.js";
import { writeWhole } from "../site/state.js";
import { findAddress } from "./plan.js";
import { publishFolder } from "./publish.js";
import { reportWork } from "./save.js";
import { listBroken, readShown } from "./status.js";
import { endOfLine, LINE_END, LOOK_EVERY_MS } from "./upload.js";

const LOOKS_MS = 10_000;
/** What a dialect has of a file that is not a line of names and then rows to its end. */
const OTHER_FORM = /header|rows":|commentChar|lineTerminator|"utf-?16/i;

/** Adds the rows of a file to that of a dataset of the folder, and publishes it; where it is refused, the file is as before. */
export async function appendHere(run, name, file) {
  const { work, path } = findGrowing(run, name);
  const at = join(run.folder.root, path);
  const { works, save } = run.state;
  const [own, piece] = [readFileSync(at), readFileSync(file)];
  const { base, joined } = addRows({ path, known: works[work.path], own }, { file, piece });
  const note = (appending) => {
    works[work.path].appending = appending;
    save();
  };
  note(toMark(joined, piece));
  writeWhole(at, joined);
  const alone = { ...run, options: { ...run.options, only: work.path } };
  try {
    await publishFolder(alone);
  } catch (end) {
    // Without an answer the site may have the rows: the same call finds out.
    if (/** @type {any} */ (end).exit === EXIT.noAnswer) throw end;
    writeWhole(at, base);
    if (joined !== base) note();
    throw end;
  }
  const { id, latest_revision } = alone.plans.get(work.path).remote;
  if (latest_revision.state === "published") await reportTexts(alone, { id, path }, latest_revision);
  // Until here the same call is this one, which broke off.
  note();
}

/** A published dataset of a folder, and the path of its file that grows. */
function findGrowing({ state, folder, options }, name) {
  const at = relative(folder.root, resolve(name)).replaceAll("\\", "/") || ".";
  const isKnown = ({ type, path }) => type === "dataset" && state.works[path]?.id !== undefined;
  const sets = folder.works.filter(isKnown);
  const [work, another] = sets.filter(({ path }) => at === "." || path === at);
  const names = sets.map(({ path }) => path).join(", ");
  if (!work || another) throw usage(`Name one of the published datasets: ${names}.`, "not_found");
  const labels = work.payload.attachments.map(({ label }) => label);
  const n = labels.length === 1 && !options.label ? 0 : labels.indexOf(options.label);
  const { path } = work.files.find((one) => one.at === n) ?? {};
  if (!path) throw usage(`Name one of its files with --label: ${labels.join(", ")}.`, "label");
  return { work, path };
}

/** The file as it was published, and with the rows of a piece, which it has already where a run broke off. */
function addRows({ path, known: { files, appending }, own }, added) {
  const { sha256: hash, bytes, dialect } = files[path] ?? {};
  const base = [own, own.subarray(0, bytes)].find((one) => sha256(one) === hash);
  if (base === own && appending === toMark(own, added.piece)) return { base, joined: base };
  const joined = base && joinRows({ path, dialect }, base, added);
  const message = `${path} is not as it was published; publish first.`;
  if (!joined || (base !== own && !joined.equals(own)))
    throw new Stop(EXIT.conflict, { code: "file_differs", message, path });
  return { base, joined };
}

/** What tells that a file has grown by a piece, until the run that did it is at its end. */
const toMark = (joined, piece) => sha256(Buffer.concat([joined, piece]));

/** A table with the rows of a piece, which begins with the same line of names; lines of JSON have none. */
function joinRows({ path, dialect }, base, { file, piece }) {
  const isJson = /\.(jsonl|ndjson)$/i.test(path);
  const readHead = (bytes) => bytes.toString("utf8", 0, endOfLine(bytes)).replace(/^\uFEFF|\r?\n$/g, "");
  const [head, other] = [base, piece].map(readHead);
  const isTable = /\.(csv|tsv|tab)$/i.test(path) && !OTHER_FORM.test(JSON.stringify(dialect));
  // Names of which one has a line end in its quotes go on in the next line.
  const isWhole = head.split('"').length % 2 === 1;
  const message = `No rows of ${file} can follow ${path}; add them by hand, and publish.`;
  if (!isJson && (!isTable || !isWhole || head !== other))
    throw new Stop(EXIT.refused, { code: "other_header", message, path: file });
  const joint = base.at(-1) === LINE_END ? "" : base.includes("\r\n") ? "\r\n" : "\n";
  const rows = isJson ? piece : piece.subarray(endOfLine(piece));
  return Buffer.concat([base, Buffer.from(joint), rows]);
}

/** Adds the rows of a file to the dataset of an address, of which nothing lies here. */
export async function appendFar(run, name, file) {
  const { site, options, report } = run;
  const address = name.replace(site.site, "").replace(/^(?=@)/, "/");
  const { id } = await findAddress(run, null, { kind: "work", address, field: [], line: null });
  const { data } = await site.get(`/creations/${id}`);
  const piece = readFileSync(file);
  const { label, "change-summary": change_summary, draft } = options;
  const parts = {
    label,
    change_summary,
    publish: draft ? undefined : "{}",
    file: new File([piece], basename(file)),
  };
  const newest = data.latest_revision.revision_number;
  const send = (base) => {
    const key = run.keyOf(address, "append", sha256(piece), base);
    const ifMatch = base === newest ? data.lock_version : data.lock_version - 1;
    return site.ask("POST", `/creations/${id}/append`, { parts, key, ifMatch });
  };
  // This may be the call whose answer got lost: under the key of before only that can come.
  let answer = await send(newest - 1);
  if (answer.status === 412) answer = await send(newest);
  if (!answer.ok) throw refusalOf(answer, (fault) => ({ ...fault, path: file }));
  const { data: remote, appended, warnings, evidence } = answer.json;
  const did = answer.headers.has("idempotent-replayed") ? "unchanged" : "updated";
  const plan = { work: { path: address }, remote, told: { warnings, evidence }, assets: {}, did };
  report.works.push({ ...reportWork(run, plan), rows: appended.row_count, rows_added: appended.rows });
}

/** Reports the figures and charts of the folder's live texts that the rows no longer bear out. */
async function reportTexts(run, { id: source, path: file }, { revision_number, published_at }) {
  const isOfSource = ({ bound, creation = bound.creation }) => creation?.id === source;
  const isLate = ({ state, revision_number: asked, asked_at }) =>
    state === "not_asked" || (asked === null ? asked_at < published_at : asked < revision_number);
  const isOpen = (use) => use.now && isOfSource(use) && isLate(use.now);
  const endMs = Date.now() + LOOKS_MS;
  for (const plan of run.plans.values()) {
    if (!plan.known?.from?.[file]) continue;
    const { shown, isAsked } = await readAsked(run, plan, { isOpen, endMs });
    const no_longer_holds = listBroken(shown);
    const hint = isAsked ? undefined : "Not all of it is asked again yet; status tells.";
    if (no_longer_holds.length > 0 || hint)
      run.report.works.push({ ...reportWork(run, plan), no_longer_holds, hint });
  }
}

/** A text as everybody reads it, once nothing of it waits to be asked or that takes too long. */
async function readAsked(run, { remote }, { isOpen, endMs }) {
  for (;;) {
    const shown = await readShown(run, remote);
    const isAsked = !shown.figures.concat(shown.charts).some(isOpen);
    if (isAsked || Date.now() > endMs) return { shown, isAsked };
    await wait(LOOK_EVERY_MS);
  }
}
