import type { Logger } from "pino";
import type { Pool } from "../../sql/connection/pool.ts";
import { openBullMq } from "./bullmq.ts";
import { CATALOGUE, JOB_NAMES, type JobName } from "./catalogue.ts";
import { openPgBoss } from "./pg-boss.ts";
import type { Jobs } from "./queue.ts";

/** Opens the engine of every lane: PostgreSQL carries all of them, or Redis the heavy one where there is a Redis. */
export async function openJobs(
  databaseUrl: string,
  pool: Pool,
  options: { redisUrl: string | undefined; works: boolean; log: Logger },
): Promise<Jobs> {
  const { redisUrl, ...rest } = options;
  if (redisUrl === undefined) return await openPgBoss(databaseUrl, pool, JOB_NAMES, rest);
  const isHeavy = (name: JobName) => CATALOGUE[name].lane === "heavy";
  const timedNames = JOB_NAMES.filter((name) => !isHeavy(name));
  const heavy = await openBullMq(redisUrl, JOB_NAMES.filter(isHeavy), rest);
  if (timedNames.length === 0) return heavy;
  const timed = await openPgBoss(databaseUrl, pool, timedNames, rest);
  const engineOf = (name: JobName) => (isHeavy(name) ? heavy : timed);
  return {
    ring: (tx, name, payload) => engineOf(name).ring(tx, name, payload),
    work: (name, handler, concurrency) => engineOf(name).work(name, handler, concurrency),
    status: async () => [...(await heavy.status()), ...(await timed.status())],
    failures: async (most) =>
      [...(await heavy.failures(most)), ...(await timed.failures(most))].slice(0, most),
    retryDead: (name) => engineOf(name).retryDead(name),
    close: async () => {
      await Promise.all([heavy.close(), timed.close()]);
    },
  };
}
