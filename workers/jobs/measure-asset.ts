import { measureAsset as measure } from "../../shared/datasets/uploads/statistics.ts";
import { FileMissing } from "../../shared/platform/files/store.ts";
import type { JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import type { WorkerContext } from "../context.ts";

/** Makes the statistics of a file that is ready; a late or second run changes nothing. */
export async function measureAsset(
  { deps, threads }: WorkerContext,
  { asset_id }: JobPayload<"measure-asset">,
): Promise<void> {
  try {
    await measure(deps, threads, asset_id);
  } catch (error) {
    // Deleted meanwhile: nothing is left to measure.
    if (!(error instanceof FileMissing)) throw error;
  }
}
