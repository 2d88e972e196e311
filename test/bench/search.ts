import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { withClient } from "../../cli/embedded/database.ts";
import { startWatchdog } from "../../cli/watchdog/client.ts";
import { createSemaphore } from "../../shared/platform/concurrency/semaphore.ts";
import { type Config, loadConfig } from "../../shared/platform/config.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { searchCreations } from "../../shared/reading/search/search.ts";
import { readSearchQuery } from "../../shared/reading/search/search-query.ts";
import { openPool } from "../../sql/connection/pool.ts";
import { type Measurement, printMeasurements } from "./report.ts";
import { COMMON_WORD, drawQueries, fillWithCreations } from "./search-rows.ts";

const CREATIONS = 100_000;
const QUERIES = 200;
const COMMON_ROUNDS = 25;

/** Searches among 100,000 public creations: pairs of words as often as they stand in texts, and one word of half of all. */
async function benchSearch(creations = CREATIONS): Promise<Measurement[]> {
  const watchdog = await startWatchdog({
    dataDir: await makeTemporaryDataFolder("broadsheet-bench-"),
    temporary: true,
    log: () => undefined,
    onLost: (error) => console.error(error),
  });
  try {
    const url = watchdog.database?.url ?? "";
    await migrate(url);
    const queries = await withClient(url, async (client) => {
      await fillWithCreations(client, creations);
      return await drawQueries(client, QUERIES);
    });
    return await measure(url, queries);
  } finally {
    await watchdog.stop();
  }
}

async function measure(url: string, queries: readonly string[]): Promise<Measurement[]> {
  const pool = await openPool(url, { maxConnections: 2 });
  // What a search works with: the rest of a service has no part in it.
  const config: Config = loadConfig({ SITE_URL: "http://localhost:3000", DATA_DIR: "/nowhere" });
  const searchSemaphore = createSemaphore(2);
  const deps = { pool, searchSemaphore, config, now: () => Date.now() } as unknown as Deps;
  const time = async (query: string, page = 1) => {
    const startedMs = performance.now();
    const order = await readSearchQuery(deps, { query, page: String(page) }, []);
    await searchCreations(deps, order);
    return performance.now() - startedMs;
  };
  const timeAll = async (all: readonly string[], page = 1) => {
    const milliseconds: number[] = [];
    for (const query of all) milliseconds.push(await time(query, page));
    return milliseconds;
  };
  try {
    await timeAll(queries);
    const common = Array.from({ length: COMMON_ROUNDS }, () => COMMON_WORD);
    return [
      { name: "two words", milliseconds: await timeAll(queries), target: 50 },
      { name: "a word of half of all", milliseconds: await timeAll(common), target: 500 },
      { name: "its last page", milliseconds: await timeAll(common, 500), target: 500 },
      { name: "no words", milliseconds: await timeAll(common.map(() => "")), target: 50 },
    ];
  } finally {
    await pool.end();
  }
}

/** Prints the times of both kinds of search; tells what was missed. */
export async function run(): Promise<string[]> {
  return printMeasurements(`Search among ${CREATIONS} creations`, await benchSearch());
}
