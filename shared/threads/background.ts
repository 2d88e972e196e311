import type { Piscina } from "piscina";
import { createSemaphore, type Semaphore } from "../concurrency/semaphore.ts";
import { openPool, type ThreadsOptions } from "./pool.ts";

// Requests wait for uploads and for answers, and none for what is made behind them: it runs at low priority.
const NICENESS = 19;
const THREADS = 1;
// Pictures are drawn in milliseconds: they do not wait until the statistics of a large file are there.
export const PAINTING_THREADS = 1;
/** Such work may take this many times as long as an inspection. */
const TIME_FACTOR = 10;

/** The threads for what is made behind an answer: statistics and Parquet of a file by turns, and pictures. */
export interface Background {
  pool: Piscina;
  inOrder: Semaphore;
  timeoutMs: number;
}

/** Opens the threads; each starts with its first task. */
export function openBackground(options: ThreadsOptions): Background {
  return {
    pool: openPool(options, THREADS + PAINTING_THREADS, NICENESS),
    inOrder: createSemaphore(THREADS),
    timeoutMs: TIME_FACTOR * options.inspectTimeoutMs,
  };
}
