import { rebuildFeed } from "../../shared/feeds/build-feed.ts";
import type { JobPayload } from "../../shared/jobs/catalogue.ts";
import type { WorkerContext } from "../context.ts";

/** Writes one feed anew if it is marked stale; running it twice or late changes nothing. */
export async function buildFeed(
  { deps }: WorkerContext,
  { feed_key }: JobPayload<"build-feed">,
): Promise<void> {
  await rebuildFeed(deps, feed_key);
}
