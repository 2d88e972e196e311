import type { Tx } from "../../../sql/connection/pool.ts";
import { upsertPendingWork } from "../../../sql/platform/pending-work.ts";
import type { Deps } from "../deps.ts";
import { CATALOGUE } from "../jobs/catalogue.ts";
import type { NamedJob } from "../jobs/queue.ts";

/**
 * Orders work in the transaction of its cause: enqueues its jobs, and notes it where the catalogue says so, until it is
 * done. Call it last: jobs of one key wait for each other until their transactions end.
 */
export async function orderWork(tx: Tx, deps: Deps, jobs: readonly NamedJob[]): Promise<void> {
  const nowMs = deps.now();
  const works = jobs.flatMap(({ name, payload }) => {
    const { lost, onePer } = CATALOGUE[name];
    if (lost === undefined || onePer === undefined) return [];
    const subjectKind = "of" in payload ? payload.of : null;
    const subject = String(Reflect.get(payload, onePer));
    return [{ kind: name, subject, subjectKind, runMs: nowMs + lost.afterMs }];
  });
  await upsertPendingWork(tx, works, nowMs);
  const named = jobs.map(({ name, payload }) => ({ name, payload: CATALOGUE[name].payload.parse(payload) }));
  await deps.jobs.enqueue(tx, named as NamedJob[]);
}
