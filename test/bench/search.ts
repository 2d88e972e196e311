// Searches among 100,000 works, beside FTS5 of the SQLite of Node behind a bare route of Fastify, with the same texts in memory.
import { DatabaseSync } from "node:sqlite";
import fastify from "fastify";
import { withClient } from "../../cli/embedded/database.ts";
import { openRealService } from "../support/real-service.ts";
import { printRace, race } from "./race.ts";
import { COMMON_WORD, drawQueries, fillWithCreations, readTexts } from "./search-rows.ts";
import { ask } from "./site.ts";

const WORKS = Number(process.env.BENCH_WORKS ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100);
const WARM_UPS = 2;
const MOST = 15;

/** Measures pairs of words as often as they stand in texts, and a word of half of all works beside one of these. */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  const peer = await openPeer();
  try {
    const queries = await withClient(service.databaseUrl, async (client) => {
      await fillWithCreations(client, WORKS);
      await readTexts(client, WORKS, peer.add);
      return await drawQueries(client, ROUNDS + WARM_UPS);
    });
    const { url } = await service.startApi();
    const search = (words: string) =>
      ask(url, { path: `/api/v1/search/creations?query=${encodeURIComponent(words)}` });
    return [
      ...(await contest("two words", queries, search, peer.search, MOST)),
      // With another word of every text, so that no answer is one that was given before.
      ...(await contest("a word of half of all", queries.map(addCommon), search, peer.search, MOST)),
    ];
  } finally {
    await peer.close();
    await service.close();
  }
}

const addCommon = (words: string) => `${COMMON_WORD} ${words.split(" ")[0]}`;

async function contest(
  title: string,
  queries: readonly string[],
  ours: (words: string) => unknown,
  peer: (words: string) => unknown,
  most: number,
): Promise<string[]> {
  const inTurn = (search: (words: string) => unknown) => {
    let turn = 0;
    return () => search(queries[turn++] ?? "");
  };
  const times = await race(
    [
      { name: "ours", run: inTurn(ours) },
      { name: "FTS5", run: inTurn(peer) },
    ],
    ROUNDS,
  );
  return printRace(`${title}, among ${WORKS} works`, times, [{ ours: "ours", peer: "FTS5", most }]);
}

/** An index of words that finds the newest twenty texts with all of them, and counts all. */
async function openPeer() {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(text, content = '')");
  const insert = database.prepare("INSERT INTO texts (rowid, text) VALUES (?, ?)");
  const find = database.prepare("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid DESC LIMIT 20");
  const count = database.prepare("SELECT count(*) AS n FROM texts WHERE texts MATCH ?");
  const app = fastify();
  app.get<{ Querystring: { words: string } }>("/", async ({ query: { words } }) => ({
    data: [find.all(words), count.get(words)],
  }));
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    add: (n: number, text: string) => void insert.run(n, text),
    search: (words: string) => ask(url, { path: `/?words=${encodeURIComponent(words)}` }),
    close: async () => {
      await app.close();
      database.close();
    },
  };
}
