import type { Logger } from "pino";
import type { Pool } from "../../../sql/connection/pool.ts";
import type { Jobs } from "./queue.ts";
import { reportQueues } from "./queue-options.ts";

/**
 * Opens the one engine that carries every job: BullMQ where a Redis is configured, else pg-boss on
 * PostgreSQL. The other engine's library is never loaded, since each takes a sixth of a process's start; pg-boss is
 * loaded with the first job of a process that only enqueues.
 */
export async function openJobs(
  databaseUrl: string,
  pool: Pool,
  options: { redisUrl: string | undefined; works: boolean; log: Logger },
): Promise<Jobs> {
  const { redisUrl, ...rest } = options;
  if (redisUrl !== undefined) {
    const { openBullMq } = await import("./bullmq.ts");
    return await openBullMq(redisUrl, rest);
  }
  const open = async () => {
    const { openPgBoss } = await import("./pg-boss.ts");
    return await openPgBoss(databaseUrl, pool, rest);
  };
  return options.works ? await open() : { ...openLater(open), ...reportQueues(pool) };
}

/** An engine that opens with its first use: most commands, and an API process at rest, enqueue nothing. */
function openLater(open: () => Promise<Jobs>): Jobs {
  let opening: Promise<Jobs> | null = null;
  const engine = () => {
    opening ??= open().catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    enqueue: async (tx, jobs) => (await engine()).enqueue(tx, jobs),
    work: async (name, handler, concurrency) => (await engine()).work(name, handler, concurrency),
    status: async () => (await engine()).status(),
    failures: async (most) => (await engine()).failures(most),
    retryDead: async (name) => (await engine()).retryDead(name),
    close: async () => (await opening)?.close(),
  };
}
