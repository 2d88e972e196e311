import { z } from "zod";
import { type Db, sql, type Tx, texts } from "./connection/pool.ts";

export const TopicRow = z.strictObject({
  id: z.string(),
  slug: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
});
export type TopicRow = z.infer<typeof TopicRow>;

const columns = sql.fragment`id, slug, label, description, enabled`;

export async function listEnabledTopics(db: Db): Promise<readonly TopicRow[]> {
  return await db.any(sql.type(TopicRow)`SELECT ${columns} FROM topics WHERE enabled ORDER BY label, id`);
}

export async function listTopicsByIds(db: Db, ids: readonly string[]): Promise<readonly TopicRow[]> {
  if (ids.length === 0) return [];
  return await db.any(sql.type(TopicRow)`
    SELECT ${columns} FROM topics WHERE enabled AND id = ANY(${texts(ids)})`);
}

export async function insertTopic(
  tx: Tx,
  topic: { id: string; slug: string; label: string },
): Promise<TopicRow> {
  return await tx.one(sql.type(TopicRow)`
    INSERT INTO topics (id, slug, label) VALUES (${topic.id}, ${topic.slug}, ${topic.label})
    RETURNING ${columns}`);
}

export async function updateTopicEnabled(tx: Tx, slug: string, enabled: boolean): Promise<TopicRow | null> {
  return await tx.maybeOne(sql.type(TopicRow)`
    UPDATE topics SET enabled = ${enabled} WHERE slug = ${slug} RETURNING ${columns}`);
}

/** Every topic, those switched off too, by label. */
export async function listAllTopics(db: Db): Promise<readonly TopicRow[]> {
  return await db.any(sql.type(TopicRow)`SELECT ${columns} FROM topics ORDER BY label, id`);
}

export async function updateTopicLabel(tx: Tx, slug: string, label: string): Promise<TopicRow | null> {
  return await tx.maybeOne(sql.type(TopicRow)`
    UPDATE topics SET label = ${label} WHERE slug = ${slug} RETURNING ${columns}`);
}
