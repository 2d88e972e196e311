import type { IdleGate } from "../concurrency/idle-gate.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { createSingleFlight } from "../concurrency/single-flight.ts";
import type { MeasuredFile } from "../core/stats/measure-file.ts";
import { isOverrun, openPool, runBounded, type ThreadsOptions } from "./pool.ts";
import type { MeasureTask } from "./tasks.ts";

// Statistics take ten times as long as an inspection. They begin where no upload waits for a verdict, or
// after a minute, and run at low priority, so they may take long, and their timeout allows it.
export const MEASURING_WAIT = { restMs: 200, mostMs: 60_000 };
const MEASURING_NICENESS = 19;
const MEASURING_FACTOR = 10;
const MEASURING_THREADS = 1;

/** Measures tables in a thread of its own: requests wait for uploads, and none for statistics. */
export interface Measuring {
  /**
   * The statistics; null over their time or memory. A file that several callers request is measured
   * once.
   */
  measure(task: MeasureTask): Promise<MeasuredFile | null>;
  close(): Promise<void>;
}

/** Opens the thread of statistics, which runs only while the idle gate is open. */
export function openMeasuring(options: ThreadsOptions, idleGate: IdleGate): Measuring {
  const pool = openPool(options, MEASURING_THREADS, MEASURING_NICENESS);
  const inOrder = createSemaphore(MEASURING_THREADS);
  const once = createSingleFlight<MeasuredFile | null>();
  const measure = async (task: MeasureTask): Promise<MeasuredFile | null> => {
    await idleGate.wait();
    const timeoutMs = MEASURING_FACTOR * options.inspectTimeoutMs;
    const stats = await runBounded<MeasuredFile>(pool, { name: "measureStored", task }, timeoutMs);
    return isOverrun(stats) ? null : stats;
  };
  return {
    measure: (task) => once(task.key, () => inOrder(() => measure(task))),
    close: () => pool.destroy(),
  };
}
