import { askForParquet, insertParquetOrder } from "../../sql/parquet-orders.ts";
import type { Deps } from "../deps.ts";

/** A reader who asks again so soon changes nothing. */
const ASKED_AGAIN_MS = 30_000;

/** Orders the Parquet files of a file that was just inspected; where the job is lost, the sweep finds the order. */
export async function orderParquet(deps: Deps, assetId: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    await insertParquetOrder(tx, assetId, deps.now());
    await deps.jobs.enqueue(tx, "write-parquet", { asset_id: assetId });
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
