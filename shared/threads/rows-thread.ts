import type { ReadingIndex } from "../core/inspect/reading-index.ts";
import { type ExportPart, exportWindow } from "../core/rows/export.ts";
import { type RowsOutcome, type RowsWindow, readMatchingPage, readPlainPage } from "../core/rows/page.ts";
import type { PreparedTable } from "../core/rows/prepared.ts";
import { buildIndex, collectBytes, type Source } from "../core/rows/read.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type { ExportTask, InspectTask, MatchesTask, PageTask, ThreadAnswer } from "./tasks.ts";

/** Builds the reading index of a stored file that has none, inside a thread. */
export function indexStored(task: InspectTask): Promise<ThreadAnswer<ReadingIndex>> {
  return runOnStoredFile(task.key, (source) => buildIndex(source(), task.format));
}

/** Reads a long page without conditions, inside a thread. */
export function readStoredPage({ key, plan, window }: PageTask): Promise<ThreadAnswer<RowsOutcome>> {
  return runOnStoredFile(key, async (source) => {
    return readPlainPage(plan, window, await readWindow(source, window), 0);
  });
}

/** Writes the matching rows of one window of an export, inside a thread. */
export function exportStored(task: ExportTask): Promise<ThreadAnswer<ExportPart>> {
  return runOnStoredFile(task.key, async (source) =>
    exportWindow(task, await readWindow(source, task.window)),
  );
}

function readWindow(source: Source, { start, end }: RowsWindow): Promise<Buffer> {
  return collectBytes(source({ start, end: end - 1 }), Buffer.alloc(end - start + 1));
}

/** Reads a page with conditions from shared memory, inside a thread. */
export function readMatches(
  task: MatchesTask,
): ThreadAnswer<{ outcome: RowsOutcome; prepared: PreparedTable }> {
  const { plan, firstRowAt, prepared } = task;
  return { found: true, result: readMatchingPage(plan, firstRowAt, Buffer.from(task.bytes), prepared) };
}
