import type { Tx } from "../../sql/connection/pool.ts";
import type { JobName, JobPayload } from "./catalogue.ts";

/** What a running job is told beside its payload. */
export interface JobRun {
  id: string;
  /** 1 for the first try. */
  attempt: number;
  /** Aborts when the job's time is up or its worker stops. */
  signal: AbortSignal;
}

export type JobHandler<Name extends JobName> = (payload: JobPayload<Name>, run: JobRun) => Promise<void>;

/** How one queue stands: a row of `jobs status`. */
export interface QueueStatus {
  queue: string;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** Age in seconds of the job that waits longest; null when none waits. */
  oldest: number | null;
}

/** A job that used up its tries and waits for an operator. */
export interface FailedJob {
  queue: string;
  id: string;
  /** When it was kept aside, epoch milliseconds. */
  failedAtMs: number;
  /** The first line of what its last try threw. */
  reason: string;
  /** Its payload: ids only. */
  payload: Record<string, unknown>;
}

/**
 * The port to the engine that carries jobs. `enqueue` belongs to the caller's transaction: the row and its job
 * commit together or not at all.
 */
export interface Jobs {
  enqueue<Name extends JobName>(tx: Tx, name: Name, payload: JobPayload<Name>): Promise<void>;
  /** Takes jobs of this name from now on, so many at once. */
  work<Name extends JobName>(name: Name, handler: JobHandler<Name>, concurrency: number): Promise<void>;
  status(): Promise<QueueStatus[]>;
  /** Jobs that were kept aside, the latest first, at most so many. */
  failures(most: number): Promise<FailedJob[]>;
  /** Puts a queue's dead letters back to work; tells how many. */
  retryDead(name: JobName): Promise<number>;
  /** Stops taking jobs, gives running ones a moment to end, and hands the rest back. */
  close(): Promise<void>;
}
