import { type AssetRow, findAssetById, findReadingIndex } from "../../../sql/datasets/assets.ts";
import { deleteParquetOf, insertParquet, settleParquet } from "../../../sql/datasets/parquet-files.ts";
import {
  type ClaimedOrder,
  claimParquetOrder,
  deleteParquetOrder,
  releaseParquetOrder,
  touchParquetOrder,
} from "../../../sql/datasets/parquet-orders.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { raisePageVersions } from "../../../sql/works/creations.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { WrittenParquet } from "../../platform/threads/tasks.ts";
import { PARQUET_VERSION } from "../../tables/parquet/version.ts";
import { listWrittenTables } from "../../tables/parquet/written-tables.ts";
import { discardFiles } from "../uploads/discard-files.ts";
import { toRowsFile } from "../uploads/table-files.ts";

/** An order whose worker has said nothing for so long lost it. */
export const LOST_ORDER_MS = 30_000;
const TOUCH_MS = 5_000;
/** After so many tries the file counts as one that cannot be written. */
const MOST_TRIES = 5;

/** While uploads wait, a worker looks so often for what readers ask for, for a minute in all. */
const LOOK_MS = 1_000;
const MOST_LOOKS = 60;

/**
 * Makes the Parquet files that readers asked for, and those of this file once no upload waits for its verdict, or after a
 * minute. Running it twice or late changes nothing.
 */
export async function makeNextParquet(deps: Deps, threads: Threads, assetId: string): Promise<void> {
  let looks = 0;
  for (let mayMakeAny = await threads.untilIdle(0); ; ) {
    const nowMs = deps.now();
    const own = mayMakeAny ? assetId : null;
    const order = await claimParquetOrder(deps.pool, own, { nowMs, lostMs: nowMs - LOST_ORDER_MS });
    if (order !== null) await makeClaimed(deps, threads, order);
    if (order === null ? mayMakeAny : order.asset_id === assetId) return;
    if (order === null) mayMakeAny = (await threads.untilIdle(LOOK_MS)) || ++looks >= MOST_LOOKS;
  }
}

/** Makes the files of an order, and says meanwhile that it is not lost. */
async function makeClaimed(deps: Deps, threads: Threads, order: ClaimedOrder): Promise<void> {
  const touch = () => touchParquetOrder(deps.pool, order.asset_id, deps.now()).catch(() => undefined);
  const touching = setInterval(touch, TOUCH_MS);
  try {
    await makeOrdered(deps, threads, order);
  } catch (error) {
    await releaseParquetOrder(deps.pool, order.asset_id);
    // Deleted meanwhile: the next try finds that nothing is left to write.
    if (!(error instanceof FileMissing)) throw error;
  } finally {
    clearInterval(touching);
  }
}

async function makeOrdered(deps: Deps, threads: Threads, { asset_id, tries }: ClaimedOrder) {
  const asset = await findAssetById(deps.pool, asset_id);
  if (asset?.readiness !== "ready" || asset.file_deleted_at !== null)
    return await deleteParquetOrder(deps.pool, asset_id);
  const written = tries > MOST_TRIES ? null : await writeTables(deps, threads, asset);
  if (written === null)
    deps.log.warn({ asset: asset_id, tries }, "the tables of a file stay without Parquet");
  await saveParquet(deps, asset, written ?? []);
}

/** Stores each table of a file that may be written; null where they take too much time or memory. */
async function writeTables(deps: Deps, threads: Threads, asset: AssetRow): Promise<WrittenParquet[] | null> {
  const file = toRowsFile(asset);
  const tables = listWrittenTables(file, deps.config.limits.queryBytes);
  if (tables.length === 0) return [];
  const task = {
    key: asset.id,
    file: { format: file.format, bytes: file.bytes },
    sourceSha256: asset.content_sha256,
    readingIndex: await findReadingIndex(deps.pool, asset.id),
    tables: tables.map((table) => ({ ...table, fileId: deps.newId() })),
  };
  return await threads.writeParquet(task);
}

/** Saves what was stored, unless the file is gone or another worker was first: then it is deleted again. */
async function saveParquet(deps: Deps, asset: AssetRow, written: readonly WrittenParquet[]): Promise<void> {
  const replaced = await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, asset.agent_id);
    await deleteParquetOrder(tx, asset.id);
    if (!(await settleParquet(tx, asset.id, PARQUET_VERSION))) return null;
    const before = await deleteParquetOf(tx, [asset.id]);
    await insertParquet(tx, asset.id, written, deps.now());
    // The documents of the works that have the file name what was made of it.
    if (written.length > 0 || before.length > 0)
      await raisePageVersions(tx, { creationId: "", assetIds: [asset.id] });
    return before;
  });
  await discardFiles(deps, replaced ?? written.map(({ fileId }) => fileId));
}
