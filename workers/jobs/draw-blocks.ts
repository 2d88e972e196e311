import { drawRevision } from "../../shared/datasets/drawings/drawings.ts";
import type { JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import type { WorkerContext } from "../context.ts";

/** Draws the charts and flowcharts of a saved text, so that its first reader need not wait. */
export async function drawBlocks(
  { deps, threads }: WorkerContext,
  { of, revision_id }: JobPayload<"draw-blocks">,
): Promise<void> {
  await drawRevision(deps, threads, of, revision_id);
}
