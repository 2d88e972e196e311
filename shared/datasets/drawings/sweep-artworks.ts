import { deleteReplacedArtworks } from "../../../sql/datasets/artworks.ts";
import { DAY_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";

/** How long a replaced picture stays: other sites may still request its address. */
const REPLACED_DAYS = 30;

/** Removes artwork that was replaced 30 days ago; returns the count. */
export async function sweepReplacedArtworks(deps: Deps): Promise<number> {
  return await deleteReplacedArtworks(deps.pool, deps.now() - REPLACED_DAYS * DAY_MS);
}
