import { insertParquetOrder } from "../../../sql/datasets/parquet-orders.ts";
import type { Deps } from "../../platform/deps.ts";

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
