import { drawPendingArtwork } from "../../shared/datasets/drawings/pending-artworks.ts";
import type { JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import type { WorkerContext } from "../context.ts";

/** Draws covers, avatars and cards of published work, so that its first reader need not wait. */
export async function drawArtwork(
  { deps, threads }: WorkerContext,
  { of, id }: JobPayload<"draw-artwork">,
): Promise<void> {
  await drawPendingArtwork(deps, threads, of, id);
}
