import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { deletePendingWorks, type NotedWork } from "../platform/pending-work.ts";

/** A feed of which a change is noted is stale: its reader gets it put together at once. */
const KIND = "build-feed";

export const FeedRow = z.strictObject({
  body: z.string(),
  etag: z.string(),
  modified_at: Timestamp,
});
export type FeedRow = z.infer<typeof FeedRow>;

// Without a body where none is stored, or where a change was marked since.
const FeedState = z.strictObject({
  body: z.string().nullable(),
  etag: z.string().nullable(),
  modified_at: Timestamp.nullable(),
  marked_at: Timestamp.nullable(),
});

/** The stored feed, or the time of the last change since: in one statement, as a worker may store the feed between two. */
export async function findFeedState(db: Db, key: string): Promise<FeedRow | { marked_at: number | null }> {
  const { body, etag, modified_at, marked_at } = await db.one(sql.type(FeedState)`
    SELECT f.body, f.etag, f.modified_at, m.marked_at
    FROM (SELECT max(created_at) AS marked_at FROM pending_work WHERE kind = ${KIND} AND subject = ${key}) AS m
      LEFT JOIN feeds f ON f.key = ${key} AND m.marked_at IS NULL`);
  if (body === null || etag === null || modified_at === null) return { marked_at };
  return { body, etag, modified_at };
}

/** Stores a rebuilt feed and clears its marks. */
export async function saveFeed(
  tx: Tx,
  key: string,
  feed: { body: string; etag: string; modifiedMs: number },
  marks: readonly NotedWork[],
  nowMs: number,
): Promise<void> {
  await tx.query(command`
    WITH ended AS (${deletePendingWorks(marks)})
    INSERT INTO feeds (key, body, etag, modified_at, built_at)
    VALUES (${key}, ${feed.body}, ${feed.etag}, ${at(feed.modifiedMs)}, ${at(nowMs)})
    ON CONFLICT (key) DO UPDATE SET body = EXCLUDED.body, etag = EXCLUDED.etag,
      modified_at = EXCLUDED.modified_at, built_at = EXCLUDED.built_at`);
}

/** Deletes a feed without public content, and its marks. */
export async function deleteFeed(tx: Tx, key: string, marks: readonly NotedWork[]): Promise<void> {
  await tx.query(command`
    WITH ended AS (${deletePendingWorks(marks)})
    DELETE FROM feeds WHERE key = ${key}`);
}

/** Deletes the stored feeds of these keys; whoever asks next has them built anew. */
export async function deleteFeeds(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.query(command`DELETE FROM feeds WHERE key = ANY(${texts(keys)})`);
}

/**
 * The keys of an agent's feeds: its own and those of its sections, those that it had before too. A feed that is being
 * rebuilt after its deletion has a mark and no row.
 */
export async function listFeedKeysOfAgent(db: Db, agentId: string): Promise<readonly string[]> {
  const own = `agent:${agentId}`;
  const section = `section:${agentId}:`;
  return await db.anyFirst(sql.type(z.strictObject({ key: z.string() }))`
    SELECT key FROM feeds WHERE key = ${own} OR starts_with(key, ${section})
    UNION SELECT subject FROM pending_work
      WHERE kind = ${KIND} AND (subject = ${own} OR starts_with(subject, ${section}))
    ORDER BY key`);
}
