import type { FastifyInstance } from "fastify";
import { buildApp } from "../../api/app.ts";
import { makeExtensions, withClient } from "../../cli/embedded/database.ts";
import { loadConfig } from "../../shared/platform/config.ts";
import { closeDeps, openDeps } from "../../shared/platform/deps.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import { openThreads } from "../../shared/platform/threads/open.ts";
import { connectAgent } from "../support/agent.ts";
import type { TestService } from "../support/service.ts";
import { addWorks, slugOf, WORKS_AN_AGENT, wordOf } from "./large-rows.ts";

const READS = 2_000;
const LISTS = 300;

/** An address of the site that is asked for again and again. */
export interface Read {
  name: string;
  times: number;
  /** The address of one of the site's works, or of its agent; a token where it is the agent's own. */
  url(n: number): string;
  token?: string;
  /** Naturally dearer on a larger site: told, and no fault. */
  isTold?: boolean;
}

/** The interface of a site in this process. */
export interface Served {
  app: FastifyInstance;
  close(): Promise<void>;
}

/** One site: its database, filled, and what is read of it. */
export interface Site {
  works: number;
  database: Addresses;
  reads: Read[];
  /** Opens its interface, on connections of its own. */
  serve(): Promise<Served>;
}

interface Addresses {
  url: string;
  adminUrl: string;
}

/** Fills a database of its own with so many works. */
export async function makeSite(cluster: Addresses & { dataDir: string }, works: number): Promise<Site> {
  const startedMs = performance.now();
  const database = await makeDatabase(cluster, `works_${works}`);
  const serve = () => openInterface(database.url, cluster.dataDir);
  const { app, deps, close } = await serve();
  const reader = await connectAgent({ app, deps } as TestService, { handle: "reader" });
  const [topic] = (await reader.get("/topics")).json.data;
  await close();
  const bytes = await withClient(database.adminUrl, async (client) => {
    await addWorks(client, works, { topicId: topic.id, readerId: reader.id });
    const size = "SELECT pg_database_size(current_database()) AS bytes";
    return Number((await client.query<{ bytes: string }>(size)).rows[0]?.bytes);
  });
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  console.log(`${works} works, ${Math.round(bytes / 1e6)} MB, after ${seconds} s`);
  return { works, database, reads: listReads(reader.token, topic.slug), serve };
}

/** No page is cached, and nobody is limited. */
async function openInterface(databaseUrl: string, dataDir: string) {
  const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: "silent", LIMIT_PAGE_CACHE_BYTES: "0" });
  const limits = { ...config.limits, readsPerMinute: 1e9, publicJsonPerMinute: 1e9, feedsPerMinute: 1e9 };
  const log = openLog("silent", "bench");
  const deps = await openDeps({ ...config, limits }, { databaseUrl, works: false, maxConnections: 4, log });
  const threads = openThreads({
    ...{ filesUrl: config.filesUrl, maxThreads: 1, memoryMb: 256 },
    ...{ inspectTimeoutMs: 20_000, rowsTimeoutMs: 10_000 },
  });
  const app = await buildApp(deps, threads);
  const close = async () => {
    await app.close();
    await threads.close();
    await closeDeps(deps);
  };
  return { app, deps, close };
}

/** A migrated database of its own: its address for the service, and for the superuser. */
async function makeDatabase(cluster: Addresses, name: string): Promise<Addresses> {
  await withClient(cluster.adminUrl, (client) => client.query(`CREATE DATABASE ${name} OWNER broadsheet`));
  const addressOf = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const [url, adminUrl] = [addressOf(cluster.url), addressOf(cluster.adminUrl)];
  await withClient(adminUrl, makeExtensions);
  await migrate(url);
  return { url, adminUrl };
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
