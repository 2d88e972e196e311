import { listStaleFeeds } from "../../sql/feeds.ts";
import type { Deps } from "../deps.ts";

const STALE_FEED_MS = 15_000;

/** Enqueues feeds again whose job was lost; returns the count. */
export async function sweepFeeds(deps: Deps): Promise<number> {
  const keys = await listStaleFeeds(deps.pool, deps.now() - STALE_FEED_MS);
  await deps.pool.transaction(async (tx) => {
    for (const feed_key of keys) await deps.jobs.enqueue(tx, "build-feed", { feed_key });
  });
  return keys.length;
}
