import { type Actor, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import type { JobName } from "../../platform/jobs/catalogue.ts";

/** Enqueues the dead letters of a queue again; returns the count. */
export async function retryDeadJobs(deps: Deps, actor: Actor, queue: JobName): Promise<{ retried: number }> {
  const retried = await deps.jobs.retryDead(queue);
  const act = makeAct("queue", queue, "queue.retry", { detail: { retried } });
  await deps.pool.transaction((tx) => recordAct(tx, actor, act, deps.now()));
  return { retried };
}
