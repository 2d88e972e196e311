import type { ReadingIndex } from "../core/inspect/reading-index.ts";
import { type RowsOutcome, readMatchingPage, readPlainPage } from "../core/rows/page.ts";
import type { PreparedTable } from "../core/rows/prepared.ts";
import { buildIndex, collectBytes } from "../core/rows/read.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type { InspectTask, MatchesTask, PageTask, ThreadAnswer } from "./tasks.ts";

/** Makes the reading index of a stored file that has none, inside a thread. */
export function indexStored(task: InspectTask): Promise<ThreadAnswer<ReadingIndex>> {
  return runOnStoredFile(task.key, (source) => buildIndex(source(), task.format));
}

/** Reads a long page without conditions, inside a thread. */
export function readStoredPage({ key, plan, window }: PageTask): Promise<ThreadAnswer<RowsOutcome>> {
  return runOnStoredFile(key, async (source) => {
    const range = { start: window.start, end: window.end - 1 };
    const bytes = await collectBytes(source(range), Buffer.alloc(window.end - window.start + 1));
    return readPlainPage(plan, window, bytes, 0);
  });
}

/** Reads a page with conditions from shared memory, inside a thread. */
export function readMatches(
  task: MatchesTask,
): ThreadAnswer<{ outcome: RowsOutcome; prepared: PreparedTable }> {
  const { plan, firstRowAt, prepared } = task;
  return { found: true, result: readMatchingPage(plan, firstRowAt, Buffer.from(task.bytes), prepared) };
}
