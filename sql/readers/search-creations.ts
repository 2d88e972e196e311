import { z } from "zod";
import { type Db, type Pool, sql, type Tx, texts } from "../connection/pool.ts";
import { agentIsOpen } from "./open-to-readers.ts";
import { type CreationFilter, passes, readLimits, readLimitsOfList } from "./search-filter.ts";
import { countTerm, type Field, listAll, listNewest, listNewestAnywhere, MOST_HITS } from "./search-lists.ts";
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
import { hasCommonWord, readGuess } from "./search-window.ts";

interface MeasuredHits extends Hits {
  /** Counted up to one more than MOST_HITS; where all hits of the term are fewer, their number. */
  size: number;
}

const Id = z.strictObject({ id: z.string() });

const FoundRow = z.strictObject({ total: z.number(), ids: z.array(z.string()) });

export type Found = z.infer<typeof FoundRow>;

/** How many of the newest hits of a larger set are ranked. */
const NEWEST_OF_MANY = 2_000;

/** Raises a word's weight above all weights of words that occur in very many works. */
const RARE_WORD = 1_048_576;

/**
 * Creations that contain at least one of the terms, the best match first, then the newest; retracted ones last. Datasets with a column of
 * that name come first, then works with all terms. Hits in titles
 * rank before hits of the publisher's name, in summaries and anywhere, and more words before fewer. A word
 * that occurs in very many works says little: rarer words rank before it, and only the newest of its hits in
 * one place are ranked.
 */
export async function findCreations(
  pool: Pool,
  sought: SoughtTerms,
  filter: CreationFilter,
  part: { limit: number; offset: number; isWindowed: boolean },
): Promise<Found> {
  return await pool.transaction(async (tx) => {
    const limits = await readLimits(tx, filter);
    const words = sought.words.flatMap(({ title, summary, any }) => [title, summary, any]);
    const guess = part.isWindowed ? await readGuess(tx, limits.works, words) : null;
    const field = { limits, guess };
    await keepToWordIndex(tx);
    const terms = await listTerms(tx, sought);
    const count = terms.length;
    const byTerm = [...terms.map(({ hits }) => hits), listColumnHits(sought)];
    if (part.isWindowed && !hasCommonWord(guess)) {
      const few = await rankFew(tx, byTerm, field, part);
      if (few !== null) return few;
    }
    const sets = await measureHits(tx, byTerm, field);
    if (sets.every(({ size }) => size <= MOST_HITS)) {
      return await rankHits(
        tx,
        sets.filter(({ size }) => size > 0).map((hits) => listAll(hits, field)),
        { ...part, terms: count },
      );
    }
    const lists = chooseLists(terms, sets, field, part.offset + part.limit);
    const { ids } = await rankHits(tx, lists, { ...part, terms: count });
    return { total: MOST_HITS, ids };
  });
}

/**
 * Ranks the hits as those of rare words, without counting them first; null where they are more than are ranked
 * completely. Where all together are not, no set of them is.
 */
async function rankFew(
  tx: Tx,
  byTerm: readonly Hits[][],
  field: Field,
  part: { limit: number; offset: number },
): Promise<Found | null> {
  const sets = byTerm.flat().map((hits) => ({ ...hits, weight: weigh(hits, true) }));
  const lists = sets.map((hits) => listAll(hits, field, MOST_HITS + 1));
  const found = await rankHits(tx, lists, { ...part, terms: byTerm.length - 1 });
  return found.total > MOST_HITS ? null : found;
}

function weigh({ weight }: Hits, isRare: boolean): number {
  return weight * (isRare && weight < COLUMN ? RARE_WORD : 1);
}

/**
 * Selects the lists that fill the pages up to one that needs `needed` works; lists that only add to these are
 * left out.
 */
function chooseLists(
  terms: readonly Term[],
  sets: readonly MeasuredHits[],
  field: Field,
  needed: number,
): Fragment[] {
  const small = sets.filter(({ size }) => size > 0 && size <= MOST_HITS);
  const large = sets.filter(({ size, weight, isAny }) => size > MOST_HITS && weight > WEIGHTS.any && !isAny);
  const lists = small.map((hits) => listAll(hits, field));
  let filled = Math.max(0, ...small.map(({ size }) => size));
  for (const hits of large.sort((a, b) => b.weight - a.weight)) {
    if (filled >= needed) break;
    lists.push(listNewest(hits, field, NEWEST_OF_MANY));
    filled = Math.max(filled, NEWEST_OF_MANY);
  }
  const hasRare = sets.some(({ weight, isAny }) => isAny && weight >= RARE_WORD);
  // Without a large list of works with one term, the lists themselves tell which works have all terms. Finding the works
  // that have several very common words takes 200 ms more, and says little.
  const isCounted = sets.every(({ size, isAny }) => !isAny || size <= MOST_HITS);
  if (terms.length > 1 && !isCounted && (hasRare || filled < needed)) {
    lists.push(listNewest(matchEverywhere(terms), field, NEWEST_OF_MANY));
  }
  if (filled < needed) lists.push(listNewestAnywhere(terms, field, needed));
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

/** Counts hits up to one more than are ranked completely, and raises the weights of words that occur in few works. */
async function measureHits(tx: Tx, byTerm: readonly Hits[][], field: Field): Promise<MeasuredHits[]> {
  const counts = byTerm
    .filter((sets) => sets.length > 0)
    .map((sets) => sql.fragment`(${countTerm(sets, field)})`);
  const sizes = await tx.oneFirst(sql.type(z.strictObject({ sizes: z.array(z.number()) }))`
    SELECT ${sql.join(counts, sql.fragment` || `)} AS sizes`);
  let at = 0;
  return byTerm.flatMap((sets) => {
    const measured = sets.map((hits) => ({ ...hits, size: sizes[at++] ?? 0 }));
    const isRare = measured.every(({ size }) => size <= MOST_HITS);
    return measured.map((hits) => ({ ...hits, weight: weigh(hits, isRare) }));
  });
}

async function rankHits(
  tx: Tx,
  lists: readonly Fragment[],
  part: { limit: number; offset: number; terms: number },
): Promise<Found> {
  if (lists.length === 0) return { total: 0, ids: [] };
  const bonus =
    part.terms > 1
      ? sql.fragment`CASE WHEN sum(h.terms) >= ${part.terms} THEN ${ALL_TERMS}::float8 ELSE 0 END`
      : sql.fragment`0`;
  return await tx.one(sql.type(FoundRow)`
    WITH hits AS (${sql.join(lists, sql.fragment` UNION ALL `)}),
      ranked AS MATERIALIZED (
        SELECT h.id, min(h.first_published_at) AS first_published_at, bool_or(h.retracted) AS retracted, sum(h.weight) + ${bonus} AS score
        FROM hits h GROUP BY h.id),
      page AS (
        SELECT r.id, row_number() OVER () AS place FROM (
          SELECT id FROM ranked ORDER BY retracted, score DESC, first_published_at DESC, id DESC
          LIMIT ${part.limit} OFFSET ${part.offset}) r)
    SELECT (SELECT count(*) FROM ranked) AS total, ARRAY(
      SELECT s.creation_id FROM page JOIN search_creations s ON s.id = page.id ORDER BY page.place) AS ids`);
}

/** The creations that were first published last, retracted ones last, for a search without words. */
export async function listNewestCreations(
  db: Db,
  filter: CreationFilter,
  part: { limit: number; offset: number },
): Promise<Found> {
  const conditions = passes(await readLimitsOfList(db, filter));
  const list = (condition: Fragment) => sql.fragment`
    (SELECT s.creation_id, s.first_published_at, s.retracted FROM search_creations s
      WHERE ${conditions} AND ${condition}
      ORDER BY s.first_published_at DESC, s.creation_id DESC LIMIT ${part.limit + part.offset})`;
  return await db.one(sql.type(FoundRow)`
    SELECT (SELECT count(*) FROM (
        SELECT FROM search_creations s WHERE ${conditions} LIMIT ${MOST_HITS}) few) AS total,
      ARRAY(SELECT n.creation_id FROM (${list(sql.fragment`NOT s.retracted`)} UNION ALL ${list(sql.fragment`s.retracted`)}) n
        ORDER BY n.retracted, n.first_published_at DESC, n.creation_id DESC
        LIMIT ${part.limit} OFFSET ${part.offset}) AS ids`);
}

/** The agent of a handle whose front page readers may open. */
export async function findOpenAgentId(db: Db, handle: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(Id)`
    SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id WHERE a.handle = ${handle} AND ${agentIsOpen}`);
}
