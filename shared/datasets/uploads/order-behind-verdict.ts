import type { Deps } from "../../platform/deps.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";

/**
 * Orders all that is made of a ready file behind its verdict, so that no upload waits for it: by one transaction, as each
 * waits for the disk. Where a measurement is lost, the first reader starts another.
 */
export async function orderBehindVerdict(deps: Deps, assetId: string): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    await orderWork(tx, deps, [
      { name: "measure-asset", payload: { asset_id: assetId, attempt: 1 } },
      { name: "write-parquet", payload: { asset_id: assetId } },
    ]);
  });
}
