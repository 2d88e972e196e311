import type { MeasuredFile } from "../../tables/statistics/measure-table.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { createSingleFlight } from "../concurrency/single-flight.ts";
import { openRun, orNull, type TaskPool } from "./pool.ts";
import type { MeasureTask, PaintTask, ParquetTask, Pictures, WrittenParquet } from "./tasks.ts";

/** What is made of files and works behind an answer: as a rule no request waits for it. */
export interface BackgroundWork {
  /**
   * The statistics of every table of a stored file that passed inspection (`measure-table.ts`); null over their
   * time or memory. Throws `FileMissing` for a missing file. A file that several callers request is measured once.
   */
  measure(task: MeasureTask): Promise<MeasuredFile | null>;
  /** Stores tables of a file as Parquet files; null over their time or memory. Throws `FileMissing` for a missing file. */
  writeParquet(task: ParquetTask): Promise<WrittenParquet[] | null>;
  /** An artwork's pictures; null over their time or memory. */
  drawPictures(task: PaintTask): Promise<Pictures | null>;
}

/** Statistics and Parquet files by turns, one at a time. */
const FILES_AT_ONCE = 1;
/** Pictures are drawn in milliseconds: they do not wait until the statistics of a large file are there. */
const PICTURES_AT_ONCE = 1;
export const BACKGROUND_THREADS = FILES_AT_ONCE + PICTURES_AT_ONCE;

/** What is made of a file may take this many times as long as its inspection. */
const TIME_FACTOR = 10;
// What a machine that is busy with much else may take for the start of the thread, and for one picture.
const PICTURE_LIMITS = { timeoutMs: 50_000, startTimeoutMs: 75_000 };

/** Opens the work in the background. */
export function openBackgroundWork(pool: TaskPool, inspectTimeoutMs: number): BackgroundWork {
  const ofFile = openRun(pool, {
    inOrder: createSemaphore(FILES_AT_ONCE),
    timeoutMs: TIME_FACTOR * inspectTimeoutMs,
  });
  const paint = openRun(pool, { inOrder: createSemaphore(PICTURES_AT_ONCE), ...PICTURE_LIMITS });
  const once = createSingleFlight<MeasuredFile | null>();
  return {
    measure: (task) => once(task.key, () => orNull(ofFile("measureStored", () => task))),
    writeParquet: (task) => orNull(ofFile("writeStoredParquet", () => task)),
    drawPictures: (task) => orNull(paint("paintArtwork", () => task)),
  };
}
