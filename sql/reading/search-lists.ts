import { z } from "zod";
import { type Db, type Fragment, sql, tsquery } from "../connection/pool.ts";
import { type Limits, selectHits } from "./search-filter.ts";
import { ALL_TERMS, type Hits, type Term } from "./search-terms.ts";
import { type Guess, openWindow } from "./search-window.ts";

/** The size at which a set of hits stops being ranked completely and counted: larger sets say little. */
export const MOST_HITS = 10_000;

/** What hits are looked for in. */
export interface Field {
  limits: Limits;
  guess: Guess | null;
}

/**
 * The sizes of a term's sets. Its hits in one place are some of those anywhere: they are counted only where those are
 * too many, and PostgreSQL begins a count only when a case needs it.
 */
export function countTerm(sets: readonly Hits[], field: Field): Fragment {
  const counts = sets.map((hits) => countHits(hits, field));
  const list = (sizes: Fragment[]) => sql.fragment`ARRAY[${sql.join(sizes, sql.fragment`, `)}]`;
  const anywhere = sets.findIndex(({ isAny }) => isAny === true);
  if (anywhere === -1) return sql.fragment`SELECT ${list(counts)}`;
  const size = sql.fragment`t.size`;
  return sql.fragment`
    SELECT CASE WHEN t.size <= ${MOST_HITS} THEN ${list(sets.map(() => size))}
      ELSE ${list(counts.map((count, place) => (place === anywhere ? size : count)))} END
    FROM (SELECT ${counts[anywhere] ?? size} AS size OFFSET 0) t`;
}

/** Counts up to one more than are ranked completely: first in the window, which mostly has that many of a common word. */
function countHits({ match, words }: Hits, { limits, guess }: Field): Fragment {
  const count = (condition: Fragment) => sql.fragment`
    (SELECT count(*)::int FROM (SELECT FROM ${selectHits(condition, limits)} LIMIT ${MOST_HITS + 1}) few)`;
  const window = openWindow(guess, words, MOST_HITS + 1);
  if (window === null) return count(match);
  return sql.fragment`
    (SELECT CASE WHEN n.size > ${MOST_HITS} THEN n.size ELSE ${count(match)} END
      FROM (SELECT ${count(sql.fragment`${matchWords(words)} AND ${window}`)} AS size OFFSET 0) n)`;
}

/** The condition that a work has all of the words, as one tsquery, which the index answers alone. */
export function matchWords(words: readonly string[] = []): Fragment {
  return sql.fragment`s.words @@ ${tsquery(words.join(" & "))}`;
}

/** Whole numbers up to 2^53 are exact in float8, and are added much faster than in numeric, the type of sums of bigint. */
function scoreHits(weight: number, terms: number): Fragment {
  return sql.fragment`s.id, s.first_published_at, s.retracted, ${weight}::float8 AS weight, ${terms}::int AS terms`;
}

/** All hits of a set. */
export function listAll({ weight, match, isAny = false }: Hits, { limits }: Field): Fragment {
  return sql.fragment`(SELECT ${scoreHits(weight, isAny ? 1 : 0)} FROM ${selectHits(match, limits)})`;
}

/** The newest hits of a set: those of the window, or, where they are too few, the newest of all. */
export function listNewest({ weight, match, words }: Hits, { limits, guess }: Field, most: number): Fragment {
  const all = newest(weight, match, limits, most);
  const window = openWindow(guess, words, most);
  if (window === null) return sql.fragment`(${all()})`;
  const near = newest(weight, sql.fragment`${matchWords(words)} AND ${window}`, limits, most);
  return sql.fragment`
    (WITH near AS MATERIALIZED (${near()})
      SELECT * FROM near WHERE ${suffices(most)} UNION ALL (${all(sql.fragment`NOT ${suffices(most)}`)}))`;
}

/**
 * The newest works with any of the terms. Those with a word are looked for in the window of the commonest, and those by
 * a publisher with the word beside them: of one condition with OR, the planner would test the words row by row.
 */
export function listNewestAnywhere(terms: readonly Term[], field: Field, most: number): Fragment {
  const { limits, guess } = field;
  const anywhere = terms.map((term) => term.anywhere);
  const all = newest(0, sql.fragment`(${sql.join(anywhere, sql.fragment` OR `)})`, limits, most);
  const words = terms.flatMap((term) => term.words ?? []);
  const shareOf = (word: string) => guess?.shares.get(word) ?? 0;
  const commonest = words.toSorted((a, b) => shareOf(b) - shareOf(a)).slice(0, 1);
  const window = openWindow(guess, commonest, most);
  if (window === null || words.length < terms.length) return sql.fragment`(${all()})`;
  const publishers = terms.flatMap((term) => term.publishers ?? []);
  const any = sql.fragment`s.words @@ ${tsquery(words.join(" | "))}`;
  const near = newest(0, sql.fragment`${any} AND ${window}`, limits, most);
  const by = newest(0, sql.fragment`(${sql.join(publishers, sql.fragment` OR `)})`, limits, most);
  return sql.fragment`
    (WITH near AS MATERIALIZED (${near()})
      (SELECT * FROM (SELECT * FROM near UNION (${by()})) s WHERE ${suffices(most)} ${newestFirst(most)})
      UNION ALL (${all(sql.fragment`NOT ${suffices(most)}`)}))`;
}

/** PostgreSQL asks this once, and reads nothing of a part that it rules out. */
function suffices(most: number): Fragment {
  return sql.fragment`(SELECT count(*) >= ${most} FROM near)`;
}

function newest(weight: number, condition: Fragment, limits: Limits, most: number) {
  return (when = sql.fragment`true`) => sql.fragment`
    SELECT ${scoreHits(weight, 0)} FROM ${selectHits(condition, limits)} WHERE ${when} ${newestFirst(most)}`;
}

function newestFirst(most: number): Fragment {
  return sql.fragment`ORDER BY s.first_published_at DESC, s.id DESC LIMIT ${most}`;
}

/** A page of works, and how many there are. */
export const FoundRow = z.strictObject({ total: z.number(), ids: z.array(z.string()) });
export type Found = z.infer<typeof FoundRow>;

/** One page of the works of lists, the highest sum of weights first. */
export async function rankHits(
  db: Db,
  lists: readonly Fragment[],
  part: { limit: number; offset: number; terms: number },
): Promise<Found> {
  if (lists.length === 0) return { total: 0, ids: [] };
  const bonus =
    part.terms > 1
      ? sql.fragment`CASE WHEN sum(h.terms) >= ${part.terms} THEN ${ALL_TERMS}::float8 ELSE 0 END`
      : sql.fragment`0`;
  return await db.one(sql.type(FoundRow)`
    WITH hits AS (${sql.join([...lists], sql.fragment` UNION ALL `)}),
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
