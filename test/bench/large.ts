import { loadavg } from "node:os";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../../api/app.ts";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { makeExtensions, withClient } from "../../cli/embedded/database.ts";
import { startGuardian } from "../../cli/embedded/guarded.ts";
import { loadConfig } from "../../shared/config.ts";
import { closeDeps, openDeps } from "../../shared/deps.ts";
import { openLog } from "../../shared/log.ts";
import { migrate } from "../../shared/migrate.ts";
import { openThreads } from "../../shared/threads/open.ts";
import { connectAgent } from "../support/agent.ts";
import type { TestService } from "../support/service.ts";
import { addWorks, slugOf, WORKS_AN_AGENT, wordOf } from "./large-rows.ts";
import { medianOf } from "./race.ts";
import { NOISE } from "./report.ts";
import { openDice } from "./search-rows.ts";

const SMALL = 1_000;
const LARGE = 1_000_000;
const READS = 2_000;
const LISTS = 300;
/** How much dearer an answer of the large site may be. */
const MOST_GROWTH = 1.2;
const ROUNDS = 5;

interface Read {
  name: string;
  times: number;
  /** The address of one of the site's works, or of its agent; a token where it is the agent's own. */
  url(n: number): string;
  token?: string;
  /** Naturally dearer on a larger site: told, and no fault. */
  isTold?: boolean;
}

/** One site with its interface in this process. */
interface Site {
  app: FastifyInstance;
  url: string;
  works: number;
  reads: Read[];
  close(): Promise<void>;
}

/**
 * The same answers of a site of 1,000 and of a site of 1,000,000 works, in turn, each made anew: no finished page is
 * kept. Prints both medians and how the tables were read.
 */
export async function run(): Promise<string[]> {
  const dataDir = await makeTemporaryDataFolder("broadsheet-bench-");
  const guardian = await startGuardian({
    ...{ dataDir, temporary: true, log: () => undefined, onLost: (error: Error) => console.error(error) },
    settings: { max_wal_size: "8GB", shared_buffers: "512MB" },
  });
  const sites: Site[] = [];
  try {
    const { url = "", adminUrl = "" } = guardian.database ?? {};
    for (const works of [SMALL, LARGE]) sites.push(await openSite({ url, adminUrl, dataDir }, works));
    const [small, large] = sites;
    if (small === undefined || large === undefined) throw new Error("there are two sites");
    return await compare(small, large);
  } finally {
    for (const site of sites) await site.close();
    await guardian.stop();
  }
}

async function openSite(
  cluster: { url: string; adminUrl: string; dataDir: string },
  works: number,
): Promise<Site> {
  const startedMs = performance.now();
  const { url, adminUrl } = await makeDatabase(cluster, `works_${works}`);
  const config = loadConfig({ DATA_DIR: cluster.dataDir, LOG_LEVEL: "silent", LIMIT_PAGE_CACHE_BYTES: "0" });
  const limits = { ...config.limits, readsPerMinute: 1e9, publicJsonPerMinute: 1e9, feedsPerMinute: 1e9 };
  const log = openLog("silent", "bench");
  const deps = await openDeps(
    { ...config, limits },
    { databaseUrl: url, works: false, maxConnections: 4, log },
  );
  const threads = openThreads({
    ...{ filesUrl: config.filesUrl, maxThreads: 1, memoryMb: 256 },
    ...{ inspectTimeoutMs: 20_000, rowsTimeoutMs: 10_000 },
  });
  const app = await buildApp(deps, threads);
  const reader = await connectAgent({ app, deps } as TestService, { handle: "reader" });
  const [topic] = (await reader.get("/topics")).json.data;
  await withClient(adminUrl, (client) => addWorks(client, works, { topicId: topic.id, readerId: reader.id }));
  const bytes = await withClient(adminUrl, async (client) => {
    const size = "SELECT pg_database_size(current_database()) AS bytes";
    return Number((await client.query<{ bytes: string }>(size)).rows[0]?.bytes);
  });
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  console.log(`${works} works, ${Math.round(bytes / 1e6)} MB, after ${seconds} s`);
  const close = async () => {
    await app.close();
    await threads.close();
    await closeDeps(deps);
  };
  return { app, url, works, reads: listReads(reader.token, topic.slug), close };
}

/** A migrated database of its own: its address for the service, and for the superuser. */
async function makeDatabase(cluster: { url: string; adminUrl: string }, name: string) {
  await withClient(cluster.adminUrl, (client) => client.query(`CREATE DATABASE ${name} OWNER broadsheet`));
  const addressOf = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const [url, adminUrl] = [addressOf(cluster.url), addressOf(cluster.adminUrl)];
  await withClient(adminUrl, makeExtensions);
  await migrate(url);
  return { url, adminUrl };
}

/** Times every read on both sites in turn; tells what grew beyond the target. */
async function compare(small: Site, large: Site): Promise<string[]> {
  const rows: Record<string, Record<string, number | string>> = {};
  const missed: string[] = [];
  for (const [index, read] of small.reads.entries()) {
    const [few, many] = await timeInTurn(small, large, index);
    const growth = medianOf(many) / medianOf(few);
    const isMissed = growth > MOST_GROWTH * (1 + NOISE);
    rows[read.name] = {
      [`${small.works}`]: figure(medianOf(few)),
      [`${large.works}`]: figure(medianOf(many)),
      growth: figure(growth),
      target: read.isTold ? "told" : `≤ ${MOST_GROWTH}`,
    };
    if (isMissed && !read.isTold) missed.push(`${read.name}: ${figure(growth)} times as dear`);
  }
  console.log(`\nMilliseconds an answer, made anew, medians; load ${loadavg()[0]?.toFixed(1)}`);
  console.table(rows);
  await tellScans(large);
  return missed;
}

async function timeInTurn(small: Site, large: Site, index: number): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  // The first pass warms up: artwork is named, texts are set, plans are made.
  for (const isTimed of [false, true]) {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [place, site] of [small, large].entries()) {
        const taken = await timeRead(site, site.reads[index], round);
        if (isTimed) times[place]?.push(...taken);
      }
    }
  }
  return times;
}

/** One round's share of a read, of works drawn at random, the same ones each time. */
async function timeRead({ app, works }: Site, read: Read | undefined, round: number): Promise<number[]> {
  if (read === undefined) return [];
  const dice = openDice(13 + round);
  const times: number[] = [];
  for (let count = 0; count < read.times / ROUNDS; count++) {
    // The first works are the reader's own.
    const n = WORKS_AN_AGENT + 1 + Math.floor(dice() * (works - WORKS_AN_AGENT));
    const headers = read.token === undefined ? {} : { authorization: `Bearer ${read.token}` };
    const startedMs = performance.now();
    const { statusCode } = await app.inject({ url: read.url(n), headers });
    times.push(performance.now() - startedMs);
    if (statusCode !== 200) throw new Error(`${read.url(n)} answered ${statusCode}`);
  }
  return times;
}

/** Prints which tables were read whole: a plan without an index grows with the site. */
async function tellScans(site: Site): Promise<void> {
  const { rows } = await withClient(site.url, (client) => client.query(SCANS));
  console.log(`\nHow tables of the site of ${site.works} works were read`);
  console.table(rows);
}

const SCANS = `SELECT relname, seq_scan, seq_tup_read, idx_scan FROM pg_stat_user_tables
  WHERE n_live_tup > 1000 ORDER BY seq_tup_read DESC LIMIT 8`;

function figure(value: number): number {
  return Number(value.toPrecision(3));
}

function listReads(token: string, topic: string): Read[] {
  const agentOf = (n: number) => `/@agent-${Math.ceil(n / WORKS_AN_AGENT)}`;
  const search = (words: string) => `/api/v1/search/creations?${new URLSearchParams({ query: words })}`;
  return [
    { name: "page of a work", times: READS, url: (n) => `${agentOf(n)}/${slugOf(n)}` },
    { name: "JSON of a work", times: READS, url: (n) => `${agentOf(n)}/${slugOf(n)}.json` },
    { name: "front page of an agent", times: LISTS, url: agentOf },
    { name: "profile JSON", times: LISTS, url: (n) => `${agentOf(n)}/profile.json` },
    { name: "home of the site", times: LISTS, url: () => "/" },
    { name: "feed of the site", times: LISTS, url: () => "/feed.xml" },
    { name: "feed of an agent", times: LISTS, url: (n) => `${agentOf(n)}/feed.xml` },
    { name: "an agent's own list", times: LISTS, url: () => "/api/v1/creations?per_page=20", token },
    { name: "search for a word of 40 works", times: LISTS, url: (n) => search(wordOf(n)) },
    { name: "search without words", times: LISTS, url: () => "/search", isTold: true },
    { name: "topic page", times: LISTS, url: () => `/topics/${topic}`, isTold: true },
    {
      name: "search for a word of one in 1,000",
      times: 100,
      url: (n) => search(`md${n % 1000}`),
      isTold: true,
    },
    { name: "search for a word of every work", times: 30, url: () => search("work"), isTold: true },
  ];
}
