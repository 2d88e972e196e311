import { type AssetRow, noteProgress } from "../../sql/assets.ts";
import type { Deps } from "../deps.ts";

/** How often progress is written, at most: most files are done before the first time. */
const EVERY_MS = 400;
const MOST_BEFORE_THE_VERDICT = 0.99;

/** Watches how far an inspection has read. */
export interface Progress {
  /** One number: bytes read so far, which the inspecting thread sets. */
  counter: SharedArrayBuffer;
  /** Ends the watch; resolves when nothing is being written any more. */
  stop(): Promise<void>;
}

/** Writes how far an inspection has read into the upload's row, now and then, until it is stopped. */
export function followProgress(
  deps: Deps,
  asset: Pick<AssetRow, "id" | "bytes">,
  attempt: number,
  everyMs: number = EVERY_MS,
): Progress {
  const counter = new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT);
  const bytesRead = new Uint32Array(counter);
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    const share = shareOf(Atomics.load(bytesRead, 0), asset.bytes);
    if (share <= written) return;
    written = share;
    // Only a figure to look at: where it cannot be written, the inspection goes on.
    await noteProgress(deps.pool, asset.id, attempt, share).catch(() => undefined);
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, everyMs);
  timer.unref();
  return {
    counter,
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

function shareOf(bytesRead: number, bytes: number): number {
  if (bytes === 0) return 0;
  return Math.min(Math.floor((bytesRead / bytes) * 100) / 100, MOST_BEFORE_THE_VERDICT);
}
