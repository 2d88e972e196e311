import { etagOf } from "../../ground/checksum.ts";
import { bodyAround } from "../../ground/framed-json.ts";
import type { ReadingIndex } from "../../tables/inspection/reading-index.ts";
import { type ExportPart, exportWindow } from "../../tables/rows/export.ts";
import {
  type RowsOutcome,
  type RowsWindow,
  readMatchingPage,
  readPlainPage,
} from "../../tables/rows/page.ts";
import { buildIndex, collectBytes, type Source } from "../../tables/rows/read.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type {
  ExportTask,
  HashedOutcome,
  InspectTask,
  MatchesTask,
  PageTask,
  PreparedOutcome,
  ThreadAnswer,
} from "./tasks.ts";

/** Builds the reading index of a stored file that has none, inside a thread. */
export function indexStored(task: InspectTask): Promise<ThreadAnswer<ReadingIndex>> {
  return runOnStoredFile(task.key, (source) => buildIndex(source(), task.format));
}

/** Reads a long page without conditions, inside a thread. */
export async function readStoredPage(task: PageTask): Promise<ThreadAnswer<HashedOutcome>> {
  const { key, plan, window, bytes } = task;
  if (bytes !== null) {
    return { found: true, result: withEtag(readPlainPage(plan, window, Buffer.from(bytes), window.start)) };
  }
  return await runOnStoredFile(key, async (source) => {
    return withEtag(readPlainPage(plan, window, await readWindow(source, window), 0));
  });
}

/** Writes the matching rows of one window of an export, inside a thread. */
export function exportStored(task: ExportTask): Promise<ThreadAnswer<ExportPart>> {
  return runOnStoredFile(task.key, async (source) =>
    exportWindow(task, await readWindow(source, task.window)),
  );
}

/** The process that sends a megabyte would take half a millisecond to hash it. */
function withEtag(outcome: RowsOutcome): HashedOutcome {
  return { outcome, etag: outcome.ok ? etagOf(bodyAround(outcome.json)) : null };
}

function readWindow(source: Source, { start, end }: RowsWindow): Promise<Buffer> {
  return collectBytes(source({ start, end: end - 1 }), Buffer.alloc(end - start + 1));
}

/** Reads a page with conditions from shared memory, inside a thread. */
export function readMatches(task: MatchesTask): ThreadAnswer<PreparedOutcome> {
  const { plan, firstRowAt, prepared } = task;
  const found = readMatchingPage(plan, firstRowAt, Buffer.from(task.bytes), prepared);
  const isNew = found.prepared !== prepared;
  return { found: true, result: { ...withEtag(found.outcome), prepared: isNew ? found.prepared : null } };
}
