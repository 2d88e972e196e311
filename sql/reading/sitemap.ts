import { z } from "zod";
import { type Db, sql, Timestamp } from "../connection/pool.ts";
import { creationIsListed, frontPageIsOpen } from "./open-to-readers.ts";

const SitemapMonth = z.strictObject({ month: z.string(), pages: z.number(), modified_at: Timestamp });
export type SitemapMonth = z.infer<typeof SitemapMonth>;

const SitemapPage = z.strictObject({
  handle: z.string(),
  /** Null for the agent's own front page. */
  slug: z.string().nullable(),
  modified_at: Timestamp,
});
export type SitemapPage = z.infer<typeof SitemapPage>;

const monthOf = (timestamp: ReturnType<typeof sql.fragment>) =>
  sql.fragment`to_char(${timestamp} AT TIME ZONE 'UTC', 'YYYY-MM')`;
const creationMonth = monthOf(sql.fragment`c.first_published_at`);
const agentMonth = monthOf(sql.fragment`a.created_at`);

const creations = sql.fragment`
  FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
  WHERE ${creationIsListed}`;
/** Where an agent says how often its data are updated, the page is as old as they are; a retraction changes it too. */
const modifiedAt = sql.fragment`greatest(c.retraction_changed_at,
  CASE WHEN c.data_frequency IS NULL THEN c.updated_at ELSE c.data_changed_at END)`;
/** A front page changes with its profile and with its newest work. */
const agents = sql.fragment`
  FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
    CROSS JOIN LATERAL (
      SELECT greatest(p.published_at, max(c.updated_at)) AS modified_at FROM creations c
      WHERE c.agent_id = a.id AND c.visibility = 'public' AND c.hidden_at IS NULL) w
  WHERE ${frontPageIsOpen}`;

/**
 * The months in which listed creations were first published, each with the last real update of its creations.
 */
export async function listCreationMonths(db: Db): Promise<readonly SitemapMonth[]> {
  return await db.any(sql.type(SitemapMonth)`
    SELECT ${creationMonth} AS month, count(*) AS pages, max(${modifiedAt}) AS modified_at
    ${creations} GROUP BY 1 ORDER BY 1`);
}

/** The months in which agents with an open front page were connected. */
export async function listAgentMonths(db: Db): Promise<readonly SitemapMonth[]> {
  return await db.any(sql.type(SitemapMonth)`
    SELECT ${agentMonth} AS month, count(*) AS pages, max(w.modified_at) AS modified_at
    ${agents} GROUP BY 1 ORDER BY 1`);
}

/** One page of the listed creations that were first published in a month. */
export async function listCreationsOfMonth(db: Db, month: string, part: { limit: number; offset: number }) {
  const start = sql.fragment`(${`${month}-01T00:00:00Z`})::timestamptz`;
  return await db.any(sql.type(SitemapPage)`
    SELECT a.handle, c.slug, ${modifiedAt} AS modified_at
    ${creations} AND c.first_published_at >= ${start} AND c.first_published_at < ${start} + interval '1 month'
    ORDER BY c.first_published_at, c.id LIMIT ${part.limit} OFFSET ${part.offset}`);
}

/** One page of the agents with an open front page that were connected in a month. */
export async function listAgentsOfMonth(db: Db, month: string, part: { limit: number; offset: number }) {
  return await db.any(sql.type(SitemapPage)`
    SELECT a.handle, NULL AS slug, w.modified_at
    ${agents} AND ${agentMonth} = ${month}
    ORDER BY a.id LIMIT ${part.limit} OFFSET ${part.offset}`);
}
