import { z } from "zod";
import { type Db, type Pool, sql, type Tx, texts } from "../connection/pool.ts";
import { agentIsOpen } from "./open-to-readers.ts";

type Fragment = ReturnType<typeof sql.fragment>;

/** The tsqueries of one word of a query over the words of creations and of their publishers. */
export interface SoughtWord {
  title: string;
  summary: string;
  any: string;
  publisherName: string;
  publisherTopics: string[];
}

export interface CreationFilter {
  type: string | null;
  hasSources: boolean | null;
  /** A tsquery over the words of publishers. */
  topic: string | null;
}

/** The works that contain a word in one place; the weights keep the places apart for up to thirty words. */
interface Hits {
  weight: number;
  match: Fragment;
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

const WEIGHTS = { title: 32_768, publisher: 1_024, summary: 32, any: 1 } as const;

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
 * Creations that contain at least one of the words, the best match first, then the newest. Hits in titles
 * rank before hits of the publisher's name, in summaries and anywhere, and more words before fewer. A word
 * that occurs in very many works says little: rarer words rank before it, and only the newest of its hits in
 * one place are ranked.
 */
export async function findCreations(
  pool: Pool,
  words: readonly SoughtWord[],
  filter: CreationFilter,
  part: { limit: number; offset: number },
): Promise<Found> {
  return await pool.transaction(async (tx) => {
    const limits = await readLimits(tx, filter);
    await keepToWordIndex(tx);
    const sets = await measureHits(tx, words.map(listHits), limits);
    if (sets.every(({ size }) => size <= MOST_HITS)) {
      return await rankHits(
        tx,
        sets.filter(({ size }) => size > 0).map((hits) => listAll(hits, limits)),
        part,
      );
    }
    const { ids } = await rankHits(tx, chooseLists(words, sets, limits, part.offset + part.limit), part);
    return { total: MOST_HITS, ids };
  });
}

/**
 * Selects the lists that fill the pages up to one that needs `needed` works; lists that only add to these are
 * left out.
 */
function chooseLists(
  words: readonly SoughtWord[],
  sets: readonly MeasuredHits[],
  limits: Limits,
  needed: number,
): Fragment[] {
  const small = sets.filter(({ size }) => size > 0 && size <= MOST_HITS);
  const large = sets.filter(({ size, weight }) => size > MOST_HITS && weight > WEIGHTS.any);
  const lists = small.map((hits) => listAll(hits, limits));
  let filled = Math.max(0, ...small.map(({ size }) => size));
  for (const hits of large.sort((a, b) => b.weight - a.weight)) {
    if (filled >= needed) break;
    lists.push(listNewest(hits, limits, NEWEST_OF_MANY));
    filled = Math.max(filled, NEWEST_OF_MANY);
  }
  const hasRare = sets.some(({ weight }) => weight >= RARE_WORD);
  if (words.length > 1 && (hasRare || filled < needed)) {
    lists.push(listNewest(matchEverywhere(words), limits, NEWEST_OF_MANY));
  }
  if (filled < needed) lists.push(listNewest({ weight: 0, match: matchAnywhere(words) }, limits, needed));
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

function listHits(word: SoughtWord): Hits[] {
  return [
    { weight: WEIGHTS.title, match: sql.fragment`s.words @@ ${word.title}::tsquery` },
    { weight: WEIGHTS.publisher, match: isBy([word.publisherName]) },
    { weight: WEIGHTS.summary, match: sql.fragment`s.words @@ ${word.summary}::tsquery` },
    { weight: WEIGHTS.any, match: matchAnywhere([word]) },
  ];
}

function matchAnywhere(words: readonly SoughtWord[]): Fragment {
  const publishers = words.flatMap((word) => [word.publisherName, ...word.publisherTopics]);
  const any = words.map((word) => word.any).join(" | ");
  return sql.fragment`(s.words @@ ${any}::tsquery OR ${isBy(publishers)})`;
}

function matchEverywhere(words: readonly SoughtWord[]): Hits {
  // One tsquery, which the index answers alone; with two conditions, rows of the second would be tested one
  // by one.
  const all = words.map((word) => word.any).join(" & ");
  return { weight: WEIGHTS.any * words.length, match: sql.fragment`s.words @@ ${all}::tsquery` };
}

function isBy(queries: readonly string[]): Fragment {
  return sql.fragment`s.agent_id = ANY (ARRAY(
    SELECT g.agent_id FROM search_agents g WHERE g.words @@ ${queries.join(" | ")}::tsquery))`;
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

function passes({ filter: { type, hasSources }, publishers, closed }: Limits): Fragment {
  const conditions = [
    sql.fragment`s.listed`,
    ...(type === null ? [] : [sql.fragment`s.type = ${type}`]),
    ...(hasSources === null ? [] : [sql.fragment`s.has_sources = ${hasSources}`]),
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
    const isRare = measured.every(({ size }) => size <= MOST_HITS);
    return measured.map((hits) => ({ ...hits, weight: hits.weight * (isRare ? RARE_WORD : 1) }));
  });
}

const HIT_COLUMNS = sql.fragment`s.id, s.creation_id, s.first_published_at`;

const NEWEST_FIRST = sql.fragment`s.first_published_at DESC, s.creation_id DESC`;

function listAll({ weight, match }: Hits, limits: Limits): Fragment {
  return sql.fragment`
    (SELECT ${HIT_COLUMNS}, ${weight}::bigint AS weight FROM ${selectHits(match, limits)})`;
}

function listNewest({ weight, match }: Hits, limits: Limits, most: number): Fragment {
  return sql.fragment`
    (SELECT ${HIT_COLUMNS}, ${weight}::bigint AS weight FROM ${selectHits(match, limits)}
      ORDER BY ${NEWEST_FIRST} LIMIT ${most})`;
}

async function rankHits(
  tx: Tx,
  lists: readonly Fragment[],
  part: { limit: number; offset: number },
): Promise<Found> {
  if (lists.length === 0) return { total: 0, ids: [] };
  return await tx.one(sql.type(FoundRow)`
    WITH hits AS (${sql.join(lists, sql.fragment` UNION ALL `)}),
      s AS MATERIALIZED (
        SELECT h.id, min(h.creation_id) AS creation_id, min(h.first_published_at) AS first_published_at,
          sum(h.weight) AS score
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
