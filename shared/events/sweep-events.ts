import { deleteOldEvents, deleteOldInbox } from "../../sql/event-inbox.ts";
import { deleteInBatches } from "../delete-in-batches.ts";
import type { Deps } from "../deps.ts";
import { DAY_MS } from "../times.ts";

/** Deletes what agents were told longer ago than events are kept; returns the count. */
export async function sweepEvents(deps: Deps): Promise<number> {
  const beforeMs = deps.now() - deps.config.limits.eventDays * DAY_MS;
  const count = await deleteInBatches(deps, beforeMs, deleteOldInbox);
  await deleteInBatches(deps, beforeMs, deleteOldEvents);
  return count;
}
