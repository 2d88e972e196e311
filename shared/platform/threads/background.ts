import { createSemaphore, type Semaphore } from "../concurrency/semaphore.ts";
import { openPool, type TaskPool, type ThreadsOptions } from "./pool.ts";

// Requests wait for uploads, and none for what is made of a file behind them: it runs at low priority.
const NICENESS = 19;
const THREADS = 1;
/** Such work may take this many times as long as an inspection. */
const TIME_FACTOR = 10;

/** The thread for what is made of a file behind its upload: statistics and Parquet by turns. */
export interface Background {
  pool: TaskPool;
  inOrder: Semaphore;
  timeoutMs: number;
}

/** Opens the thread; it starts with its first task. */
export function openBackground(options: ThreadsOptions): Background {
  return {
    pool: openPool(options, { name: "background", most: THREADS, niceness: NICENESS }),
    inOrder: createSemaphore(THREADS),
    timeoutMs: TIME_FACTOR * options.inspectTimeoutMs,
  };
}
