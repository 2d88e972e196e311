import { createHash, randomUUID } from "node:crypto";
import { createReadStream, openAsBlob, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT, Stop } from "../reading/faults.js";
import { choosePlan, refusalOf, toCanonical } from "../site/http.js";

const LONG_BYTES = 5_000_000;
const LOOK_EVERY_MS = 500;
const [LINE_END, QUOTE] = [10, 34];

/** The SHA-256 of a file, or of its first bytes. */
async function hashFile(path, bytes = Number.POSITIVE_INFINITY) {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { end: bytes - 1 })) hash.update(piece);
  return hash.digest("hex");
}

/** The files that a work had in its newest revision, for those that did not change or only grew. */
function listBases({ known, latest }, path) {
  const there = (latest?.files ?? []).map(({ content_sha256: sha256, ...file }) => ({ ...file, sha256 }));
  return [known?.files[path] ?? [], there].flat();
}

/** What a file is on the disk, with its asset where the site has these bytes already. */
export async function lookAtFile({ folder }, plan, { path, dialect }) {
  const { size: bytes } = statSync(join(folder.root, path));
  const found = { sha256: await hashFile(join(folder.root, path)), bytes, ...(dialect && { dialect }) };
  const isRead = (base = null) => plan.known === null || toCanonical(base) === toCanonical(dialect);
  const same = listBases(plan, path).find((base) => base.sha256 === found.sha256 && isRead(base.dialect));
  return { ...found, ...(same && { asset_id: same.asset_id }), told: null };
}

/** The asset of a file as it lies on the disk: that of before where nothing changed, else a new one. */
export async function sendFile(run, plan, file) {
  const found = await lookAtFile(run, plan, file);
  if (found.asset_id !== undefined) return found;
  const told = (await sendPiece(run, plan, file, found)) ?? (await sendWhole(run, file, found));
  return { ...found, asset_id: told.id, rows_added: told.appended_to?.rows_added ?? null, told };
}

async function sendWhole(run, file, { sha256, bytes }) {
  if (bytes > LONG_BYTES) console.error(`Sending ${file.path}, ${(bytes / 1e6).toFixed(1)} MB.`);
  const sendAs = (dialect) =>
    send(run, file, [sha256, dialect], async () => ({
      dialect: dialect ? JSON.stringify(dialect) : undefined,
      file: new File([await openAsBlob(join(run.folder.root, file.path))], basename(file.path)),
    }));
  return await sendAs(file.dialect).catch((end) => {
    const plan = run.options.auto && end.faults?.find((fault) => fault.plan)?.plan;
    if (!plan) throw end;
    return sendAs(plan.dialect);
  });
}

/** Sends the rows that a CSV has more than it had; null where it is another file, or is sent better whole. */
async function sendPiece(run, plan, file, { sha256, bytes }) {
  if (file.dialect !== null || !/\.csv$/i.test(file.path)) return null;
  const path = join(run.folder.root, file.path);
  for (const base of listBases(plan, file.path).filter((one) => one.bytes > 0 && one.bytes < bytes)) {
    if ((await hashFile(path, base.bytes)) !== base.sha256) continue;
    const { json } = await run.site.ask("GET", `/assets/${base.asset_id}`);
    const content = readFileSync(path);
    const header = content.subarray(0, content.indexOf(LINE_END) + 1);
    const isWhole = header.filter((byte) => byte === QUOTE).length % 2 === 0;
    if (json?.data?.dialect !== null || content[base.bytes - 1] !== LINE_END || !isWhole) continue;
    const piece = new File([header, content.subarray(base.bytes)], basename(path));
    const parts = { base_asset_id: base.asset_id, file: piece };
    const told = await send(run, file, [sha256, base.asset_id], () => parts).catch((end) => {
      if (end.exit !== EXIT.refused) throw end;
    });
    if (told?.content_sha256 === sha256) return told;
  }
  return null;
}

/** Sends a form and waits for the verdict. */
async function send(run, file, about, makeParts, key = run.keyOf(file.path, about)) {
  const place = (fault) => ({ ...fault, path: file.path, field: "file", line: lineOfRow(run, file, fault) });
  const answer = await run.site.send("POST", "/assets", { makeParts, key }, place);
  let { data } = answer.json;
  for (let isOld = answer.headers.has("idempotent-replayed"); isOld || data.readiness === "processing"; ) {
    if (!isOld) await wait(LOOK_EVERY_MS);
    const look = await run.site.ask("GET", `/assets/${data.id}`);
    // A file that nobody attached is gone after a day, and the answer that is kept still names it.
    if (look.status === 404) return await send(run, file, about, makeParts, randomUUID());
    if (!look.ok) throw refusalOf(look, place);
    isOld = false;
    data = look.json.data;
  }
  if (data.readiness === "ready") return data;
  const fault = { code: "validation_failed", message: data.readiness_reason, plan: choosePlan(data) };
  throw new Stop(EXIT.refused, place(fault));
}

/** The line of the row that a sentence names, in the file as it lies on the disk. */
function lineOfRow({ folder }, { path }, { message }) {
  const row = Number(/\brow (\d+)/i.exec(message)?.[1] ?? 0);
  const lines = row > 0 ? readFileSync(join(folder.root, path), "utf8").split("\n") : [];
  let [seen, isQuoted] = [1, false];
  const at = lines.findIndex((line) => {
    if (!isQuoted && seen++ === row) return true;
    if (line.split('"').length % 2 === 0) isQuoted = !isQuoted;
    return false;
  });
  return at < 0 ? null : at + 1;
}
