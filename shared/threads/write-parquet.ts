import type { IdleGate } from "../concurrency/idle-gate.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { isOverrun, openPool, runBounded, type ThreadsOptions } from "./pool.ts";
import type { ParquetTask, WrittenParquet } from "./tasks.ts";

// As statistics: what nobody waits for runs at low priority, and may take long.
const NICENESS = 19;
const TIME_FACTOR = 10;
const THREADS = 1;

/** Writes Parquet files in a thread of its own. */
export interface ParquetWriting {
  /** Stores tables as Parquet files, those that a reader asked for at once; null over their time or memory. */
  write(task: ParquetTask, isAsked: boolean): Promise<WrittenParquet[] | null>;
  close(): Promise<void>;
}

/** Opens the thread of Parquet files. */
export function openParquetWriting(options: ThreadsOptions, idleGate: IdleGate): ParquetWriting {
  const pool = openPool(options, THREADS, NICENESS);
  const inOrder = createSemaphore(THREADS);
  return {
    write: (task, isAsked) =>
      inOrder(async () => {
        if (!isAsked) await idleGate.wait();
        const timeoutMs = TIME_FACTOR * options.inspectTimeoutMs;
        const name = "writeStoredParquet";
        const written = await runBounded<WrittenParquet[]>(pool, { name, task }, timeoutMs);
        return isOverrun(written) ? null : written;
      }),
    close: () => pool.destroy(),
  };
}
