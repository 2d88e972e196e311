import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { topicQuery, wordQuery } from "../../shared/text/search/lexemes.ts";
import { openPool } from "../../sql/connection/pool.ts";
import { findCreations } from "../../sql/reading/search-creations.ts";
import { type CreationFilter, readSearchedSite } from "../../sql/reading/search-filter.ts";
import type { SoughtTerms } from "../../sql/reading/search-terms.ts";
import { readGuess } from "../../sql/reading/search-window.ts";
import { createRandom } from "../shared/tables/inspection/generated.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { DEEP } from "../support/depth.ts";
import { fillCorpus, TOPIC } from "../support/search-corpus.ts";

const NO_FILTER: CreationFilter = {
  ...{ type: null, hasSources: null, hasData: null, agentId: null, sinceMs: null, license: null },
  ...{ due: null, origin: null, topic: null },
};
const SHARES = { ubiquitous: 1, every: 0.98, frequent: 0.9, to: 0.8, usual: 0.45, fairly: 0.2, rare: 0.01 };
const WORDS = [...Object.keys(SHARES), "nowhere", "u", "agent"];
const SEEDS = Array.from({ length: DEEP ? 8 : 0 }, (_, place) => 101 + place);
const SEARCHES = 40;

const statements: string[] = [];

const database = await createTestDatabase();
const name = new URL(database.url).pathname;
const admin = new pg.Client(Object.assign(new URL(inject("cluster").adminUrl), { pathname: name }).href);
await admin.connect();
const onStatement = (text: string) => void statements.push(text);
const pool = await openPool(database.url, { maxConnections: 1, onStatement });

afterAll(async () => {
  await pool.end();
  await admin.end();
});

function seek(words: readonly string[]): SoughtTerms {
  const list = [...new Set(words)].map((word) => ({
    ...{ title: wordQuery("title", word), summary: wordQuery("summary", word), any: wordQuery("any", word) },
    ...{
      publisherName: wordQuery("title", word),
      publisherTopics: word === "rare" ? [topicQuery(TOPIC)] : [],
    },
  }));
  return { words: list, phrases: [], columns: null };
}

/** The same search with what the statistics tell and without; whether it looked at the newest works first. */
async function searchBothWays(words: readonly string[], filter: CreationFilter, page: number) {
  const part = { limit: 20, offset: (page - 1) * 20 };
  const sought = seek(words);
  const queries = sought.words.flatMap(({ title, summary, any }) => [title, summary, any]);
  const [site, guess] = [await readSearchedSite(pool), await readGuess(pool, queries)];
  const find = (within: { guess: typeof guess }) =>
    findCreations(pool, sought, { filter, site, ...within }, part);
  statements.length = 0;
  const near = await find({ guess });
  const isTaken = statements.some((text) => text.includes("search_times("));
  return { near, whole: await find({ guess: null }), isTaken };
}

function drawSearches(seed: number) {
  const dice = createRandom(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(dice() * list.length)] as T;
  return Array.from({ length: SEARCHES }, () => ({
    words: Array.from({ length: 1 + Math.floor(dice() * 3) }, () => pick(WORDS)),
    page: pick([1, 1, 2, 50, 101, 250, 500]),
    filter: pick<CreationFilter>([
      ...[NO_FILTER, NO_FILTER, NO_FILTER],
      { ...NO_FILTER, type: "brief" },
      { ...NO_FILTER, hasSources: true },
      { ...NO_FILTER, topic: topicQuery(TOPIC) },
      { ...NO_FILTER, sinceMs: Date.UTC(2026, 0, 1, 7) },
    ]),
  }));
}

async function compare(seed: number): Promise<number> {
  let taken = 0;
  for (const { words, page, filter } of drawSearches(seed)) {
    const { near, whole, isTaken } = await searchBothWays(words, filter, page);
    expect({ words, page, filter, ...near }).toEqual({ words, page, filter, ...whole });
    if (isTaken) taken++;
  }
  return taken;
}

test.each(SEEDS)(
  "a search for common words finds the same among the newest works as among all: corpus %d, also when it changed",
  { timeout: 360_000 },
  async (seed) => {
    await fillCorpus(admin, seed, SHARES);
    expect(await compare(seed)).toBeGreaterThan(SEARCHES / 4);
    // The newest works leave the lists, others are published far later than all: the statistics know nothing of that.
    const newest = "SELECT id FROM search_creations ORDER BY first_published_at DESC";
    await admin.query(`UPDATE search_creations SET listed = false WHERE id IN (${newest} LIMIT 6000)`);
    await admin.query(`UPDATE search_creations SET first_published_at = first_published_at + interval '9 years',
    listed = true WHERE id IN (${newest} OFFSET 12000 LIMIT 30)`);
    // A word of some titles comes into half of all.
    await admin.query(
      "UPDATE search_creations SET words = words || array_to_tsvector('{tusual}') WHERE id % 2 = 0",
    );
    expect(await compare(seed + 1)).toBeGreaterThan(SEARCHES / 4);
  },
);

test("few works, and works that nobody counted, are looked at one and all", async () => {
  await fillCorpus(admin, 1, { ubiquitous: 1 });
  expect((await searchBothWays(["ubiquitous"], NO_FILTER, 1)).isTaken).toBe(true);
  await admin.query("DELETE FROM search_creations WHERE id % 2 = 0");
  await admin.query("VACUUM ANALYZE search_creations");
  expect((await searchBothWays(["ubiquitous"], NO_FILTER, 1)).isTaken).toBe(false);
  await admin.query("DELETE FROM pg_statistic WHERE starelid = 'search_creations'::regclass");
  await admin.query("UPDATE pg_class SET reltuples = 1e6 WHERE oid = 'search_creations'::regclass");
  expect((await searchBothWays(["ubiquitous"], NO_FILTER, 1)).isTaken).toBe(false);
});
