import { randomInt } from "node:crypto";
import { decodeIndex } from "../../tables/inspection/reading-index.ts";
import { buildIndex, collectBytes } from "../../tables/rows/read.ts";
import { type MeasuredFile, measureFile } from "../../tables/statistics/measure-file.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type { MeasureTask, ThreadAnswer } from "./tasks.ts";

/** Returns the statistics of every table of a stored file, inside a thread. */
export function measureStored({ key, file, readingIndex }: MeasureTask): Promise<ThreadAnswer<MeasuredFile>> {
  return runOnStoredFile(key, async (source) => {
    const stored = readingIndex === null ? null : decodeIndex(readingIndex);
    const index = stored ?? (await buildIndex(source(), file.format));
    const bytes = await collectBytes(source(), Buffer.alloc(file.bytes + 1));
    return measureFile(bytes, file, index, randomInt(2 ** 31));
  });
}
