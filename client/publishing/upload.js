import { openAsBlob, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT, Stop } from "../reading/faults.js";
import { choosePlan, sha256 } from "../site/http.js";
import { toCanonical } from "../verify/proof.mjs";

const LONG_BYTES = 5_000_000;
export const LOOK_EVERY_MS = 500;
export const LINE_END = 10;

/** Where the first line of a file ends. */
export const endOfLine = (bytes) => bytes.indexOf(LINE_END) + 1 || bytes.length;

/** The files that a work had in its newest revision, for those that did not change or only grew. */
function listBases({ known, latest }, path) {
  const there = (latest?.files ?? []).map((file) => ({ ...file, sha256: file.content_sha256 }));
  return [known?.files[path] ?? [], Object.values(known?.files ?? {}), there].flat();
}

/** What a file is on the disk, with its asset where the site has these bytes already. */
export function lookAtFile({ folder }, plan, { path, dialect }) {
  const content = readFileSync(join(folder.root, path));
  const found = { sha256: sha256(content), bytes: content.length, ...(dialect && { dialect }) };
  const isRead = (base = null) => plan.known === null || toCanonical(base) === toCanonical(dialect);
  const same = listBases(plan, path).find((base) => base.sha256 === found.sha256 && isRead(base.dialect));
  return { ...found, ...(same && { asset_id: same.asset_id }), told: null };
}

/** The asset of a file as it lies on the disk: that of before where nothing changed, else a new one. */
export async function sendFile(run, plan, file) {
  const found = lookAtFile(run, plan, file);
  // A file of a revision that another one replaced may be deleted since.
  const isKept = async () => !plan.isOther || (await run.site.ask("GET", `/assets/${found.asset_id}`)).ok;
  if (found.asset_id !== undefined && (await isKept())) return found;
  const told = (await sendPiece(run, plan, file, found)) ?? (await sendWhole(run, file, found));
  return { ...found, asset_id: told.id, rows_added: told.appended_to?.rows_added, told };
}

async function sendWhole(run, file, { sha256: hash, bytes }) {
  if (bytes > LONG_BYTES) console.error(`Sending ${file.path}, ${(bytes / 1e6).toFixed(1)} MB.`);
  const content = await openAsBlob(join(run.folder.root, file.path));
  const sent = new File([content], basename(file.path));
  const sendAs = (dialect) =>
    send(run, file, [hash, dialect], { dialect: dialect && JSON.stringify(dialect), file: sent });
  return await sendAs(file.dialect).catch((end) => {
    const plan = run.options.auto && end.faults?.find((fault) => fault.plan)?.plan;
    if (!plan) throw end;
    return sendAs(plan.dialect);
  });
}

/** Sends the rows that a CSV has more than it had; null where it is another file, or the site reads another from it. */
async function sendPiece(run, plan, file, found) {
  const content = readFileSync(join(run.folder.root, file.path));
  const header = content.subarray(0, endOfLine(content));
  const isHead = ({ bytes, sha256: hash }) =>
    content[bytes - 1] === LINE_END && bytes < content.length && sha256(content.subarray(0, bytes)) === hash;
  const base = listBases(plan, file.path).find(isHead);
  if (file.dialect !== null || !/\.csv$/i.test(file.path) || !base) return null;
  const piece = new File([header, content.subarray(base.bytes)], basename(file.path));
  const parts = { base_asset_id: base.asset_id, file: piece };
  const told = await send(run, file, [found.sha256, base.asset_id], parts).catch((end) => {
    if (end.exit !== EXIT.refused) throw end;
  });
  return told?.content_sha256 === found.sha256 ? told : null;
}

/** Sends a form and waits for the verdict. */
async function send(run, file, about, parts) {
  const place = (fault) => ({ field: "file", ...fault, path: file.path, line: lineOfRow(run, file, fault) });
  const key = run.keyOf(file.path, about);
  let { data } = (await run.site.send("POST", "/assets", { parts, key }, place)).json;
  while (data.readiness === "processing") {
    await wait(LOOK_EVERY_MS);
    ({ data } = (await run.site.send("GET", `/assets/${data.id}`, {}, place)).json);
  }
  if (data.readiness === "ready") return data;
  const fault = { code: "validation_failed", message: data.readiness_reason, plan: choosePlan(data) };
  throw new Stop(EXIT.refused, place(fault));
}

/** The line of the row that a sentence names, in the file as it lies on the disk. */
function lineOfRow({ folder }, { path }, { message }) {
  const [, row] = /\brow (\d+)/i.exec(message) ?? [];
  if (row === undefined) return null;
  const rows = readFileSync(join(folder.root, path), "utf8").match(/(?:"[^"]*"|[^"\n]+|")*\n?/g);
  const above = rows.slice(0, Number(row) - 1).join("");
  return above.split("\n").length;
}
