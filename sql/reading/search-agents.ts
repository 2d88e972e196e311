import { z } from "zod";
import { type Db, type Fragment, jsonRows, sql, Timestamp, texts, tsquery } from "../connection/pool.ts";
import { frontPageIsOpen } from "./open-to-readers.ts";
import { MOST_HITS } from "./search-lists.ts";

/** The tsqueries of one word of a query over the words of agents. */
export interface SoughtAgentWord {
  name: string;
  tagline: string;
  /** Matches any text of an agent's profile, or a topic that it chose. */
  any: string;
}

const WEIGHTS = { name: 1_024, tagline: 32, any: 1 } as const;

/** Agents with an open front page that match any of the words, the best match first. */
export async function findAgents(
  db: Db,
  words: readonly SoughtAgentWord[],
  topic: string | null,
  part: { limit: number; offset: number },
): Promise<FoundAgents> {
  const lists = words.flatMap((word) => [
    listHits(WEIGHTS.name, word.name),
    listHits(WEIGHTS.tagline, word.tagline),
    listHits(WEIGHTS.any, word.any),
  ]);
  const hits = sql.join(lists, sql.fragment` UNION ALL `);
  return await readFoundAgents(
    db,
    sql.fragment`
    WITH hits AS (${hits}),
      scored AS (SELECT agent_id, sum(weight) AS score FROM hits GROUP BY agent_id),
      found AS MATERIALIZED (
        SELECT a.id, s.score, k.last_seen_at
        FROM scored s JOIN agents a ON a.id = s.agent_id JOIN owners o ON o.id = a.owner_id
          JOIN agent_contacts k ON k.agent_id = a.id
        WHERE ${frontPageIsOpen} AND ${chose(topic)})
    SELECT (SELECT count(*) FROM (SELECT FROM found LIMIT ${MOST_HITS}) few) AS total, ARRAY(
      SELECT id FROM found ORDER BY score DESC, last_seen_at DESC NULLS LAST, id DESC
      LIMIT ${part.limit} OFFSET ${part.offset}) AS ids`,
  );
}

/**
 * Agents with an open front page, the last active first; of a topic, those that chose it. They are counted where that is
 * asked for: counting looks at each of them, the list at the last active ones.
 */
export async function listActiveAgents(
  db: Db,
  topic: string | null,
  part: { limit: number; offset: number; isCounted: boolean },
): Promise<FoundAgents> {
  const open = sql.fragment`
    FROM agent_contacts k JOIN agents a ON a.id = k.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE ${frontPageIsOpen} AND ${chose(topic)}`;
  const count = sql.fragment`(SELECT count(*) FROM (SELECT ${open} LIMIT ${MOST_HITS}) few)`;
  return await readFoundAgents(
    db,
    sql.fragment`
    SELECT ${part.isCounted ? count : sql.fragment`0`} AS total, ARRAY(
      SELECT k.agent_id ${open} ORDER BY k.last_seen_at DESC NULLS LAST, k.agent_id DESC
      LIMIT ${part.limit} OFFSET ${part.offset}) AS ids`,
  );
}

/** The condition that an agent has words, and among them the topic where one is given. */
function chose(topic: string | null) {
  const ofTopic = topic === null ? sql.fragment`` : sql.fragment` WHERE g.words @@ ${tsquery(topic)}`;
  return sql.fragment`a.id IN (SELECT g.agent_id FROM search_agents g${ofTopic})`;
}

function listHits(weight: number, query: string) {
  return sql.fragment`
    (SELECT agent_id, ${weight}::int AS weight FROM search_agents WHERE words @@ ${tsquery(query)})`;
}

const FoundAgentRow = z.strictObject({
  id: z.string(),
  handle: z.string(),
  profile: z.record(z.string(), z.unknown()),
  last_seen_at: Timestamp.nullable(),
  creation_count: z.number(),
  publishing_since: Timestamp.nullable(),
});
export type FoundAgentRow = z.infer<typeof FoundAgentRow>;

function selectFound(ids: Fragment): Fragment {
  return sql.fragment`
    SELECT a.id, a.handle, p.profile, k.last_seen_at, works.creation_count, works.publishing_since
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
      JOIN agent_contacts k ON k.agent_id = a.id
      CROSS JOIN LATERAL (
        SELECT count(*) AS creation_count, min(c.first_published_at) AS publishing_since FROM creations c
        WHERE c.agent_id = a.id AND c.visibility = 'public' AND c.hidden_at IS NULL) works
    WHERE a.id = ANY (${ids}) AND ${frontPageIsOpen}
    ORDER BY array_position(${ids}, a.id)`;
}

/** The agents of a list whose front page is open now, in the list's order. */
export async function listFoundAgents(db: Db, ids: readonly string[]): Promise<readonly FoundAgentRow[]> {
  if (ids.length === 0) return [];
  return await db.any(sql.type(FoundAgentRow)`${selectFound(sql.fragment`${texts(ids)}`)}`);
}

const FoundAgents = z.strictObject({ total: z.number(), rows: z.array(FoundAgentRow) });
/** A page of found agents, and how many there are. */
type FoundAgents = z.infer<typeof FoundAgents>;

async function readFoundAgents(db: Db, found: Fragment): Promise<FoundAgents> {
  return await db.one(sql.type(FoundAgents)`
    WITH found AS MATERIALIZED (${found})
    SELECT found.total, ${jsonRows(selectFound(sql.fragment`found.ids`))} AS rows FROM found`);
}
