import { deleteOldDeliveries } from "../../sql/webhook-deliveries.ts";
import { deleteInBatches } from "../delete-in-batches.ts";
import type { Deps } from "../deps.ts";
import { DAY_MS } from "../times.ts";
import { beginDeliveries } from "./deliver.ts";

/** What was sent is kept as long as events are by default. */
const KEPT_MS = 30 * DAY_MS;

/** Begins to send whatever is due; returns how much. */
export async function sweepDeliveries(deps: Deps): Promise<number> {
  return await beginDeliveries(deps);
}

/** Deletes what was sent a month ago; returns the count. */
export async function sweepOldDeliveries(deps: Deps): Promise<number> {
  return await deleteInBatches(deps, deps.now() - KEPT_MS, deleteOldDeliveries);
}
