import { Queue } from "bullmq";
import { JOB_NAMES } from "../../../../shared/platform/jobs/catalogue.ts";
import { openJobs } from "../../../../shared/platform/jobs/open.ts";
import type { Jobs } from "../../../../shared/platform/jobs/queue.ts";
import { openLog } from "../../../../shared/platform/telemetry/log.ts";
import type { Pool } from "../../../../sql/connection/pool.ts";
import { findRedis, startRedis, type TestRedis } from "../../../support/redis.ts";
import { runSql } from "../../../support/tables.ts";

/** One engine behind the port; a second one is another entry of this list. */
export interface Engine {
  name: string;
  open(databaseUrl: string, pool: Pool): Promise<Jobs>;
  /** Lets workers look for due jobs now instead of at their next poll. */
  wake(databaseUrl: string): Promise<void>;
  /** Makes jobs that wait for their next try due now, so that a test need not wait out the backoff. */
  hurry(databaseUrl: string): Promise<void>;
  redisUrl?(): string[];
  isOffered(): boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

let redis: TestRedis;

/** Every engine that this service can work with. */
export const ENGINES: Engine[] = [
  {
    name: "pg-boss",
    isOffered: () => true,
    start: async () => {},
    stop: async () => {},
    open: (databaseUrl, pool) =>
      openJobs(databaseUrl, pool, { redisUrl: undefined, works: true, log: openLog("silent", "test") }),
    async wake(databaseUrl) {
      const channel = "'pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24)";
      await runSql({ databaseUrl }, `SELECT pg_notify(${channel}, 'build-feed')`);
    },
    async hurry(databaseUrl) {
      await runSql({ databaseUrl }, "UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'");
      await this.wake(databaseUrl);
    },
  },
  {
    name: "BullMQ",
    redisUrl: () => [redis.url],
    isOffered: () => findRedis() !== null,
    start: async () => {
      redis = await startRedis();
    },
    stop: () => redis.stop(),
    open: (databaseUrl, pool) =>
      openJobs(databaseUrl, pool, { redisUrl: redis.url, works: true, log: openLog("silent", "test") }),
    wake: async () => {},
    async hurry() {
      for (const name of JOB_NAMES) await promoteDelayed(redis.url, name);
    },
  },
];

async function promoteDelayed(url: string, name: string): Promise<void> {
  const queue = new Queue(name, { connection: { url }, prefix: "{broadsheet}" });
  try {
    for (const job of await queue.getDelayed()) await job.promote().catch(() => undefined);
  } finally {
    await queue.close();
  }
}
