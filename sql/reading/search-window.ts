import { z } from "zod";
import { type Db, type Fragment, sql, texts } from "../connection/pool.ts";

/**
 * The window of searches for common words. The newest hits of a word that stands in many works are among the newest
 * works, and the index of words knows the times of works too: it is asked for both at once. How far back that must go
 * is guessed from the statistics that PostgreSQL keeps. Each statement checks that the hits suffice, and asks for all of
 * them where they do not: a wrong guess costs time and changes nothing.
 */
export interface Guess {
  works: number;
  /** Times that part all works into parts of one size, the oldest first, in epoch milliseconds. */
  times: readonly number[];
  /** The share of works in which a tsquery's word stands; nothing where it is not common. */
  shares: ReadonlyMap<string, number>;
}

/** Fewer works are looked at one and all. */
const FEW_WORKS = 20_000;
/** Statistics are samples. */
const MARGIN = 1.2;
/** A window of more than this share of all works saves too little. */
const LARGEST_SHARE = 0.5;

const HOUR_MS = 3_600_000;
/** As search_times() has it: how many times as long the next unit of time is, and how many units there are. */
const GROWTH = 8;
const UNITS = 5;
/** A window has up to so many units: each is an entry of the index. */
const MOST_KEYS = 40;

const GuessRow = z.strictObject({
  works: z.number(),
  times: z.array(z.number()),
  shares: z.array(z.number()),
});

/** What the statistics tell of words, given as tsqueries; null where there are few works or no statistics. */
export async function readGuess(db: Db, queries: readonly string[]): Promise<Guess | null> {
  if (queries.length === 0) return null;
  const words = queries.map(readWord);
  const of = (column: string) => sql.fragment`
    p.schemaname = current_schema() AND p.tablename = 'search_creations' AND p.attname = ${column}`;
  const { works, times, shares } = await db.one(sql.type(GuessRow)`
    WITH site AS MATERIALIZED (
      SELECT c.reltuples::float8 AS works FROM pg_class c WHERE c.oid = 'search_creations'::regclass),
    common AS MATERIALIZED (
      SELECT e.lexeme, e.share
      FROM pg_stats p, unnest(p.most_common_elems::text::text[], p.most_common_elem_freqs) e (lexeme, share)
      WHERE ${of("words")} AND e.lexeme IS NOT NULL AND (SELECT works FROM site) >= ${FEW_WORKS})
    SELECT (SELECT works FROM site) AS works, ARRAY(
        SELECT floor(extract(epoch FROM t.at) * 1000)::float8
        FROM pg_stats p, unnest(p.histogram_bounds::text::timestamptz[]) WITH ORDINALITY t (at, place)
        WHERE ${of("first_published_at")} ORDER BY t.place) AS times,
      ARRAY(
        SELECT coalesce(max(c.share), 0)::float8
        FROM unnest(${texts(words.map(({ lexeme }) => lexeme))},
            ${sql.array(
              words.map(({ isStart }) => isStart),
              "bool",
            )}) WITH ORDINALITY w (lexeme, is_start, place)
          LEFT JOIN common c ON c.lexeme = w.lexeme OR (w.is_start AND starts_with(c.lexeme, w.lexeme))
        GROUP BY w.place ORDER BY w.place) AS shares`);
  if (works < FEW_WORKS || times.length < 2) return null;
  return { works, times, shares: new Map(queries.map((query, place) => [query, shares[place] ?? 0])) };
}

/** The lexeme of a tsquery of one word, and whether it is the start of others. */
function readWord(query: string): { lexeme: string; isStart: boolean } {
  const isStart = query.endsWith(":*");
  return { lexeme: query.slice(1, isStart ? -3 : -1), isStart };
}

/**
 * The condition that a work `s` is one of the newest, as many as are likely to hold the wanted number of works with all
 * of the words; null where those are too many. It names every unit of time up to the newest work, so that no newer one
 * is left out.
 */
export function openWindow(
  guess: Guess | null,
  words: readonly string[] | undefined,
  wanted: number,
): Fragment | null {
  if (guess === null || words === undefined) return null;
  const share = words.reduce((product, word) => product * (guess.shares.get(word) ?? 0), 1);
  const depth = (wanted * MARGIN) / (share * guess.works);
  // Not common, the depth is infinite.
  if (words.length === 0 || !(depth <= LARGEST_SHARE)) return null;
  const fromMs = findTime(guess.times, 1 - depth);
  const hours = ((guess.times.at(-1) ?? fromMs) - fromMs) / HOUR_MS;
  const unit = Math.min(UNITS - 1, Math.max(0, Math.ceil(Math.log(hours / MOST_KEYS) / Math.log(GROWTH))));
  const keyOf = (time: Fragment) => sql.fragment`(search_times(${time}))[${unit + 1}::int]`;
  const from = keyOf(sql.fragment`${new Date(fromMs).toISOString()}::timestamptz`);
  const newest = keyOf(sql.fragment`(SELECT max(n.first_published_at) FROM search_creations n)`);
  return sql.fragment`search_times(s.first_published_at) && ARRAY(SELECT generate_series(${from}, ${newest}))`;
}

/** The time before which a share of all works was published. */
function findTime(times: readonly number[], share: number): number {
  const position = share * (times.length - 1);
  const [before = 0, after = before] = times.slice(Math.floor(position), Math.floor(position) + 2);
  return Math.floor(before + (after - before) * (position - Math.floor(position)));
}
