import { listBereftParquet } from "../../../sql/datasets/parquet-files.ts";
import { listMissingParquet } from "../../../sql/datasets/pending-parquet.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { orderWork } from "../../platform/pending-work/order-work.ts";
import { PARQUET_VERSION } from "../../tables/parquet/version.ts";
import { discardFiles } from "../uploads/discard-files.ts";

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
  const bereft = await listBereftParquet(deps.pool);
  if (bereft.length > 0) await discardFiles(deps, bereft);
  return missing.length + bereft.length;
}
