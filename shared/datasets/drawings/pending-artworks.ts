import type { Tx } from "../../../sql/connection/pool.ts";
import {
  deletePendingArtwork,
  findPendingArtwork,
  type PendingArtworkRow,
  restartPendingArtworks,
  upsertPendingArtwork,
} from "../../../sql/datasets/pending-artworks.ts";
import type { Deps } from "../../platform/deps.ts";
import type { NamedJob } from "../../platform/jobs/queue.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { drawArtworkOf } from "./artworks.ts";

/** Artwork that is pending longer lost its job, or its worker died. */
const LOST_AFTER_MS = 60_000;
const MOST_TRIES = 5;

/** Enqueues the artwork of a publication and records it as pending, so that the sweep finds a lost job. */
export async function enqueueArtwork(
  tx: Tx,
  deps: Deps,
  of: PendingArtworkRow["kind"],
  id: string,
): Promise<void> {
  await upsertPendingArtwork(tx, { kind: of, subjectId: id, nowMs: deps.now() });
  await deps.jobs.enqueueAll(tx, [toArtworkJob(of, id)]);
}

/** The job that draws the artwork of a creation or an agent. */
export function toArtworkJob(of: PendingArtworkRow["kind"], id: string): NamedJob {
  return { name: "draw-artwork", payload: { of, id } };
}

/** Draws pending artwork; artwork that became pending again meanwhile stays pending, for its own job. */
export async function drawPendingArtwork(
  deps: Deps,
  threads: Threads,
  of: PendingArtworkRow["kind"],
  id: string,
): Promise<void> {
  const pendingSinceMs = await findPendingArtwork(deps.pool, id);
  await drawArtworkOf(deps, threads, of, id);
  if (pendingSinceMs !== null) await deletePendingArtwork(deps.pool, id, pendingSinceMs);
}

/**
 * Enqueues artwork again whose job was lost and returns the count; artwork that no worker can draw is left to
 * its first reader.
 */
export async function sweepPendingArtworks(deps: Deps): Promise<number> {
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const pending = await restartPendingArtworks(tx, nowMs - LOST_AFTER_MS, nowMs);
    for (const { subject_id, kind, tries } of pending) {
      if (tries > MOST_TRIES) await deletePendingArtwork(tx, subject_id, nowMs);
      else await deps.jobs.enqueue(tx, "draw-artwork", { of: kind, id: subject_id });
    }
    return pending.length;
  });
}
