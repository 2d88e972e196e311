import { listBereftParquet } from "../../../sql/datasets/parquet-files.ts";
import { orderMissingParquet, renewLostParquetOrders } from "../../../sql/datasets/parquet-orders.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { PARQUET_VERSION } from "../../tables/parquet/version.ts";
import { discardFiles } from "../uploads/discard-files.ts";
import { LOST_ORDER_MS } from "./make-parquet.ts";

/** An order that no worker took, or a file that nobody ordered, for so long has lost its job. */
const LOST_JOB_MS = 2 * MINUTE_MS;
/** Files of before wait their turn outside the queue: so many orders at once leave room for those of new uploads. */
const MOST_WAITING = 10;

/**
 * Enqueues the Parquet files whose job was lost and, a few at a time, those of files that have none; deletes those whose
 * file is gone. Returns the count.
 */
export async function sweepParquet(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  const ordered = await deps.pool.transaction(async (tx) => {
    const lost = await renewLostParquetOrders(tx, {
      waitingMs: nowMs - LOST_JOB_MS,
      begunMs: nowMs - LOST_ORDER_MS,
      nowMs,
    });
    const missing = await orderMissingParquet(tx, {
      ...{ version: PARQUET_VERSION, createdBeforeMs: nowMs - LOST_JOB_MS, nowMs, most: MOST_WAITING },
    });
    for (const id of [...lost, ...missing]) await deps.jobs.enqueue(tx, "write-parquet", { asset_id: id });
    return lost.length + missing.length;
  });
  const bereft = await listBereftParquet(deps.pool);
  if (bereft.length > 0) await discardFiles(deps, bereft);
  return ordered + bereft.length;
}
