import type { Pool } from "../../../sql/connection/pool.ts";
import { listDeadJobs, listQueueStatus } from "../../../sql/platform/job-queues.ts";
import { JOB_NAMES } from "./catalogue.ts";
import type { FailedJob, Jobs } from "./queue.ts";
import { deadLetterName } from "./queue-options.ts";

/** What operators read about pg-boss's queues, from its tables alone. */
export function reportQueues(pool: Pool): Pick<Jobs, "status" | "failures"> {
  return {
    status: async () => [...(await listQueueStatus(pool, JOB_NAMES))],
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
