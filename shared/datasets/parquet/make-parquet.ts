import { type AssetRow, findAssetById, findReadingIndex } from "../../../sql/datasets/assets.ts";
import {
  askForParquet,
  type ClaimedParquet,
  claimParquet,
  deleteParquetOf,
  insertParquet,
  isParquetSettled,
  keepParquet,
  listBereftFiles,
  listMissingParquet,
  releaseParquet,
  settleParquet,
} from "../../../sql/datasets/parquet-files.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { findTextUse } from "../../../sql/identity/text-uses.ts";
import { deletePendingWork } from "../../../sql/platform/pending-work.ts";
import { raisePageVersions } from "../../../sql/works/creations.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { WrittenParquet } from "../../platform/threads/tasks.ts";
import { listWrittenTables, PARQUET_VERSION } from "../../tables/parquet/find-kinds.ts";
import { discardFiles } from "../uploads/discard-files.ts";
import { sha256AsRead } from "../uploads/own-assets.ts";
import { toRowsFile } from "../uploads/read-rows.ts";

/** A reader who asks again so soon changes nothing. */
const ASKED_AGAIN_MS = 30_000;
const RUN_AGAIN_MS = 2 * MINUTE_MS;

/** Puts the Parquet files of a file before all that nobody asks for. */
export async function hurryParquet(deps: Deps, assetId: string): Promise<void> {
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    const runMs = nowMs + RUN_AGAIN_MS;
    const isNew = await askForParquet(tx, assetId, { nowMs, sinceMs: nowMs - ASKED_AGAIN_MS, runMs });
    if (isNew) await deps.jobs.enqueue(tx, [{ name: "write-parquet", payload: { asset_id: assetId } }]);
  });
}

/** An order whose worker has said nothing for so long lost it. */
const LOST_MS = 30_000;
const KEEP_MS = 5_000;
/** After so many attempts the file counts as one that cannot be written. */
const MOST_ATTEMPTS = 5;

/** Makes the Parquet files that readers asked for, then those of this file. Running it twice or late changes nothing. */
export async function makeNextParquet(deps: Deps, threads: Threads, assetId: string): Promise<void> {
  for (;;) {
    const nowMs = deps.now();
    const order = await claimParquet(deps.pool, assetId, { nowMs, untilMs: nowMs + LOST_MS });
    if (order === null) return;
    await makeClaimed(deps, threads, order);
    if (order.asset_id === assetId) return;
  }
}

/** Makes the files of an order, and says meanwhile that it is not lost. */
async function makeClaimed(deps: Deps, threads: Threads, order: ClaimedParquet): Promise<void> {
  const keep = () => keepParquet(deps.pool, order.id, deps.now() + LOST_MS).catch(() => undefined);
  const keeping = setInterval(keep, KEEP_MS);
  try {
    await makeOrdered(deps, threads, order);
  } catch (error) {
    await releaseParquet(deps.pool, order.id);
    // Deleted meanwhile: the next try finds that nothing is left to write.
    if (!(error instanceof FileMissing)) throw error;
  } finally {
    clearInterval(keeping);
  }
}

async function makeOrdered(deps: Deps, threads: Threads, { id, asset_id, attempt }: ClaimedParquet) {
  const asset = await findAssetById(deps.pool, asset_id);
  const isOver = asset?.readiness !== "ready" || asset.file_deleted_at !== null;
  if (isOver || (await isParquetSettled(deps.pool, asset_id, PARQUET_VERSION)))
    return await deletePendingWork(deps.pool, id);
  const written = attempt > MOST_ATTEMPTS ? null : await writeTables(deps, threads, asset);
  if (written === null)
    deps.log.warn({ asset: asset_id, attempt }, "the tables of a file stay without Parquet");
  await saveParquet(deps, id, asset, written ?? []);
}

/** Stores each table of a file that may be written; null where they take too much time or memory. */
async function writeTables(deps: Deps, threads: Threads, asset: AssetRow): Promise<WrittenParquet[] | null> {
  const file = toRowsFile(asset);
  const tables = listWrittenTables(file, deps.config.limits.queryBytes);
  if (tables.length === 0) return [];
  const task = {
    key: file.key,
    file: { format: file.format, bytes: file.bytes },
    sourceSha256: sha256AsRead(asset),
    readingIndex: await findReadingIndex(deps.pool, asset.id),
    tables: tables.map((table) => ({ ...table, fileId: deps.newId() })),
  };
  return await threads.writeParquet(task);
}

/**
 * Saves what was stored, unless the file is gone, another worker was first or the agent has no room for it: then it is
 * deleted again.
 */
async function saveParquet(
  deps: Deps,
  orderId: number,
  asset: AssetRow,
  written: readonly WrittenParquet[],
): Promise<void> {
  const ownIds = written.map(({ fileId }) => fileId);
  const discarded = await deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, asset.agent_id);
    await deletePendingWork(tx, orderId);
    if (agent === null || !(await settleParquet(tx, asset.id, PARQUET_VERSION))) return ownIds;
    const before = await deleteParquetOf(tx, [asset.id]);
    const bytes = written.reduce((sum, one) => sum + one.bytes, await findTextUse(tx, agent.id));
    const hasRoom = bytes <= limitsOfAgent(deps, agent).textBytes;
    if (hasRoom) await insertParquet(tx, asset.id, written, deps.now());
    // The documents of the works that have the file name what was made of it.
    if (written.length > 0 || before.length > 0)
      await raisePageVersions(tx, { creationId: "", assetIds: [asset.id] });
    return hasRoom ? before : [...before, ...ownIds];
  });
  await discardFiles(deps, discarded);
}

/** A file that nobody ordered for so long is one of before. */
const UNORDERED_MS = 2 * MINUTE_MS;
/** Files of before wait their turn outside the queue: so many orders at once leave room for those of new uploads. */
const MOST_WAITING = 10;

/** Orders the Parquet files of files that have none, a few at a time; deletes those whose file is gone. Returns the count. */
export async function sweepParquet(deps: Deps): Promise<number> {
  const missing = await listMissingParquet(deps.pool, {
    version: PARQUET_VERSION,
    createdBeforeMs: deps.now() - UNORDERED_MS,
    most: MOST_WAITING,
  });
  await deps.pool.transaction(async (tx) => {
    const jobs = missing.map((asset_id) => ({ name: "write-parquet" as const, payload: { asset_id } }));
    await orderWork(tx, deps, jobs);
  });
  const bereft = await listBereftFiles(deps.pool);
  if (bereft.length > 0) await discardFiles(deps, bereft);
  return missing.length + bereft.length;
}
