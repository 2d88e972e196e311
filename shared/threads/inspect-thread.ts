import { inspectFile } from "../core/inspect/inspect.ts";
import type { Verdict } from "../core/inspect/verdict.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type { InspectTask, ThreadAnswer } from "./tasks.ts";

/** Inspects a stored file, inside a thread. */
export function inspectStored(task: InspectTask): Promise<ThreadAnswer<Verdict>> {
  return runOnStoredFile(task.key, (source) => inspectFile(source(), task.format));
}
