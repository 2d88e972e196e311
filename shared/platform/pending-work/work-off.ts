import { beginPendingWork, deletePendingWork } from "../../../sql/platform/pending-work.ts";
import type { Deps } from "../deps.ts";
import type { JobName } from "../jobs/catalogue.ts";

/** What workers began so often and never ended is given up: it fails each time, or ends the worker. */
const MOST_ATTEMPTS = 20;

/** Does the noted work of a subject, where there is some; what comes again meanwhile stays, for its own job. */
export async function workOff(
  deps: Deps,
  name: JobName,
  subject: string,
  work: (isGivenUp: boolean) => Promise<void>,
): Promise<void> {
  const begun = await beginPendingWork(deps.pool, name, subject);
  if (begun === null) return;
  await work(begun.attempt > MOST_ATTEMPTS);
  await deletePendingWork(deps.pool, begun.id);
}
