import diagnostics from "node:diagnostics_channel";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { monotonicFactory } from "ulid";
import { buildApp } from "../../api/app.ts";
import type { ListedRoute } from "../../api/http/route-docs.ts";
import { type BlockedNetworks, openBlockedNetworks } from "../../shared/care/moderation/blocked-networks.ts";
import type { Limits } from "../../shared/ground/limits.ts";
import { type Config, loadConfig } from "../../shared/platform/config.ts";
import { closeDeps, type Deps, openDeps } from "../../shared/platform/deps.ts";
import { CATALOGUE, JOB_NAMES, type WorkerName } from "../../shared/platform/jobs/catalogue.ts";
import { enqueueLostWork } from "../../shared/platform/pending-work/enqueue-lost-work.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import { openThreads, type Threads } from "../../shared/platform/threads/open.ts";
import { openPool, type ThreadsOptions } from "../../shared/platform/threads/pool.ts";
import { openReadCounter, type ReadCounter } from "../../shared/reading/view-counts/read-counter.ts";
import { startJobs } from "../../workers/runner.ts";
import { closeAfterwards } from "./close-afterwards.ts";
import { createTestDatabase, type TestDatabase } from "./cluster.ts";
import { until } from "./service-process.ts";

/** A clock that stands where a test puts it. */
export interface TestClock {
  nowMs: number;
}

/** A complete service in this process on its own database: interface, workers and threads, all real. */
export interface TestService {
  app: FastifyInstance;
  /** Every route of the interface. */
  routes: readonly ListedRoute[];
  deps: Deps;
  threads: Threads;
  clock: TestClock;
  /** Read again where a test says so, and by no clock. */
  blockedNetworks: BlockedNetworks;
  /** Written where a test says so, and by no clock. */
  reads: ReadCounter;
  databaseUrl: string;
  /** Every statement of our pool since the last `statements.length = 0`. */
  statements: string[];
  /** For a test that goes on without it. */
  close(): Promise<void>;
}

/** The workers whose jobs the services of tests run. */
const RUN_WORKERS: readonly WorkerName[] = ["inspect", "draw", "feed"];
const RUN_QUEUES = new Set<string>(JOB_NAMES.filter((name) => RUN_WORKERS.includes(CATALOGUE[name].worker)));

/** The time after which noted work counts as lost, of every job. */
const LOST_AFTER_MS = 10 * 60_000;

/** The route that each request met. */
export const metRoute = new WeakMap<object, string>();

export const TEST_START_MS = Date.parse("2026-11-20T09:00:00Z");

/**
 * Threads of all services of this process that keep files in a folder: a thread loads its modules in as much time as most
 * tests take. A thread keeps the environment of its start, so one that a bucket's credentials came after is of no use.
 */
const sharedThreads: ThreadsOptions["sharedThreads"] = new Map();
// At the low priority that questions and statistics have in a service, a test waits ten times as long beside others.
openPool({ filesUrl: "", memoryMb: 256, sharedThreads }, { name: "low", most: 4, niceness: 0 });

/** Limits a minute are lifted unless a test is about them: they run on the machine's clock. */
const ROOMY: Partial<Limits> = {
  readsPerMinute: 1_000_000,
  writesPerMinute: 1_000_000,
  checksPerMinute: 1_000_000,
  publicJsonPerMinute: 1_000_000,
  feedsPerMinute: 1_000_000,
  rowsPerMinute: 1_000_000,
  queriesPerMinute: 1_000_000,
  comparisonsPerMinute: 1_000_000,
  logPerMinute: 1_000_000,
  enrolmentsPerMinute: 1_000_000,
  registrationsPerHour: 1_000_000,
};

/**
 * Opens a service, which is closed after the test or the file that opened it; `workers: false` leaves jobs in their
 * queues, so that a test can read them.
 */
export async function openService(
  options: {
    limits?: Partial<Limits>;
    config?: Partial<Config>;
    workers?: boolean;
    /** How long one question may take a thread. */
    queryTimeoutMs?: number;
    log?: Logger;
    /** A migrated database; a clone of the run's own unless given. */
    database?: TestDatabase;
  } = {},
): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), "broadsheet-data-"));
  const base = loadConfig({ SITE_URL: "http://localhost:3000", DATA_DIR: dataDir, LOG_LEVEL: "silent" });
  // A busy machine may take longer than an agent waits for a verdict; without workers none comes that is worth a wait.
  const uploadWaitMs = options.workers === false ? 1 : 60_000;
  const config = {
    ...base,
    uploadWaitMs,
    ...options.config,
    limits: { ...base.limits, ...ROOMY, ...options.limits },
  };
  const clock = { nowMs: TEST_START_MS };
  const statements: string[] = [];
  const deps = await openDeps(config, {
    databaseUrl: database.url,
    works: true,
    maxConnections: 12,
    log: options.log ?? openLog("silent", "test"),
    now: () => clock.nowMs,
    // The clock stands: what a test makes one after the other keeps its order by the ids alone.
    newId: monotonicFactory(),
    onStatement: (text) => statements.push(text),
  });
  const threads = openThreads({
    ...(config.filesUrl.startsWith("s3:") ? {} : { sharedThreads }),
    filesUrl: config.filesUrl,
    maxThreads: 1,
    inspectTimeoutMs: 60_000,
    rowsTimeoutMs: 30_000,
    memoryMb: 256,
    queryTimeoutMs: options.queryTimeoutMs ?? 60_000,
  });
  // Sweeps run where a test calls them: by a clock they would do before it what it is about.
  if (options.workers !== false) await startJobs({ deps, threads }, RUN_WORKERS);
  // Many callers at once on a busy machine are no overload here; the tests of shedding are about it.
  const load = { reads: 1e6, writes: 1e6 };
  const routes: ListedRoute[] = [];
  const blockedNetworks = openBlockedNetworks();
  const reads = openReadCounter(deps);
  const note = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook("onRequest", async (request) => {
      metRoute.set(request.raw, `${request.method} ${request.routeOptions.url}`);
    });
  };
  diagnostics.subscribe("fastify.initialization", note);
  const app = await buildApp(deps, threads, { load, routes, blockedNetworks, reads });
  diagnostics.unsubscribe("fastify.initialization", note);
  await app.ready();
  const close = closeAfterwards(async () => {
    await app.close();
    await closeDeps(deps);
    await threads.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    app,
    routes,
    deps,
    threads,
    clock,
    blockedNetworks,
    reads,
    databaseUrl: database.url,
    statements,
    close,
  };
}

/**
 * Waits until no job is left, nor noted work without one: drawings, statistics and feeds are made behind the answers, and
 * change pages. A job that begins while more of its work is being committed may miss that; a sweep finds it.
 */
export async function untilJobsAreDone({ deps }: Pick<TestService, "deps">): Promise<void> {
  const later = { ...deps, now: () => deps.now() + LOST_AFTER_MS };
  await until(async () => {
    const queues = (await deps.jobs.status()).filter(({ queue }) => RUN_QUEUES.has(queue));
    if (queues.some(({ waiting, delayed, active }) => waiting + delayed + active > 0)) return false;
    const swept = await Promise.all(RUN_WORKERS.map((worker) => enqueueLostWork(later, worker)));
    return swept.flatMap((counted) => Object.values(counted)).every((lost) => lost === 0);
  }, 20_000);
}
