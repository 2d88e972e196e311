import type { Logger } from "pino";
import { listenTo } from "../../sql/connection/notifications.ts";
import { openPool } from "../../sql/connection/pool.ts";
import { findServiceSetting, RESTORED_AT } from "../../sql/platform/service-settings.ts";
import { openPageVersions } from "../../sql/reading/page-versions.ts";
import { openBackgroundTasks } from "./concurrency/background.ts";
import { createFairSemaphore } from "./concurrency/fair-semaphore.ts";
import type { Config } from "./config.ts";
import { openCurrentBanner } from "./current-banner.ts";
import { openFileStore } from "./files/open.ts";
import { openJobs } from "./jobs/open.ts";
import type { RedisConnection } from "./jobs/redis.ts";
import { openMailer } from "./mail/mailer.ts";
import { makeId } from "./make-id.ts";
import { openOutboundNetwork } from "./outbound/network.ts";
import { openMetrics } from "./telemetry/metrics.ts";
import { carryRequestContext } from "./telemetry/request-context.ts";
import { hasTracing, traceStatement } from "./telemetry/tracing.ts";
import { openTexts } from "./threads/texts.ts";

/** The dependencies of every part of the service; tests pass their own clock. */
export type Deps = Awaited<ReturnType<typeof openDeps>>;

// One batch is read while the next one collects keys; a second connection lets a slow read pass.
export const PAGE_VERSION_CONNECTIONS = 2;
// Searches take processors of PostgreSQL and no time of this process: more at once make each of them slower.
// Each holds a window of up to 8 MiB.
const UNPACK_TURNS = { most: 16, mostOfKey: 2, mostWaitMs: Number.POSITIVE_INFINITY };
const INSPECT_TURNS = { most: 1, mostOfKey: 1, mostWaitMs: 60_000 };
const SEARCH_TURNS = { most: 3, mostOfKey: 3, mostWaitMs: 5_000 };
// A worker has ten seconds to stop.
const BACKGROUND_GRACE_MS = 3_000;
const TEXTS_MEMORY_MB = 256;
// One writes, one looks up its key, one begins: seven of ten connections stay free for others. What waits is bounded by
// the writes that an agent has in a minute.
const WRITE_TURNS = { most: Number.POSITIVE_INFINITY, mostOfKey: 3, mostWaitMs: Number.POSITIVE_INFINITY };

/** Opens pool, job engine and file store for one process; `closeDeps` ends them. */
export async function openDeps(
  config: Config,
  options: {
    databaseUrl: string;
    works: boolean;
    maxConnections: number;
    log: Logger;
    now?: () => number;
    newId?: (nowMs: number) => string;
    onStatement?: (text: string) => void;
  },
) {
  const { databaseUrl, works, maxConnections, log, onStatement } = options;
  const now = options.now ?? (() => Date.now() + config.clockOffsetMs);
  const aroundStatement = hasTracing() ? traceStatement : undefined;
  const pool = await openPool(databaseUrl, {
    ...{ maxConnections, onStatement, aroundStatement },
    isPreparing: config.preparedStatements,
  });
  const metrics = openMetrics();
  const standsStill = async () => (await findServiceSetting(pool, RESTORED_AT)) !== null;
  const { newId = makeId } = options;
  return {
    config,
    pool,
    jobs: carryRequestContext(await openJobs(databaseUrl, pool, { redisUrl: config.redisUrl, works, log })),
    /** Counts minute limits for all processes; null where no REDIS_URL is set. */
    redis: await openLimitsRedis(config, works, log),
    files: openFileStore(config.filesUrl),
    mailer: await openMailer(config, log, (outcome) => metrics.mails.inc({ outcome }), standsStill),
    /** Whatever goes out goes by it: see outbound/send-request.ts. */
    outboundNetwork: openOutboundNetwork(config.outboundAllow, standsStill),
    /** The counters of this process, shown on the operators' port. */
    metrics,
    /** Announces what other processes committed: verdicts on uploads, work of sequencers, new events. */
    notifications: listenTo(databaseUrl),
    /** Reads the current version of a page for readers. */
    pageVersions: openPageVersions(databaseUrl, PAGE_VERSION_CONNECTIONS),
    ...openKnown(config.filesUrl),
    log,
    /** Epoch milliseconds. The one source of time: SQL never reads the database's clock. */
    now,
    /** A new ULID of the current time. */
    newId: () => newId(now()),
  };
}

/** What the process knows and does by itself. */
function openKnown(filesUrl: string) {
  return {
    /** Reads and renders Markdown texts, long ones off the event loop. */
    texts: openTexts({ filesUrl, memoryMb: TEXTS_MEMORY_MB }),
    /**
     * Lets three writes of one agent begin at once in this process. They wait for each other's lock on the
     * agent's row in any case; when they waited in the database, each held a connection, until nobody else got
     * one.
     */
    writeSemaphore: createFairSemaphore(WRITE_TURNS),
    /** Lets three searches by words read at once, so that connections stay free for others. */
    searchSemaphore: createFairSemaphore(SEARCH_TURNS),
    /** Lets two files of an agent be unpacked at once, and sixteen of all. */
    unpackers: createFairSemaphore(UNPACK_TURNS),
    /** Lets one file at a time be inspected within its request, so that readers of rows keep a thread. */
    inspectors: createFairSemaphore(INSPECT_TURNS),
    /** The operators' notice on pages; API processes read it again and again. */
    banner: openCurrentBanner(),
    /** What goes on after the call that began it, such as deliveries to webhooks. */
    background: openBackgroundTasks(),
  };
}

async function openLimitsRedis(config: Config, works: boolean, log: Logger): Promise<RedisConnection | null> {
  if (config.redisUrl === undefined || works) return null;
  const { openRedis } = await import("./jobs/redis.ts");
  return openRedis(config.redisUrl, { waits: false, log, purpose: "limits" });
}

/** Ends the job engine and the background first, so that running work can still use the pool. */
export async function closeDeps(deps: Deps): Promise<void> {
  await Promise.all([deps.jobs.close(), deps.background.close(BACKGROUND_GRACE_MS)]);
  await deps.texts.close();
  await deps.mailer.close();
  deps.redis?.disconnect();
  await deps.notifications.close();
  await deps.pageVersions.close();
  await deps.pool.end();
}
