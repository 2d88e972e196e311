import type { MeasuredFile } from "../../tables/statistics/measure-table.ts";
import { createSemaphore } from "../concurrency/fair-semaphore.ts";
import { createSingleFlight } from "../concurrency/single-flight.ts";
import { openRun, orNull, type TaskPool } from "./pool.ts";
import type { MeasureTask, ParquetTask } from "./tasks.ts";
import { limitByFile } from "./time-limits.ts";

/** Statistics and Parquet files by turns, one at a time. */
export const BACKGROUND_THREADS = 1;

/** What is made of a file may take this many times as long as its inspection. */
const TIME_FACTOR = 10;

/** Opens what is made of files behind an answer: as a rule no request waits for it. */
export function openBackgroundWork(pool: TaskPool, inspectTimeoutMs: number) {
  const ofFile = openRun(
    pool,
    limitByFile(TIME_FACTOR * inspectTimeoutMs),
    createSemaphore(BACKGROUND_THREADS),
  );
  const once = createSingleFlight<MeasuredFile | null>();
  return {
    /**
     * The statistics of every table of a stored file that passed inspection (`measure-table.ts`); null over their
     * time or memory. Throws `FileMissing` for a missing file. What several callers request is measured once.
     */
    measure: (task: MeasureTask) =>
      once(`${task.key} ${JSON.stringify(task.dictionary ?? null)}`, () =>
        orNull(ofFile("measureStored", () => task)),
      ),
    /** Stores tables of a file as Parquet files; null over their time or memory. Throws `FileMissing` for a missing file. */
    writeParquet: (task: ParquetTask) => orNull(ofFile("writeStoredParquet", () => task)),
  };
}
