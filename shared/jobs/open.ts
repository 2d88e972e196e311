import type { Logger } from "pino";
import type { Pool } from "../../sql/connection/pool.ts";
import type { Jobs } from "./queue.ts";

/**
 * Opens the one engine that carries every job: BullMQ where a Redis is configured, else pg-boss on
 * PostgreSQL. The other engine's library is never loaded: each takes a sixth of a process's start.
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
  const { openPgBoss } = await import("./pg-boss.ts");
  return await openPgBoss(databaseUrl, pool, rest);
}
