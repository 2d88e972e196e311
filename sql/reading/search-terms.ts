import { z } from "zod";
import { type Db, type Fragment, sql, tsquery } from "../connection/pool.ts";

/** The tsqueries of one word of a query over the words of creations and of their publishers. */
export interface SoughtWord {
  title: string;
  summary: string;
  any: string;
  publisherName: string;
  publisherTopics: string[];
}

/** The tsqueries of the words of a phrase, and the folded phrase itself. */
export interface SoughtPhrase {
  any: string;
  folded: string;
  publisherTopics: string[];
}

/** The terms of a query, of which any may match; `columns` is a tsquery over the names of columns. */
export interface SoughtTerms {
  words: readonly SoughtWord[];
  phrases: readonly SoughtPhrase[];
  columns: string | null;
}

/** The works that contain a word in one place; the weights keep the places apart for up to thirty words. */
export interface Hits {
  weight: number;
  match: Fragment;
  /** Whether these are all works with one term, wherever it stands. */
  isAny?: boolean;
  /** Tsqueries of one word each: the works with all of them are these hits, or, where `isAny` is set, some of them. */
  words?: readonly string[];
}

/** The weights of the places of a term. */
export const WEIGHTS = { title: 32_768, publisher: 1_024, summary: 32, any: 1 } as const;

/** Above the sum of all weights of words: a work that has every term. */
export const ALL_TERMS = 2 ** 50;

/** Above that: a dataset with a column of exactly this name. */
export const COLUMN = 2 ** 52;

/** How many of the newest works with the words of a phrase are searched for the phrase itself. */
const MOST_CANDIDATES = 10_000;

/** One word or phrase: the works that have it, by place, and what a work that has it matches. */
export interface Term {
  hits: Hits[];
  anywhere: Fragment;
  /** A tsquery over the words of works; null for a phrase, whose works are known by their ids. */
  words: string | null;
  /** Of a word, the works by publishers that match it. */
  publishers?: Fragment;
}

/** The terms of a query, as they are looked for. */
export async function listTerms(db: Db, { words, phrases }: SoughtTerms): Promise<Term[]> {
  const terms: Term[] = words.map((word) => ({
    hits: listHits(word),
    anywhere: matchAnywhere(word),
    words: word.any,
    publishers: matchPublishers(word),
  }));
  for (const phrase of phrases) terms.push(await findPhrase(db, phrase));
  return terms;
}

const PhraseRow = z.strictObject({
  title: z.array(z.number()),
  summary: z.array(z.number()),
  any: z.array(z.number()),
});

/**
 * The works with a phrase, found in one pass over the newest with all of its words. A work that is not indexed anew has
 * no text to look in: its words are enough.
 */
async function findPhrase(db: Db, { any, folded, publisherTopics }: SoughtPhrase): Promise<Term> {
  // Only letters, digits and blanks are left in a folded phrase.
  const pattern = `% ${folded} %`;
  const found = await db.one(sql.type(PhraseRow)`
    WITH candidates AS MATERIALIZED (
      SELECT s.id FROM search_creations s WHERE s.listed AND s.words @@ ${tsquery(any)}
      ORDER BY s.id DESC LIMIT ${MOST_CANDIDATES}),
    texts AS MATERIALIZED (
      SELECT s.id, s.folded FROM search_creations s
      WHERE s.id = ANY (ARRAY(SELECT c.id FROM candidates c)) AND (s.folded IS NULL OR s.folded LIKE ${pattern}))
    SELECT coalesce(array_agg(t.id), '{}') AS any,
      coalesce(array_agg(t.id) FILTER (WHERE split_part(t.folded, E'\\n', 1) LIKE ${pattern}), '{}') AS title,
      coalesce(array_agg(t.id) FILTER (WHERE split_part(t.folded, E'\\n', 2) LIKE ${pattern}), '{}') AS summary
    FROM texts t`);
  const among = (ids: readonly number[]) => sql.fragment`s.id = ANY (${sql.array([...ids], "int4")})`;
  const anywhere =
    publisherTopics.length === 0
      ? among(found.any)
      : sql.fragment`(${among(found.any)} OR ${isBy(publisherTopics)})`;
  const hits = [
    { weight: WEIGHTS.title, match: among(found.title) },
    { weight: WEIGHTS.summary, match: among(found.summary) },
    { weight: WEIGHTS.any, match: anywhere, isAny: true },
  ];
  return { hits, anywhere, words: null };
}

/** The datasets with a column of one of the names. */
export function listColumnHits({ columns }: SoughtTerms): Hits[] {
  return columns === null ? [] : [{ weight: COLUMN, match: sql.fragment`s.words @@ ${tsquery(columns)}` }];
}

function listHits(word: SoughtWord): Hits[] {
  return [
    { weight: WEIGHTS.title, match: sql.fragment`s.words @@ ${tsquery(word.title)}`, words: [word.title] },
    { weight: WEIGHTS.publisher, match: isBy([word.publisherName]) },
    {
      weight: WEIGHTS.summary,
      match: sql.fragment`s.words @@ ${tsquery(word.summary)}`,
      words: [word.summary],
    },
    { weight: WEIGHTS.any, match: matchAnywhere(word), isAny: true, words: [word.any] },
  ];
}

function matchAnywhere(word: SoughtWord): Fragment {
  return sql.fragment`(s.words @@ ${tsquery(word.any)} OR ${matchPublishers(word)})`;
}

function matchPublishers({ publisherName, publisherTopics }: SoughtWord): Fragment {
  return isBy([publisherName, ...publisherTopics]);
}

/** The works that have every term in their own texts, so far as words go. */
export function matchEverywhere(terms: readonly Term[]): Hits {
  // One tsquery, which the index answers alone; with two conditions, rows of the second would be tested one
  // by one.
  const words = terms.flatMap((term) => term.words ?? []);
  const others = terms.filter((term) => term.words === null).map(({ anywhere }) => anywhere);
  const own = words.length === 0 ? [] : [sql.fragment`s.words @@ ${tsquery(words.join(" & "))}`];
  const match = sql.fragment`(${sql.join([...others, ...own], sql.fragment` AND `)})`;
  return { weight: ALL_TERMS, match, ...(others.length === 0 ? { words } : {}) };
}

function isBy(queries: readonly string[]): Fragment {
  return sql.fragment`s.agent_id = ANY (ARRAY(
    SELECT g.agent_id FROM search_agents g WHERE g.words @@ ${tsquery(queries.join(" | "))}))`;
}
