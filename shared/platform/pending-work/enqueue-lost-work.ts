import type { Tx } from "../../../sql/connection/pool.ts";
import { renewLostWork } from "../../../sql/platform/pending-work.ts";
import type { Deps } from "../deps.ts";
import { CATALOGUE, JOB_NAMES, type JobName, type WorkerName } from "../jobs/catalogue.ts";
import type { NamedJob } from "../jobs/queue.ts";

/** Enqueues the noted work of a worker again whose job was lost; returns the count of each kind. */
export async function enqueueLostWork(deps: Deps, worker: WorkerName): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const name of JOB_NAMES) {
    const { lost, worker: of } = CATALOGUE[name];
    if (lost === undefined || of !== worker) continue;
    const afterMs = lost.afterMs;
    counted[lost.counts] = await deps.pool.transaction((tx) => enqueueLost(tx, deps, name, afterMs));
  }
  return counted;
}

async function enqueueLost(tx: Tx, deps: Deps, name: JobName, afterMs: number): Promise<number> {
  const lost = await renewLostWork(tx, name, { afterMs, nowMs: deps.now() });
  const jobs = lost.map(({ subject, subject_kind }) => toJob(name, subject, subject_kind));
  await deps.jobs.enqueue(tx, jobs);
  return lost.length;
}

/** The job of noted work. */
function toJob(name: JobName, subject: string, subjectKind: string | null): NamedJob {
  const { onePer, payload } = CATALOGUE[name];
  const ids = { [onePer ?? ""]: subject, ...(subjectKind !== null && { of: subjectKind }) };
  const attempt = "attempt" in payload.shape ? { attempt: 1 } : {};
  return { name, payload: payload.parse({ ...ids, ...attempt }) } as NamedJob;
}
