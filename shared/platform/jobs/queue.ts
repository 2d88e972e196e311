import type { Tx } from "../../../sql/connection/pool.ts";
import type { QueueRow } from "../../../sql/platform/job-queues.ts";
import type { JobName, JobPayload } from "./catalogue.ts";

/** The facts about a running job beside its payload. */
export interface JobRun {
  id: string;
  /** 1 for the first try. */
  attempt: number;
  /** Aborts on the job's timeout or when its worker stops. */
  signal: AbortSignal;
}

export type JobHandler<Name extends JobName> = (payload: JobPayload<Name>, run: JobRun) => Promise<void>;

/** A dead letter: a job that used up its tries and waits for an operator. */
export interface FailedJob {
  queue: string;
  id: string;
  /** When it became a dead letter, epoch milliseconds. */
  failedAtMs: number;
  /** The first line of its last error. */
  reason: string;
  /** The payload of the job: ids only. */
  payload: Record<string, unknown>;
}

/** A job with its name. */
export type NamedJob = { [Name in JobName]: { name: Name; payload: JobPayload<Name> } }[JobName];

/**
 * The port to the engine that carries jobs. `enqueue` belongs to the caller's transaction: the rows and their
 * jobs commit together or not at all.
 */
export interface Jobs {
  enqueue(tx: Tx, jobs: readonly NamedJob[]): Promise<void>;
  /** Runs jobs of this name from now on, at most `concurrency` at once. */
  work<Name extends JobName>(name: Name, handler: JobHandler<Name>, concurrency: number): Promise<void>;
  status(): Promise<readonly QueueRow[]>;
  /** At most `most` dead letters, the latest first. */
  failures(most: number): Promise<FailedJob[]>;
  /** Enqueues a queue's dead letters again; returns the count. */
  retryDead(name: JobName): Promise<number>;
  /** Stops taking jobs, gives running ones a few seconds to end, and hands the rest back. */
  close(): Promise<void>;
}
