import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { deleteParquetOf } from "../../../sql/datasets/parquet-files.ts";
import type { Deps } from "../../platform/deps.ts";

/** How long an answer waits for the store: a hanging one would turn a committed act into a 503 after 30 seconds. */
const WAITS_MS = 1_000;

/**
 * Deletes stored bytes whose release is committed, and the Parquet files that were made of them. Never throws: what is committed has happened, and
 * `sweepOrphanFiles` deletes what is left.
 */
export async function discardFiles(deps: Deps, ids: readonly string[]): Promise<void> {
  let left = 0;
  let reason: unknown = null;
  const made = await deleteParquetOf(deps.pool, ids).catch((error: unknown) => {
    reason = error;
    return [];
  });
  for (const id of [...ids, ...made]) {
    await deps.files.delete(id).catch((error: unknown) => {
      left++;
      reason = error;
    });
  }
  if (left > 0)
    deps.log.warn({ files: left, err: reason }, "files are not deleted yet; the sweep deletes them");
}

/** The same within a request: the answer waits a second at most, and the deletion goes on behind it. */
export async function discardFilesSoon(deps: Deps, ids: readonly string[]): Promise<void> {
  await withTimeout(discardFiles(deps, ids), WAITS_MS).catch(() => undefined);
}
