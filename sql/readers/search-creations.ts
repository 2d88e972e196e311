import { z } from "zod";
import { at, type Db, type Pool, sql, type Tx, texts } from "../connection/pool.ts";
import { agentIsOpen } from "./open-to-readers.ts";
import {
  ALL_TERMS,
  COLUMN,
  type Fragment,
  type Hits,
  listColumnHits,
  listTerms,
  matchEverywhere,
  type SoughtTerms,
  type Term,
  WEIGHTS,
} from "./search-terms.ts";

export interface CreationFilter {
  type: string | null;
  hasSources: boolean | null;
  hasData: boolean | null;
  agentId: string | null;
  sinceMs: number | null;
  /** A tsquery over the words of publishers. */
  topic: string | null;
}

interface MeasuredHits extends Hits {
  /** Counted up to one more than MOST_HITS. */
  size: number;
}

const Id = z.strictObject({ id: z.string() });

const FoundRow = z.strictObject({ total: z.number(), ids: z.array(z.string()) });

export type Found = z.infer<typeof FoundRow>;

/** The size at which a set of hits stops being ranked completely and counted: larger sets say little. */
export const MOST_HITS = 10_000;

/** How many of the newest hits of a larger set are ranked. */
const NEWEST_OF_MANY = 2_000;

/** Raises a word's weight above all weights of words that occur in very many works. */
const RARE_WORD = 1_048_576;

/** The filter in the form in which rows are tested. */
interface Limits {
  filter: CreationFilter;
  /** Publishers that chose the topic; null without one. */
  publishers: readonly string[] | null;
  /** Publishers that readers may not open now. */
  closed: readonly string[];
}

/**
 * Creations that contain at least one of the terms, the best match first, then the newest. Datasets with a column of
 * that name come first, then works with all terms. Hits in titles
 * rank before hits of the publisher's name, in summaries and anywhere, and more words before fewer. A word
 * that occurs in very many works says little: rarer words rank before it, and only the newest of its hits in
 * one place are ranked.
 */
export async function findCreations(
  pool: Pool,
  sought: SoughtTerms,
  filter: CreationFilter,
  part: { limit: number; offset: number },
): Promise<Found> {
  return await pool.transaction(async (tx) => {
    const limits = await readLimits(tx, filter);
    await keepToWordIndex(tx);
    const terms = await listTerms(tx, sought);
    const count = terms.length;
    const sets = await measureHits(tx, [...terms.map(({ hits }) => hits), listColumnHits(sought)], limits);
    if (sets.every(({ size }) => size <= MOST_HITS)) {
      return await rankHits(
        tx,
        sets.filter(({ size }) => size > 0).map((hits) => listAll(hits, limits)),
        { ...part, terms: count },
      );
    }
    const lists = chooseLists(terms, sets, limits, part.offset + part.limit);
    const { ids } = await rankHits(tx, lists, { ...part, terms: count });
    return { total: MOST_HITS, ids };
  });
}

/**
 * Selects the lists that fill the pages up to one that needs `needed` works; lists that only add to these are
 * left out.
 */
function chooseLists(
  terms: readonly Term[],
  sets: readonly MeasuredHits[],
  limits: Limits,
  needed: number,
): Fragment[] {
  const small = sets.filter(({ size }) => size > 0 && size <= MOST_HITS);
  const large = sets.filter(({ size, weight, isAny }) => size > MOST_HITS && weight > WEIGHTS.any && !isAny);
  const lists = small.map((hits) => listAll(hits, limits));
  let filled = Math.max(0, ...small.map(({ size }) => size));
  for (const hits of large.sort((a, b) => b.weight - a.weight)) {
    if (filled >= needed) break;
    lists.push(listNewest(hits, limits, NEWEST_OF_MANY));
    filled = Math.max(filled, NEWEST_OF_MANY);
  }
  const hasRare = sets.some(({ weight, isAny }) => isAny && weight >= RARE_WORD);
  // Without a large list of works with one term, the lists themselves tell which works have all terms. Finding the works
  // that have several very common words takes 200 ms more, and says little.
  const isCounted = sets.every(({ size, isAny }) => !isAny || size <= MOST_HITS);
  if (terms.length > 1 && !isCounted && (hasRare || filled < needed)) {
    lists.push(listNewest(matchEverywhere(terms), limits, NEWEST_OF_MANY));
  }
  const anywhere = sql.join(
    terms.map(({ anywhere }) => anywhere),
    sql.fragment` OR `,
  );
  if (filled < needed)
    lists.push(listNewest({ weight: 0, match: sql.fragment`(${anywhere})` }, limits, needed));
  return lists;
}

/**
 * Lets the planner use bitmaps of the word index only. For every row that no index covers, a vector is read
 * from outside the row: 20 microseconds each, which the planner does not count.
 */
async function keepToWordIndex(tx: Tx): Promise<void> {
  await tx.query(sql.type(z.unknown())`
    SELECT set_config(name, 'off', true)
    FROM unnest(${texts(["enable_seqscan", "enable_indexscan", "enable_indexonlyscan", "jit"])}) AS name`);
}

/**
 * Few agents are closed, and few chose a topic: testing their ids is faster than joining their owners. Two
 * partial indexes list those that may be closed; agentIsOpen decides about each.
 */
async function readLimits(db: Db, filter: CreationFilter): Promise<Limits> {
  const closed = await db.anyFirst(sql.type(Id)`
    SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id
    WHERE a.id IN (
        SELECT id FROM agents WHERE suspended_at IS NOT NULL OR archived_at IS NOT NULL
        UNION SELECT b.id FROM owners JOIN agents b ON b.owner_id = owners.id WHERE owners.status <> 'active')
      AND a.live_profile_id IS NOT NULL AND NOT ${agentIsOpen}`);
  if (filter.topic === null) return { filter, publishers: null, closed };
  const publishers = await db.anyFirst(sql.type(Id)`
    SELECT agent_id AS id FROM search_agents WHERE words @@ ${filter.topic}::tsquery`);
  return { filter, publishers, closed };
}

function passes({ filter, publishers, closed }: Limits): Fragment {
  const { type, hasSources, hasData, agentId, sinceMs } = filter;
  const conditions = [
    sql.fragment`s.listed`,
    ...(type === null ? [] : [sql.fragment`s.type = ${type}`]),
    ...(hasSources === null ? [] : [sql.fragment`s.has_sources = ${hasSources}`]),
    ...(hasData === null ? [] : [sql.fragment`coalesce(s.has_data, s.type = 'dataset') = ${hasData}`]),
    ...(agentId === null ? [] : [sql.fragment`s.agent_id = ${agentId}`]),
    ...(sinceMs === null ? [] : [sql.fragment`s.first_published_at >= ${at(sinceMs)}`]),
    ...(publishers === null ? [] : [sql.fragment`s.agent_id = ANY (${texts(publishers)})`]),
    ...(closed.length === 0 ? [] : [sql.fragment`s.agent_id <> ALL (${texts(closed)})`]),
  ];
  return sql.fragment`${sql.join(conditions, sql.fragment` AND `)}`;
}

/** Hits that pass the filters; the fence keeps the planner from testing words row by row. */
function selectHits(match: Fragment, limits: Limits): Fragment {
  return sql.fragment`
    (SELECT s.id, s.creation_id, s.first_published_at FROM search_creations s
      WHERE ${passes(limits)} AND ${match} OFFSET 0) s`;
}

/**
 * Counts hits up to one more than are ranked completely, and raises the weights of words that occur in few
 * works.
 */
async function measureHits(tx: Tx, byWord: readonly Hits[][], limits: Limits): Promise<MeasuredHits[]> {
  const counts = byWord.flat().map(
    ({ match }) => sql.fragment`
      (SELECT count(*)::int FROM (SELECT FROM ${selectHits(match, limits)} LIMIT ${MOST_HITS + 1}) few)`,
  );
  const sizes = await tx.oneFirst(sql.type(z.strictObject({ sizes: z.array(z.number()) }))`
    SELECT ARRAY[${sql.join(counts, sql.fragment`, `)}] AS sizes`);
  let at = 0;
  return byWord.flatMap((sets) => {
    const measured = sets.map((hits) => ({ ...hits, size: sizes[at++] ?? 0 }));
    const isRare = measured.every(({ size, weight }) => size <= MOST_HITS && weight < COLUMN);
    return measured.map((hits) => ({ ...hits, weight: hits.weight * (isRare ? RARE_WORD : 1) }));
  });
}

const HIT_COLUMNS = sql.fragment`s.id, s.creation_id, s.first_published_at`;

const NEWEST_FIRST = sql.fragment`s.first_published_at DESC, s.creation_id DESC`;

function listAll({ weight, match, isAny = false }: Hits, limits: Limits): Fragment {
  return sql.fragment`
    (SELECT ${HIT_COLUMNS}, ${weight}::bigint AS weight, ${isAny ? 1 : 0}::int AS terms
      FROM ${selectHits(match, limits)})`;
}

function listNewest({ weight, match }: Hits, limits: Limits, most: number): Fragment {
  return sql.fragment`
    (SELECT ${HIT_COLUMNS}, ${weight}::bigint AS weight, 0 AS terms FROM ${selectHits(match, limits)}
      ORDER BY ${NEWEST_FIRST} LIMIT ${most})`;
}

async function rankHits(
  tx: Tx,
  lists: readonly Fragment[],
  part: { limit: number; offset: number; terms: number },
): Promise<Found> {
  if (lists.length === 0) return { total: 0, ids: [] };
  const bonus =
    part.terms > 1
      ? sql.fragment`CASE WHEN sum(h.terms) >= ${part.terms} THEN ${ALL_TERMS}::bigint ELSE 0 END`
      : sql.fragment`0`;
  return await tx.one(sql.type(FoundRow)`
    WITH hits AS (${sql.join(lists, sql.fragment` UNION ALL `)}),
      s AS MATERIALIZED (
        SELECT h.id, min(h.creation_id) AS creation_id, min(h.first_published_at) AS first_published_at,
          sum(h.weight) + ${bonus} AS score
        FROM hits h GROUP BY h.id)
    SELECT (SELECT count(*) FROM s) AS total, ARRAY(
      SELECT s.creation_id FROM s ORDER BY s.score DESC, ${NEWEST_FIRST}
      LIMIT ${part.limit} OFFSET ${part.offset}) AS ids`);
}

/** The creations that were first published last, for a search without words. */
export async function listNewestCreations(
  db: Db,
  filter: CreationFilter,
  part: { limit: number; offset: number },
): Promise<Found> {
  const conditions = passes(await readLimits(db, filter));
  return await db.one(sql.type(FoundRow)`
    SELECT (SELECT count(*) FROM (
        SELECT FROM search_creations s WHERE ${conditions} LIMIT ${MOST_HITS}) few) AS total,
      ARRAY(SELECT s.creation_id FROM search_creations s WHERE ${conditions}
        ORDER BY ${NEWEST_FIRST} LIMIT ${part.limit} OFFSET ${part.offset}) AS ids`);
}

/** The agent of a handle whose front page readers may open. */
export async function findOpenAgentId(db: Db, handle: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(Id)`
    SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id WHERE a.handle = ${handle} AND ${agentIsOpen}`);
}
