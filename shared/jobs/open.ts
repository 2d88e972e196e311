import type { Logger } from "pino";
import type { Pool } from "../../sql/connection/pool.ts";
import { openBullMq } from "./bullmq.ts";
import { openPgBoss } from "./pg-boss.ts";
import type { Jobs } from "./queue.ts";

/**
 * Opens the one engine that carries every job: BullMQ where a Redis is configured, else pg-boss on
 * PostgreSQL.
 */
export async function openJobs(
  databaseUrl: string,
  pool: Pool,
  options: { redisUrl: string | undefined; works: boolean; log: Logger },
): Promise<Jobs> {
  const { redisUrl, ...rest } = options;
  if (redisUrl !== undefined) return await openBullMq(redisUrl, rest);
  return await openPgBoss(databaseUrl, pool, rest);
}
