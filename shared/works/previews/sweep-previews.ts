import { deleteOldPreviews } from "../../../sql/works/previews.ts";
import { DAY_MS } from "../../ground/times.ts";
import { deleteInBatches } from "../../platform/delete-in-batches.ts";
import type { Deps } from "../../platform/deps.ts";

/** An expired link is kept for a week, for whoever asks what it was. */
const KEPT_MS = 7 * DAY_MS;

/** Deletes links that expired a week ago; returns the count. */
export async function sweepPreviews(deps: Deps): Promise<number> {
  return await deleteInBatches(deps, deps.now() - KEPT_MS, deleteOldPreviews);
}
