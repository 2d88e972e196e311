import { inspectContinued } from "../../tables/inspection/csv-continued.ts";
import { inspectFile } from "../../tables/inspection/inspect.ts";
import type { Verdict } from "../../tables/inspection/verdict.ts";
import type { Source } from "../../tables/rows/read.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type { AppendedPart, InspectTask, ThreadAnswer } from "./tasks.ts";

/** Inspects a stored file, inside a thread; of an appended one no more than the part, where that is enough. */
export function inspectStored(task: InspectTask): Promise<ThreadAnswer<Verdict>> {
  const { key, format, progress, part } = task;
  return runOnStoredFile(key, async (source) => {
    const continued = part === undefined ? null : await continueBase(source, part);
    if (continued !== null) return continued;
    const bytes = progress === undefined ? source() : countBytes(source(), progress);
    return await inspectFile(bytes, format, { partFrom: part?.from });
  });
}

async function continueBase(source: Source, { base, from, end }: AppendedPart): Promise<Verdict | null> {
  if (base === null) return null;
  // A range of no bytes is none.
  const bytes = from < end ? source({ start: from, end: end - 1 }) : noBytes();
  return await inspectContinued(base, { bytes, from });
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

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
