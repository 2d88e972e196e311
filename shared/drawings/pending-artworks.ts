import type { Tx } from "../../sql/connection/pool.ts";
import {
  deletePendingArtwork,
  findPendingArtwork,
  type PendingArtworkRow,
  restartPendingArtworks,
  upsertPendingArtwork,
} from "../../sql/pending-artworks.ts";
import type { Deps } from "../deps.ts";
import type { Threads } from "../threads/open.ts";
import { drawArtworkOf } from "./artworks.ts";

/** An order this old was not carried out: its bell is lost or its worker died. */
const LOST_ORDER_MS = 60_000;
const MOST_TRIES = 5;

/** Rings for the artwork of what was just published, and notes it, so that a lost bell is found. */
export async function enqueueArtwork(
  tx: Tx,
  deps: Deps,
  of: PendingArtworkRow["kind"],
  id: string,
): Promise<void> {
  await upsertPendingArtwork(tx, { kind: of, subjectId: id, nowMs: deps.now() });
  await deps.jobs.enqueue(tx, "draw-artwork", { of, id });
}

/** Draws what was ordered; an order that came while it was drawn stays, for its own bell. */
export async function drawPendingArtwork(
  deps: Deps,
  threads: Threads,
  of: PendingArtworkRow["kind"],
  id: string,
): Promise<void> {
  const orderedMs = await findPendingArtwork(deps.pool, id);
  await drawArtworkOf(deps, threads, of, id);
  if (orderedMs !== null) await deletePendingArtwork(deps.pool, id, orderedMs);
}

/** Rings again for artwork whose bell was lost; what no worker can draw is left to its first reader. Tells how many. */
export async function sweepPendingArtworks(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const orders = await restartPendingArtworks(tx, nowMs - LOST_ORDER_MS, nowMs);
    for (const { subject_id, kind, tries } of orders) {
      if (tries > MOST_TRIES) await deletePendingArtwork(tx, subject_id, nowMs);
      else await deps.jobs.enqueue(tx, "draw-artwork", { of: kind, id: subject_id });
    }
    return orders.length;
  });
}
