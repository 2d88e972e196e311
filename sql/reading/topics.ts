import { z } from "zod";
import { type Db, sql, type Tx, texts } from "../connection/pool.ts";

export const TopicRow = z.strictObject({
  id: z.string(),
  slug: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
});
export type TopicRow = z.infer<typeof TopicRow>;

const columns = sql.fragment`id, slug, label, description, enabled`;

/** The enabled topics, by label, as part of a statement. */
export const enabledTopics = sql.fragment`SELECT ${columns} FROM topics WHERE enabled ORDER BY label, id`;

/** The enabled topics, by label. */
export async function listEnabledTopics(db: Db): Promise<readonly TopicRow[]> {
  return await db.any(sql.type(TopicRow)`${enabledTopics}`);
}

/** The enabled topics among these ids. */
export async function listTopicsByIds(db: Db, ids: readonly string[]): Promise<readonly TopicRow[]> {
  if (ids.length === 0) return [];
  return await db.any(sql.type(TopicRow)`${topicsOf(ids)}`);
}

/** The same as part of a statement. */
export function topicsOf(ids: readonly string[]) {
  return sql.fragment`SELECT ${columns} FROM topics WHERE enabled AND id = ANY(${texts(ids)})`;
}

/** Adds a topic. */
export async function insertTopic(tx: Tx, topic: { id: string; slug: string; label: string }) {
  return await tx.one(sql.type(TopicRow)`
    INSERT INTO topics (id, slug, label) VALUES (${topic.id}, ${topic.slug}, ${topic.label})
    RETURNING ${columns}`);
}

/** Switches a topic on or off, or changes its label. */
export async function updateTopic(tx: Tx, slug: string, change: { enabled: boolean } | { label: string }) {
  const set =
    "label" in change ? sql.fragment`label = ${change.label}` : sql.fragment`enabled = ${change.enabled}`;
  return await tx.maybeOne(
    sql.type(TopicRow)`UPDATE topics SET ${set} WHERE slug = ${slug} RETURNING ${columns}`,
  );
}

/** Every topic by label, disabled ones too. */
export async function listAllTopics(db: Db): Promise<readonly TopicRow[]> {
  return await db.any(sql.type(TopicRow)`SELECT ${columns} FROM topics ORDER BY label, id`);
}
