import type { Tx } from "../../sql/connection/pool.ts";
import type { Deps } from "./deps.ts";

const BATCH = 1_000;
/** A run takes seconds, not minutes; the next run deletes the rest. */
const MOST_BATCHES = 500;

/**
 * Deletes rows that ended before a timestamp, a thousand per transaction: none locks many rows or meets the
 * statement timeout, and the work of a killed run stays. Returns the count.
 */
export async function deleteInBatches(
  deps: Deps,
  beforeMs: number,
  forget: (tx: Tx, beforeMs: number, limit: number) => Promise<number>,
): Promise<number> {
  let count = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const forgotten = await deps.pool.transaction((tx) => forget(tx, beforeMs, BATCH));
    count += forgotten;
    if (forgotten < BATCH) break;
  }
  return count;
}
