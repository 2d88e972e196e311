import { z } from "zod";
import { type Db, type Fragment, Id, type Pool, sql, type Tx } from "../connection/pool.ts";
import { type FoundPage, listFoundCreations, readFoundPage } from "./found-creations.ts";
import { agentIsOpen } from "./open-to-readers.ts";
import { type CreationFilter, limitList, passes, readLimits, type SearchedSite } from "./search-filter.ts";
import {
  type CountedHits,
  countTerm,
  type Field,
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
import { type Guess, hasCommonWord, isLikelyFewer } from "./search-window.ts";

interface MeasuredHits extends CountedHits {
  /** Counted up to one more than MOST_HITS; where all hits of the term are fewer, their number. */
  size: number;
}

const FoundRow = z.strictObject({ total: z.number(), ids: z.array(z.string()) });

export type Found = z.infer<typeof FoundRow>;

/** How many of the newest hits of a larger set are ranked. */
const NEWEST_OF_MANY = 2_000;

/** So many works are mostly filled by the hits of one of several terms in one place. */
const FIRST_PAGES = 100;

/**
 * Lets the planner use bitmaps of the word index only, until the transaction ends. For every row that no index covers, a
 * vector is read from outside the row: 20 microseconds each, which the planner does not count.
 */
const BITMAPS_ONLY = sql.fragment`
  SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
    set_config('enable_indexonlyscan', 'off', true), set_config('jit', 'off', true)`;

const NONE: Found = { total: 0, ids: [] };

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
  const byTerm = [...terms.map(({ hits }) => hits), listColumnHits(sought)];
  if (!hasCommonWord(field.guess)) {
    const few = await rankFew(tx, byTerm, field, part);
    if (few !== null) return few;
  }
  const isAssuming = terms.length > 1 && part.offset + part.limit <= FIRST_PAGES;
  const all = { terms, byTerm };
  const found = isAssuming ? await rankMeasured(tx, all, { field, isAssuming }, part) : null;
  return found ?? (await rankMeasured(tx, all, { field, isAssuming: false }, part)) ?? NONE;
}

/**
 * Measures the hits, and ranks those that fill the page. Hits in one place of a term that stands in very many works are
 * mostly neither too many nor too few: assuming so saves a count of them, and null says that it was wrong.
 */
async function rankMeasured(
  db: Db,
  { terms, byTerm }: { terms: readonly Term[]; byTerm: readonly Hits[][] },
  { field, isAssuming }: { field: Field; isAssuming: boolean },
  part: { limit: number; offset: number },
): Promise<Found | null> {
  const sets = await measureHits(db, byTerm, { field, isAssuming });
  const order = { ...part, terms: terms.length };
  const needed = part.offset + part.limit;
  const small = sets.filter(({ size }) => size > 0 && size <= MOST_HITS);
  if (sets.every(({ size }) => size <= MOST_HITS)) {
    const all = small.map((hits) => listAll(hits, field));
    const { total, ids } = await rankHits(db, all, order);
    return { total, ids };
  }
  const chosen = chooseLarge(terms, sets, needed);
  const lists = small.filter(({ isAssumed }) => !isAssumed).map((hits) => listAll(hits, field));
  const assumed = small.filter(({ isAssumed }) => isAssumed);
  const few = assumed.map((hits) => listAll(hits, field, MOST_HITS + 1));
  const large = listLarge(terms, chosen, field, needed);
  const { ids, sizes } = await rankHits(db, [...lists, ...large], order, few);
  const counted = sets.map((hits) => ({ ...hits, size: sizes[assumed.indexOf(hits)] ?? hits.size }));
  const isRight = isSame(chooseLarge(terms, counted, needed), chosen);
  return isRight && sizes.every((size) => size <= MOST_HITS) ? { total: MOST_HITS, ids } : null;
}

/**
 * Ranks the hits as those of rare words, without counting them first; null where they are more than are ranked
 * completely. Where all together are not, no set of them is.
 */
async function rankFew(
  db: Db,
  byTerm: readonly Hits[][],
  field: Field,
  part: { limit: number; offset: number },
): Promise<Found | null> {
  const sets = byTerm.flat().map((hits) => ({ ...hits, weight: weigh(hits, true) }));
  const lists = sets.map((hits) => listAll(hits, field, MOST_HITS + 1));
  const { total, ids } = await rankHits(db, lists, { ...part, terms: byTerm.length - 1 });
  return total > MOST_HITS ? null : { total, ids };
}

function weigh({ weight }: Hits, isRare: boolean): number {
  return weight * (isRare && weight < COLUMN ? RARE_WORD : 1);
}

/** What is listed of sets that are not ranked completely. */
interface Chosen {
  sets: readonly Hits[];
  isEverywhere: boolean;
  isAnywhere: boolean;
}

function isSame(one: Chosen, other: Chosen): boolean {
  return (
    one.sets.length === other.sets.length &&
    one.isEverywhere === other.isEverywhere &&
    one.isAnywhere === other.isAnywhere
  );
}

/**
 * Selects the lists that fill the pages up to one that needs `needed` works, beside those of small sets; lists that only
 * add to these are left out.
 */
function chooseLarge(terms: readonly Term[], sets: readonly MeasuredHits[], needed: number): Chosen {
  const large = sets.filter(({ size, weight, isAny }) => size > MOST_HITS && weight > WEIGHTS.any && !isAny);
  const chosen: Hits[] = [];
  let filled = Math.max(0, ...sets.filter(({ size }) => size <= MOST_HITS).map(({ size }) => size));
  for (const hits of large.sort((a, b) => b.weight - a.weight)) {
    if (filled >= needed) break;
    chosen.push(hits);
    filled = Math.max(filled, NEWEST_OF_MANY);
  }
  const hasRare = sets.some(({ weight, isAny }) => isAny && weight >= RARE_WORD);
  // Without a large list of works with one term, the lists themselves tell which works have all terms. Finding the works
  // that have several very common words takes 200 ms more, and says little.
  const isCounted = sets.every(({ size, isAny }) => !isAny || size <= MOST_HITS);
  const isEverywhere = terms.length > 1 && !isCounted && (hasRare || filled < needed);
  return { sets: chosen, isEverywhere, isAnywhere: filled < needed };
}

function listLarge(terms: readonly Term[], chosen: Chosen, field: Field, needed: number): Fragment[] {
  return [
    ...chosen.sets.map((hits) => listNewest(hits, field, NEWEST_OF_MANY)),
    ...(chosen.isEverywhere ? [listNewest(matchEverywhere(terms), field, NEWEST_OF_MANY)] : []),
    ...(chosen.isAnywhere ? [listNewestAnywhere(terms, field, needed)] : []),
  ];
}

/** Counts hits up to one more than are ranked completely, and raises the weights of words that occur in few works. */
async function measureHits(
  db: Db,
  byTerm: readonly Hits[][],
  { field, isAssuming }: { field: Field; isAssuming: boolean },
): Promise<MeasuredHits[]> {
  const isFew = ({ words, isAny }: Hits) =>
    isAssuming && isAny !== true && isLikelyFewer(field.guess, words, MOST_HITS);
  const terms = byTerm.map((sets) => sets.map((hits) => ({ ...hits, isAssumed: isFew(hits) })));
  const counts = terms
    .filter((sets) => sets.length > 0)
    .map((sets) => sql.fragment`(${countTerm(sets, field)})`);
  const sizes = await db.oneFirst(sql.type(z.strictObject({ sizes: z.array(z.number()) }))`
    SELECT ${sql.join(counts, sql.fragment` || `)} AS sizes`);
  let at = 0;
  return terms.flatMap((sets) => {
    const measured = sets.map((hits) => ({ ...hits, size: sizes[at++] ?? 0 }));
    const isRare = measured.every(({ size }) => size <= MOST_HITS);
    return measured.map((hits) => ({ ...hits, weight: weigh(hits, isRare) }));
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
