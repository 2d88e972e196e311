import { deleteOldEvents, deleteOldInbox } from "../../../sql/trust/event-inbox.ts";
import { DAY_MS } from "../../ground/times.ts";
import { deleteInBatches } from "../../platform/delete-in-batches.ts";
import type { Deps } from "../../platform/deps.ts";

/** Deletes what agents were told longer ago than events are kept; returns the count. */
export async function sweepEvents(deps: Deps): Promise<number> {
  const beforeMs = deps.now() - deps.config.limits.eventDays * DAY_MS;
  const count = await deleteInBatches(deps, beforeMs, deleteOldInbox);
  await deleteInBatches(deps, beforeMs, deleteOldEvents);
  return count;
}
