import type { ReadingIndex } from "../../tables/inspection/reading-index.ts";
import { type ExportPart, exportWindow } from "../../tables/rows/export.ts";
import { type RowsPage, readPage } from "../../tables/rows/page.ts";
import { buildIndex, collectBytes, type Source } from "../../tables/rows/read.ts";
import type { RowsWindow } from "../../tables/rows/windows.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type { ExportTask, InspectTask, PageTask, ThreadAnswer } from "./tasks.ts";

/** Builds the reading index of a stored file that has none, inside a thread. */
export function indexStored(task: InspectTask): Promise<ThreadAnswer<ReadingIndex>> {
  return runOnStoredFile(task.key, (source) => buildIndex(source(), task.format));
}

/** Reads a page, inside a thread. */
export async function readStoredPage(task: PageTask): Promise<ThreadAnswer<RowsPage>> {
  const { key, plan, windows, bytes } = task;
  if (bytes !== null) {
    const whole = Buffer.from(bytes);
    return { found: true, result: await readPage(plan, windows, ({ start }) => ({ bytes: whole, start })) };
  }
  return await runOnStoredFile(key, (source) =>
    readPage(plan, windows, async (window) => ({ bytes: await readWindow(source, window), start: 0 })),
  );
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
