import { listStaleFeeds } from "../../../sql/reading/feeds.ts";
import { toFeedJobs } from "../../identity/mark-feeds-stale.ts";
import type { Deps } from "../../platform/deps.ts";

const STALE_FEED_MS = 15_000;

/** Enqueues feeds again whose job was lost; returns the count. */
export async function sweepFeeds(deps: Deps): Promise<number> {
  const keys = await listStaleFeeds(deps.pool, deps.now() - STALE_FEED_MS);
  await deps.pool.transaction(async (tx) => {
    await deps.jobs.enqueueAll(tx, toFeedJobs(keys));
  });
  return keys.length;
}
