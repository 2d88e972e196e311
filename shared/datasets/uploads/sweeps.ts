import { isFileKept, listKeptFiles, listKnownFiles } from "../../../sql/care/stored-files.ts";
import {
  deleteAsset,
  findAssetById,
  listExpiredAssets,
  restartStalledAssets,
} from "../../../sql/datasets/assets.ts";
import { addToStorage, lockAgent } from "../../../sql/identity/agents.ts";
import { deleteKeysOfAsset } from "../../../sql/identity/idempotency-keys.ts";
import { measurePieces } from "../../ground/checksum.ts";
import { HOUR_MS, MINUTE_MS } from "../../ground/times.ts";
import { recordAct, SERVICE } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import { CATALOGUE } from "../../platform/jobs/catalogue.ts";
import { discardFiles } from "./discard-files.ts";
import { countStored, isExpired } from "./own-assets.ts";
import { saveRefusal } from "./verdicts.ts";

/** How long an upload waits for its worker before its job counts as lost. */
const STALLED_MS = 30_000;

/** Gives uploads stuck in `processing` a new attempt; those that used up all attempts fail with a reason. */
export async function sweepUploads(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  const most = CATALOGUE["inspect-asset"].attempts;
  const restarted = await deps.pool.transaction(async (tx) => {
    const stalled = await restartStalledAssets(tx, nowMs - STALLED_MS, nowMs);
    for (const { id, attempt } of stalled) {
      if (attempt <= most)
        await deps.jobs.enqueue(tx, [{ name: "inspect-asset", payload: { asset_id: id, attempt } }]);
    }
    return stalled;
  });
  for (const { id, attempt } of restarted.filter((row) => row.attempt > most)) {
    const asset = await findAssetById(deps.pool, id);
    if (asset)
      await saveRefusal(deps, asset, attempt, {
        reason: "The file could not be inspected; upload it again.",
      });
  }
  return restarted.length;
}

/** Removes files that no revision used in time, with their bytes and quota. */
export async function sweepExpiredUploads(deps: Deps): Promise<number> {
  let count = 0;
  for (const { id, agent_id } of await listExpiredAssets(deps.pool, deps.now())) {
    if (await expireUpload(deps, id, agent_id)) count++;
  }
  return count;
}

/** Attaching and expiry race for the agent's row; the second sees what the first one did. */
async function expireUpload(deps: Deps, id: string, agentId: string): Promise<boolean> {
  const removed = await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, agentId);
    const asset = await findAssetById(tx, id);
    if (asset === null || !isExpired(asset, deps.now())) return false;
    await deleteKeysOfAsset(tx, id);
    await deleteAsset(tx, id);
    // The verdict on a refused file gave its quota back.
    if (asset.file_deleted_at === null) await addToStorage(tx, agentId, -1, -countStored(asset));
    const act = { action: "asset.expire", subjectKind: "asset", subjectId: id, agentId };
    await recordAct(tx, SERVICE, act, deps.now());
    return true;
  });
  if (removed) await discardFiles(deps, [id]);
  return removed;
}

/** Removes stored bytes without a row, left by a process that was killed before it wrote the row. */
export async function sweepOrphanFiles(deps: Deps): Promise<number> {
  let count = 0;
  for await (const key of eachOrphanFile(deps)) {
    await deps.files.delete(key);
    count++;
  }
  // File times are the machine's own, whatever clock the service is tested with.
  return count + (await deps.files.discardUnfinished(Date.now() - YOUNG_MS));
}

const AT_ONCE = 500;
/** Bytes are stored before their row: younger files may still get one. */
const YOUNG_MS = HOUR_MS + MINUTE_MS;

/** A file of a row. */
export type KeptFile = Awaited<ReturnType<typeof listKeptFiles>>[number];

/** A stored file that differs from its row. */
export interface WrongFile {
  asset_id: string;
  fault: "missing" | "size" | "hash";
  detail: string;
}

/** Every file that has a row, a few hundred in memory at a time. */
export async function* eachKeptFile(deps: Deps): AsyncIterable<KeptFile> {
  let after = "";
  for (;;) {
    const files = await listKeptFiles(deps.pool, after, AT_ONCE);
    yield* files;
    after = files.at(-1)?.id ?? "";
    if (files.length < AT_ONCE) return;
  }
}

/** Rows whose bytes are not in the store. */
export async function* eachMissingFile(deps: Deps): AsyncIterable<string> {
  for await (const { id } of eachKeptFile(deps)) {
    if ((await deps.files.size(id)) === null && (await isFileKept(deps.pool, id))) yield id;
  }
}

/** Stored files that have no row, except those young enough to get one. */
export async function* eachOrphanFile(deps: Deps): AsyncIterable<string> {
  // File times are the machine's own, whatever clock the service is tested with.
  const beforeMs = Date.now() - YOUNG_MS;
  let batch: string[] = [];
  for await (const { key, writtenAtMs } of deps.files.list()) {
    if (writtenAtMs < beforeMs) batch.push(key);
    if (batch.length < AT_ONCE) continue;
    yield* await findUnknown(deps, batch);
    batch = [];
  }
  yield* await findUnknown(deps, batch);
}

async function findUnknown(deps: Deps, keys: readonly string[]): Promise<string[]> {
  const known = new Map((await listKnownFiles(deps.pool, keys)).map((row) => [row.id, row.deleted]));
  return keys.filter((key) => known.get(key) !== false);
}

/** The counts so far. */
export interface Progress {
  checked: number;
  bytes: number;
  wrong: number;
}

/** Reads every stored file once, in chunks, and compares it with its row; calls `report` after each file. */
export async function verifyFiles(
  deps: Deps,
  report: (progress: Progress, wrong: WrongFile | null) => void,
): Promise<Progress> {
  const progress = { checked: 0, bytes: 0, wrong: 0 };
  for await (const file of eachKeptFile(deps)) {
    const { wrong, bytes } = await verifyFile(deps, file);
    // A file that was deleted during its check is not wrong.
    const isWrong = wrong !== null && (await isFileKept(deps.pool, file.id));
    progress.checked++;
    progress.bytes += bytes;
    if (isWrong) progress.wrong++;
    report(progress, isWrong ? wrong : null);
  }
  return progress;
}

async function verifyFile(deps: Deps, file: KeptFile): Promise<{ wrong: WrongFile | null; bytes: number }> {
  const { pieces, measured } = measurePieces(deps.files.scan(file.id));
  const fault = (fault: WrongFile["fault"], detail: string) => ({
    wrong: { asset_id: file.id, fault, detail },
    bytes: measured().bytes,
  });
  try {
    for await (const _ of pieces);
  } catch (error) {
    if (error instanceof FileMissing) return fault("missing", "There is a row, but no such file.");
    throw error;
  }
  const { bytes, sha256 } = measured();
  if (bytes !== file.bytes) return fault("size", `It has ${bytes} bytes, its row says ${file.bytes}.`);
  if (sha256 !== file.sha256) return fault("hash", `Its sha256 is ${sha256}, its row says ${file.sha256}.`);
  return { wrong: null, bytes };
}
