import { askForParquet } from "../../../sql/datasets/pending-parquet.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";

/** A reader who asks again so soon changes nothing. */
const ASKED_AGAIN_MS = 30_000;
const LOST_MS = 2 * MINUTE_MS;

/** Puts the Parquet files of a file before all that nobody asks for. */
export async function hurryParquet(deps: Deps, assetId: string): Promise<void> {
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    const runMs = nowMs + LOST_MS;
    const isNew = await askForParquet(tx, assetId, { nowMs, sinceMs: nowMs - ASKED_AGAIN_MS, runMs });
    if (isNew) await deps.jobs.enqueue(tx, "write-parquet", { asset_id: assetId });
  });
}
