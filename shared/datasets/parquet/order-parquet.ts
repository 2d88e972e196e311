import { askForParquet } from "../../../sql/datasets/parquet-orders.ts";
import type { Deps } from "../../platform/deps.ts";

/** A reader who asks again so soon changes nothing. */
const ASKED_AGAIN_MS = 30_000;

/** Puts the Parquet files of a file before all that nobody asks for. */
export async function hurryParquet(deps: Deps, assetId: string): Promise<void> {
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    const isNew = await askForParquet(tx, assetId, { nowMs, sinceMs: nowMs - ASKED_AGAIN_MS });
    if (isNew) await deps.jobs.enqueue(tx, "write-parquet", { asset_id: assetId });
  });
}
