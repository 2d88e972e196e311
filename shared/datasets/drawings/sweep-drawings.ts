import { deletePendingDrawing, restartPendingDrawings } from "../../../sql/datasets/pending-drawings.ts";
import type { Deps } from "../../platform/deps.ts";

/** A drawing that is pending longer lost its job, or its worker died. */
const LOST_AFTER_MS = 60_000;
const MOST_ORDERS = 5;

/**
 * Enqueues drawings again whose job was lost and returns the count; a drawing that no worker can draw is left
 * to its first reader.
 */
export async function sweepDrawings(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const restarted = await restartPendingDrawings(tx, nowMs - LOST_AFTER_MS, nowMs);
    for (const { revision_id, kind, attempt } of restarted) {
      if (attempt > MOST_ORDERS) await deletePendingDrawing(tx, revision_id);
      else await deps.jobs.enqueue(tx, "draw-blocks", { of: kind, revision_id, attempt });
    }
    return restarted.length;
  });
}
