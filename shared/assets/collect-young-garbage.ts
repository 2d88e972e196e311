import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const EVERY_BYTES = 8 * 1_048_576;

let collect: NodeJS.GCFunction | null = null;
let noted = 0;

/**
 * Counts bytes that came in chunks, and has young memory collected every 8 MiB of them. Chunks lie outside of V8's
 * heap: as long as little else is made it lets some 60 MiB of them gather before it looks, or 6, as it happens.
 */
export function noteChunk(bytes: number): void {
  noted += bytes;
  if (noted < EVERY_BYTES) return;
  noted = 0;
  collect ??= openCollector();
  collect({ type: "minor" });
}

function openCollector(): NodeJS.GCFunction {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
