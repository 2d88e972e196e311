import { askForParquet, insertParquetOrder } from "../../../sql/datasets/parquet-orders.ts";
import type { Deps } from "../../platform/deps.ts";

/** A reader who asks again so soon changes nothing. */
const ASKED_AGAIN_MS = 30_000;

/**
 * Orders all that is made of a ready file behind its verdict, so that no upload waits for it: by one transaction, as each
 * waits for the disk. Where a job is lost, the first reader starts the measurement, and the sweep finds the order of the
 * Parquet files.
 */
export async function orderBehindVerdict(deps: Deps, assetId: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    await insertParquetOrder(tx, assetId, deps.now());
    await deps.jobs.enqueueAll(tx, [
      { name: "measure-asset", payload: { asset_id: assetId, attempt: 1 } },
      { name: "write-parquet", payload: { asset_id: assetId } },
    ]);
  });
}

/** Puts the Parquet files of a file before all that nobody asks for. */
export async function hurryParquet(deps: Deps, assetId: string): Promise<void> {
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    const isNew = await askForParquet(tx, assetId, { nowMs, sinceMs: nowMs - ASKED_AGAIN_MS });
    if (isNew) await deps.jobs.enqueue(tx, "write-parquet", { asset_id: assetId });
  });
}
