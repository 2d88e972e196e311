import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";

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
    FROM (SELECT max(marked_at) AS marked_at FROM feed_marks WHERE feed_key = ${key}) AS m
      LEFT JOIN feeds f ON f.key = ${key} AND m.marked_at IS NULL`);
  if (body === null || etag === null || modified_at === null) return { marked_at };
  return { body, etag, modified_at };
}

/** Marks feeds stale, in the transaction of the change. */
export async function markFeeds(tx: Tx, keys: readonly string[], nowMs: number): Promise<void> {
  await tx.query(command`${insertFeedMarks(keys, nowMs)}`);
}

/** The statement that marks feeds stale. */
export function insertFeedMarks(keys: readonly string[], nowMs: number) {
  return sql.fragment`
    INSERT INTO feed_marks (feed_key, marked_at)
    SELECT key, ${at(nowMs)} FROM unnest(${texts(keys)}) AS key`;
}

/** Locks a feed for its rebuild, or an older text could overwrite a newer one. */
export async function lockFeed(tx: Tx, key: string): Promise<void> {
  await tx.query(sql.type(z.unknown())`
    SELECT pg_advisory_xact_lock(hashtextextended(${`feed:${key}`}, 0))`);
}

const FeedMark = z.strictObject({ id: z.number(), marked_at: Timestamp });
export type FeedMark = z.infer<typeof FeedMark>;

/** The marks of a feed before its rebuild, which the rebuild clears. */
export async function listMarks(db: Db, key: string): Promise<readonly FeedMark[]> {
  return await db.any(sql.type(FeedMark)`SELECT id, marked_at FROM feed_marks WHERE feed_key = ${key}`);
}

/** Stores a rebuilt feed and clears its marks. */
export async function saveFeed(
  tx: Tx,
  key: string,
  feed: { body: string; etag: string; modifiedMs: number },
  marks: readonly FeedMark[],
  nowMs: number,
): Promise<void> {
  await tx.query(command`
    WITH answered AS (DELETE FROM feed_marks WHERE id = ANY(${idsOf(marks)}))
    INSERT INTO feeds (key, body, etag, modified_at, built_at)
    VALUES (${key}, ${feed.body}, ${feed.etag}, ${at(feed.modifiedMs)}, ${at(nowMs)})
    ON CONFLICT (key) DO UPDATE SET body = EXCLUDED.body, etag = EXCLUDED.etag,
      modified_at = EXCLUDED.modified_at, built_at = EXCLUDED.built_at`);
}

/** Deletes a feed without public content, and its marks. */
export async function deleteFeed(tx: Tx, key: string, marks: readonly FeedMark[]): Promise<void> {
  await tx.query(command`
    WITH answered AS (DELETE FROM feed_marks WHERE id = ANY(${idsOf(marks)}))
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
    UNION SELECT feed_key FROM feed_marks WHERE feed_key = ${own} OR starts_with(feed_key, ${section})
    ORDER BY key`);
}

function idsOf(marks: readonly FeedMark[]) {
  return sql.array(
    marks.map(({ id }) => id),
    "int8",
  );
}

/** Feeds that were marked before a timestamp and are still stale: their job was lost. */
export async function listStaleFeeds(db: Db, beforeMs: number): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ feed_key: z.string() }))`
    SELECT DISTINCT feed_key FROM feed_marks WHERE marked_at < ${at(beforeMs)} ORDER BY feed_key LIMIT 500`);
}
