import { type AssetRow, noteProgress } from "../../../sql/datasets/assets.ts";
import type { Deps } from "../../platform/deps.ts";

/** The shortest time between two writes of progress: most inspections end before the first. */
const EVERY_MS = 400;
const MOST_BEFORE_THE_VERDICT = 0.99;

/** Follows how far an inspection has read. */
export interface Progress {
  /** One number: bytes read so far, which the inspecting thread sets. */
  counter: SharedArrayBuffer;
  /** Stops following; resolves once no write is under way. */
  stop(): Promise<void>;
}

/** Writes an inspection's progress into the upload's row every `EVERY_MS` until it is stopped. */
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
    // Progress is only shown, so the inspection goes on where the write fails.
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
