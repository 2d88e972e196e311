import { inspectFile } from "../core/inspect/inspect.ts";
import type { Verdict } from "../core/inspect/verdict.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type { InspectTask, ThreadAnswer } from "./tasks.ts";

/** Inspects a stored file, inside a thread. */
export function inspectStored(task: InspectTask): Promise<ThreadAnswer<Verdict>> {
  const { key, format, progress, partFrom } = task;
  return runOnStoredFile(key, (source) =>
    inspectFile(progress === undefined ? source() : countBytes(source(), progress), format, { partFrom }),
  );
}

async function* countBytes(
  source: AsyncIterable<Uint8Array>,
  progress: SharedArrayBuffer,
): AsyncGenerator<Uint8Array> {
  const counter = new Uint32Array(progress);
  for await (const chunk of source) {
    yield chunk;
    Atomics.add(counter, 0, chunk.length);
  }
}
