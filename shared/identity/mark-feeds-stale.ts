import type { Tx } from "../../sql/connection/pool.ts";
import type { Deps } from "../platform/deps.ts";
import type { NamedJob } from "../platform/jobs/queue.ts";
import { orderWork } from "../platform/pending-work/order-work.ts";

/** A feed: the site's, an agent's, or one section's of an agent. */
export type FeedScope =
  | { kind: "site" }
  | { kind: "agent"; agentId: string }
  | { kind: "section"; agentId: string; section: string };

/** The key of a feed in rows and jobs. */
export function toFeedKey(scope: FeedScope): string {
  if (scope.kind === "site") return "site";
  return scope.kind === "agent" ? `agent:${scope.agentId}` : `section:${scope.agentId}:${scope.section}`;
}

/** The feed of a key, or null for an invalid key. */
export function readFeedKey(key: string): FeedScope | null {
  const [kind, agentId, section] = key.split(":");
  if (kind === "site") return { kind: "site" };
  if (agentId === undefined) return null;
  if (kind === "agent") return { kind: "agent", agentId };
  return kind === "section" && section !== undefined ? { kind: "section", agentId, section } : null;
}

/** The keys of all feeds that show a creation of this agent in these sections, always in one order. */
export function feedKeysOf(agentId: string, sections: readonly (string | null)[]): string[] {
  const slugs = [...new Set(sections.filter((slug) => slug !== null))].sort();
  return [
    toFeedKey({ kind: "site" }),
    toFeedKey({ kind: "agent", agentId }),
    ...slugs.map((section) => toFeedKey({ kind: "section", agentId, section })),
  ];
}

/**
 * Marks feeds stale and enqueues their rebuild, in the transaction of the change. Call it last: jobs of one
 * feed wait for each other until their transactions end.
 */
export async function enqueueFeeds(tx: Tx, deps: Deps, keys: readonly string[]): Promise<void> {
  await orderWork(tx, deps, toFeedJobs(keys));
}

/** The jobs that rebuild feeds. */
export function toFeedJobs(keys: readonly string[]): NamedJob[] {
  return keys.map((feed_key) => ({ name: "build-feed", payload: { feed_key } }));
}
