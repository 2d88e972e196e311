import type { JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import { compareUpdate } from "../../shared/reading/comparisons/compare-update.ts";
import type { WorkerContext } from "../context.ts";

/** Counts what an update changed in the rows of its files; a late or second run changes nothing. */
export async function compareFiles(
  { deps, threads }: WorkerContext,
  { revision_id }: JobPayload<"compare-files">,
): Promise<void> {
  await compareUpdate(deps, threads, revision_id);
}
