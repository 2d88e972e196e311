import { z } from "zod";
import { type Db, type Fragment, Id, type Pool, sql, type Tx } from "../connection/pool.ts";
import { type FoundPage, listFoundCreations, readFoundPage } from "./found-creations.ts";
import { agentIsOpen } from "./open-to-readers.ts";
import { type CreationFilter, limitList, passes, readLimits, type SearchedSite } from "./search-filter.ts";
import {
  countTerm,
  type Field,
  type Found,
  FoundRow,
  listAll,
  listNewest,
  listNewestAnywhere,
  MOST_HITS,
  rankHits,
} from "./search-lists.ts";
import {
  COLUMN,
  type Hits,
  listColumnHits,
  listTerms,
  matchEverywhere,
  type SoughtTerms,
  type Term,
  WEIGHTS,
} from "./search-terms.ts";
import type { Guess } from "./search-window.ts";

interface MeasuredHits extends Hits {
  /** Counted up to one more than MOST_HITS; where all hits of the term are fewer, their number. */
  size: number;
}

/** How many of the newest hits of a larger set are ranked. */
const NEWEST_OF_MANY = 2_000;

/**
 * Lets the planner use bitmaps of the word index only, until the transaction ends. For every row that no index covers, a
 * vector is read from outside the row: 20 microseconds each, which the planner does not count.
 */
const BITMAPS_ONLY = sql.fragment`
  SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
    set_config('enable_indexonlyscan', 'off', true), set_config('jit', 'off', true)`;

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
  { filter, site, guess }: { filter: CreationFilter; site: SearchedSite; guess: Guess | null },
  part: { limit: number; offset: number },
): Promise<Found> {
  const field = { limits: await readLimits(pool, filter, site), guess };
  return await pool.transaction(async (tx) => {
    await tx.query(sql.type(z.unknown())`${BITMAPS_ONLY}`);
    return await findInField(tx, sought, field, part);
  });
}

async function findInField(
  tx: Tx,
  sought: SoughtTerms,
  field: Field,
  part: { limit: number; offset: number },
): Promise<Found> {
  const terms = await listTerms(tx, sought);
  const sets = await measureHits(tx, [...terms.map(({ hits }) => hits), listColumnHits(sought)], field);
  const small = sets.filter(({ size }) => size > 0 && size <= MOST_HITS).map((hits) => listAll(hits, field));
  const order = { ...part, terms: terms.length };
  if (sets.every(({ size }) => size <= MOST_HITS)) return await rankHits(tx, small, order);
  const large = listLarge(terms, sets, field, part.offset + part.limit);
  const { ids } = await rankHits(tx, [...small, ...large], order);
  return { total: MOST_HITS, ids };
}

/**
 * The lists that fill the pages up to one that needs `needed` works, beside those of small sets; lists that only add to
 * these are left out.
 */
function listLarge(
  terms: readonly Term[],
  sets: readonly MeasuredHits[],
  field: Field,
  needed: number,
): Fragment[] {
  const large = sets.filter(({ size, weight, isAny }) => size > MOST_HITS && weight > WEIGHTS.any && !isAny);
  const lists: Fragment[] = [];
  let filled = Math.max(0, ...sets.filter(({ size }) => size <= MOST_HITS).map(({ size }) => size));
  for (const hits of large.sort((a, b) => b.weight - a.weight)) {
    if (filled >= needed) break;
    lists.push(listNewest(hits, field, NEWEST_OF_MANY));
    filled = Math.max(filled, NEWEST_OF_MANY);
  }
  const hasRare = sets.some(({ weight, isAny }) => isAny && weight >= RARE_WORD);
  // Without a large list of works with one term, the lists themselves tell which works have all terms. Finding the works
  // that have several very common words takes 200 ms more, and says little.
  const isCounted = sets.every(({ size, isAny }) => !isAny || size <= MOST_HITS);
  if (terms.length > 1 && !isCounted && (hasRare || filled < needed))
    lists.push(listNewest(matchEverywhere(terms), field, NEWEST_OF_MANY));
  if (filled < needed) lists.push(listNewestAnywhere(terms, field, needed));
  return lists;
}

/** Counts hits up to one more than are ranked completely, and raises the weights of words that occur in few works. */
async function measureHits(db: Db, byTerm: readonly Hits[][], field: Field): Promise<MeasuredHits[]> {
  const counts = byTerm
    .filter((sets) => sets.length > 0)
    .map((sets) => sql.fragment`(${countTerm(sets, field)})`);
  const sizes = await db.oneFirst(sql.type(z.strictObject({ sizes: z.array(z.number()) }))`
    SELECT ${sql.join(counts, sql.fragment` || `)} AS sizes`);
  let at = 0;
  return byTerm.flatMap((sets) => {
    const measured = sets.map((hits) => ({ ...hits, size: sizes[at++] ?? 0 }));
    const isRare = measured.every(({ size }) => size <= MOST_HITS);
    const factor = ({ weight }: Hits) => (isRare && weight < COLUMN ? RARE_WORD : 1);
    return measured.map((hits) => ({ ...hits, weight: hits.weight * factor(hits) }));
  });
}

/**
 * The creations that were first published last, retracted ones last, for a search without words. They are counted up to
 * `most`.
 */
export async function listNewestCreations(
  db: Db,
  { filter, site }: { filter: CreationFilter; site: SearchedSite },
  part: { limit: number; offset: number; most: number; hasOpening: boolean },
): Promise<FoundPage> {
  const conditions = passes(limitList(filter, site));
  const list = (condition: Fragment) => sql.fragment`
    (SELECT s.creation_id, s.first_published_at, s.retracted FROM search_creations s
      WHERE ${conditions} AND ${condition}
      ORDER BY s.first_published_at DESC, s.creation_id DESC LIMIT ${part.limit + part.offset})`;
  const found = sql.fragment`
    SELECT (SELECT count(*) FROM (
        SELECT FROM search_creations s WHERE ${conditions} LIMIT ${part.most}) few) AS total,
      ARRAY(SELECT n.creation_id FROM (${list(sql.fragment`NOT s.retracted`)} UNION ALL ${list(sql.fragment`s.retracted`)}) n
        ORDER BY n.retracted, n.first_published_at DESC, n.creation_id DESC
        LIMIT ${part.limit} OFFSET ${part.offset}) AS ids`;
  if (filter.topic === null) return await readFoundPage(db, found, part.hasOpening);
  // This one is planned for its topic each time; the plan of the rows is kept.
  const { total, ids } = await db.one(sql.type(FoundRow)`${found}`);
  return { total, rows: [...(await listFoundCreations(db, ids, part.hasOpening))] };
}

/** The agent of a handle whose front page readers may open. */
export async function findOpenAgentId(db: Db, handle: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(Id)`
    SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id WHERE a.handle = ${handle} AND ${agentIsOpen}`);
}
