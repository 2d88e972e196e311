import type { Pool } from "../../../sql/connection/pool.ts";
import { listDeadJobs, listQueueStatus } from "../../../sql/platform/job-queues.ts";
import { CATALOGUE, JOB_NAMES, type JobName } from "./catalogue.ts";
import type { FailedJob, Jobs } from "./queue.ts";

/** pg-boss's own schema in the database. */
export const SCHEMA = "pgboss";

/** A queue of pg-boss as the catalogue wants it. */
export type WantedQueue = (typeof WANTED_QUEUES)[number];

/** The queue of each job of the catalogue. */
export const WANTED_QUEUES = JOB_NAMES.map((name) => {
  const kind = CATALOGUE[name];
  return {
    name,
    policy: kind.onePer !== undefined ? ("stately" as const) : ("standard" as const),
    options: {
      deadLetter: deadLetterName(name),
      retryLimit: kind.attempts - 1,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: kind.timeoutSeconds,
      // A killed worker's job is seen after ten seconds without a heartbeat; the default is fifteen minutes.
      heartbeatSeconds: 10,
      deleteAfterSeconds: 24 * 60 * 60,
      notify: true,
    },
  };
});

/** The queue of the jobs of a name that used up their tries. */
export function deadLetterName(name: JobName): string {
  return `${name}-dead`;
}

/** What operators read about pg-boss's queues, from its tables alone. */
export function reportQueues(pool: Pool): Pick<Jobs, "status" | "failures"> {
  return {
    status: () => listQueueStatus(pool, JOB_NAMES),
    failures: (most) => listFailures(pool, most),
  };
}

async function listFailures(pool: Pool, most: number): Promise<FailedJob[]> {
  const rows = await listDeadJobs(pool, JOB_NAMES.map(deadLetterName), most);
  return rows.map(({ queue, id, failed_at, reason, payload }) => ({
    queue: queue.replace(/-dead$/, ""),
    id,
    failedAtMs: failed_at,
    reason: reason.split("\n")[0] ?? "",
    payload: JSON.parse(payload),
  }));
}
