import { deleteOldDeliveries } from "../../../sql/trust/webhook-deliveries.ts";
import { DAY_MS } from "../../ground/times.ts";
import { deleteInBatches } from "../../platform/delete-in-batches.ts";
import type { Deps } from "../../platform/deps.ts";
import { beginDeliveries } from "./deliver.ts";

/** Begins to send whatever is due; returns how much. */
export async function sweepDeliveries(deps: Deps): Promise<number> {
  return await beginDeliveries(deps);
}

/** Deletes what was sent longer ago than events are kept; returns the count. */
export async function sweepOldDeliveries(deps: Deps): Promise<number> {
  return await deleteInBatches(deps, deps.now() - deps.config.limits.eventDays * DAY_MS, deleteOldDeliveries);
}
