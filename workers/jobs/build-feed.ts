import type { JobPayload } from "../../shared/platform/jobs/catalogue.ts";
import { rebuildFeed } from "../../shared/reading/feeds/build-feed.ts";
import type { WorkerContext } from "../context.ts";

/** Writes one feed anew if it is marked stale; running it twice or late changes nothing. */
export async function buildFeed(
  { deps }: WorkerContext,
  { feed_key }: JobPayload<"build-feed">,
): Promise<void> {
  await rebuildFeed(deps, feed_key);
}
