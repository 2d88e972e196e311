import { drawRevision } from "../../shared/drawings/drawings.ts";
import type { JobPayload } from "../../shared/jobs/catalogue.ts";
import type { Workshop } from "../context.ts";

/** Draws the charts and flowcharts of a saved text, so that its first reader finds them finished. */
export async function drawBlocks(
  { deps, threads }: Workshop,
  { of, revision_id }: JobPayload<"draw-blocks">,
): Promise<void> {
  await drawRevision(deps, threads, of, revision_id);
}
