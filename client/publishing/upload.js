import { createHash, randomUUID } from "node:crypto";
import { createReadStream, openAsBlob, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT, makeFault, Stop } from "../reading/faults.js";
import { choosePlan, makeKey, refusalOf, toCanonical } from "../site/http.js";
import { listBases } from "./plan.js";

const LONG_BYTES = 5_000_000;
const LOOK_MS = [200, 500, 1_000, 2_000];

/** The SHA-256 of a file, or of its first bytes. */
async function hashFile(path, bytes = Number.POSITIVE_INFINITY) {
  const hash = createHash("sha256");
  if (bytes > 0) for await (const piece of createReadStream(path, { end: bytes - 1 })) hash.update(piece);
  return hash.digest("hex");
}

/** The asset of a file as it lies on the disk: that of before where nothing changed, else a new one. */
export async function sendFile(run, plan, file) {
  const found = await lookAtFile(run, plan, file);
  if (found.asset_id !== undefined) return found;
  const path = join(run.folder.root, file.path);
  const bases = listBases(plan, file.path);
  const told = (await sendPiece(run, file, path, found, bases)) ?? (await sendWhole(run, file, path, found));
  return { ...found, asset_id: told.id, rows_added: told.appended_to?.rows_added ?? null, told };
}

/** What a file is on the disk, with its asset where the site has these bytes already. */
export async function lookAtFile({ folder }, plan, { path, dialect }) {
  const { size: bytes } = statSync(join(folder.root, path));
  const found = { sha256: await hashFile(join(folder.root, path)), bytes, ...(dialect && { dialect }) };
  const isSame = (base) => base.sha256 === found.sha256 && isSameDialect(plan, dialect, base.dialect);
  const same = listBases(plan, path).find(isSame);
  return { ...found, ...(same && { asset_id: same.asset_id }), told: null };
}

const isSameDialect = ({ known }, own, base = null) =>
  known === null || toCanonical(base) === toCanonical(own);
async function sendWhole(run, file, path, { sha256, bytes }) {
  if (bytes > LONG_BYTES) console.error(`Sending ${file.path}, ${(bytes / 1e6).toFixed(1)} MB.`);
  const sendAs = async (dialect) => {
    const key = makeKey(run.site.site, run.agent.id, file.path, "upload", sha256, dialect);
    const said = dialect && JSON.stringify(dialect);
    return await send(run, file, key, async () => ({ dialect: said, file: await openAsBlob(path) }));
  };
  return await sendAs(file.dialect).catch((end) => {
    const plan = end.faults?.find((fault) => fault.plan)?.plan;
    if (!run.options.auto || !plan) throw end;
    return sendAs(plan.dialect);
  });
}

/** Sends the rows that a CSV has more than it had; null where it is another file, or is sent better whole. */
async function sendPiece(run, file, path, { sha256, bytes }, bases) {
  if (file.dialect !== null || !/\.csv$/i.test(path)) return null;
  for (const base of bases.filter((one) => one.bytes > 0 && one.bytes < bytes)) {
    if ((await hashFile(path, base.bytes)) !== base.sha256) continue;
    const { json } = await run.site.ask("GET", `/assets/${base.asset_id}`);
    const content = readFileSync(path);
    const header = content.subarray(0, content.indexOf(10) + 1);
    const isPlain = header.filter((byte) => byte === 34).length % 2 === 0;
    if (json?.data?.dialect !== null || content[base.bytes - 1] !== 10 || !isPlain) continue;
    const piece = new Blob([header, content.subarray(base.bytes)]);
    const key = makeKey(run.site.site, run.agent.id, file.path, "append", sha256, base.asset_id);
    const told = await send(run, file, key, async () => ({
      base_asset_id: base.asset_id,
      file: piece,
    })).catch(() => null);
    if (told?.content_sha256 === sha256) return told;
  }
  return null;
}

/** Sends a form and waits for the verdict. */
async function send(run, file, key, makeParts) {
  const place = (_field, message) => ({
    path: file.path,
    field: "file",
    line: lineOfRow(run, file, message),
  });
  const body = async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(await makeParts()))
      if (typeof value === "string") form.append(name, value);
      else if (value !== null) form.append(name, value, basename(file.path));
    return form;
  };
  const answer = await run.site.ask("POST", "/assets", { body, key });
  if (!answer.ok) throw refusalOf(answer, place);
  let { data } = answer.json;
  for (
    let n = 0;
    data.readiness === "processing" || (n === 0 && answer.headers.has("idempotent-replayed"));
    n++
  ) {
    await wait(n === 0 ? 0 : LOOK_MS[Math.min(n, LOOK_MS.length - 1)]);
    const look = await run.site.ask("GET", `/assets/${data.id}`);
    // A file that nobody attached is gone after a day, and the answer that is kept still names it.
    if (look.status === 404) return await send(run, file, randomUUID(), makeParts);
    if (!look.ok) throw refusalOf(look, place);
    data = look.json.data;
  }
  if (data.readiness === "ready") return data;
  const { readiness_reason: message, plan, plans } = data;
  const about = { code: "validation_failed", message, plan: choosePlan({ plan, plans }) };
  throw new Stop(EXIT.refused, [makeFault({ ...about, ...place("file", message) })]);
}

/** The line of the row that a sentence names, in the file as it lies on the disk. */
function lineOfRow(run, file, message) {
  const row = Number(/\brow (\d+)/i.exec(message)?.[1] ?? 0);
  if (row === 0) return null;
  const text = readFileSync(join(run.folder.root, file.path), "utf8");
  let [line, seen, isQuoted] = [1, 1, false];
  for (let at = 0; seen < row && at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (text[at] !== "\n") continue;
    line++;
    if (!isQuoted) seen++;
  }
  return line;
}
