import type { Tx } from "../sql/connection/pool.ts";
import type { Deps } from "./deps.ts";

const BATCH = 1_000;
/** A run takes seconds, not minutes; what is left goes with the next one. */
const MOST_BATCHES = 500;

/**
 * Deletes what ended until a moment, a thousand rows a transaction: none holds many rows or meets the time limit of a
 * statement, and a run that is killed has done part of its work. Tells how many.
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
