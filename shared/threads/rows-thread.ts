import { type RowsOutcome, readRows } from "../core/rows/read.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type { RowsTask, ThreadAnswer } from "./tasks.ts";

/** Reads rows of a stored file, inside a thread. */
export function readStoredRows(task: RowsTask): Promise<ThreadAnswer<RowsOutcome>> {
  return runOnStoredFile(task.key, (source) => readRows(source, task.file, task.query, task.limits));
}
