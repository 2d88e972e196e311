import { isUtf8 } from "node:buffer";
import {
  countGoodBytes,
  countLineFeeds,
  countWholeCharacterBytes,
  FIRST_BYTES,
  refuseByte,
  refuseForeignStart,
} from "./encoding.ts";
import type { FileRefused } from "./verdict.ts";

/** Checks the bytes of a file as they pass: one call a chunk, and one without at the end. */
export type EncodingWatch = (chunk?: Uint8Array) => void;

interface Watched {
  /** The first bytes of the file, while they are too few to show its format. */
  start: Uint8Array | null;
  /** A character that the last chunk cut. */
  carried: Uint8Array;
  offset: number;
  line: number;
}

/** Starts a watch that throws `FileRefused` for a file that is no UTF-8 text, as its inspection would. */
export function watchEncoding(): EncodingWatch {
  const watched: Watched = { start: new Uint8Array(0), carried: new Uint8Array(0), offset: 0, line: 1 };
  return (chunk) => {
    const bytes = takeStart(watched, chunk);
    if (bytes !== null) watchBytes(watched, bytes);
    if (chunk === undefined && watched.carried.length > 0) throw refuseAt(watched, watched.carried, 0, true);
  };
}

/** The bytes to check next: the first ones wait until they are enough to show the format. */
function takeStart(watched: Watched, chunk: Uint8Array | undefined): Uint8Array | null {
  if (watched.start === null) return chunk ?? null;
  const start = join(watched.start, chunk ?? new Uint8Array(0));
  const isWaiting = chunk !== undefined && start.length < FIRST_BYTES;
  watched.start = isWaiting ? Uint8Array.from(start) : null;
  if (isWaiting) return null;
  refuseForeignStart(start);
  return start;
}

function watchBytes(watched: Watched, chunk: Uint8Array): void {
  const bytes = join(watched.carried, chunk);
  const whole = bytes.subarray(0, countWholeCharacterBytes(bytes));
  if (!isUtf8(whole)) throw refuseAt(watched, whole, countGoodBytes(whole), false);
  // A copy: the source may use its chunk again.
  watched.carried = Uint8Array.from(bytes.subarray(whole.length));
  watched.offset += whole.length;
  watched.line += countLineFeeds(whole);
}

function join(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.length === 0 ? other : Buffer.concat([one, other]);
}

function refuseAt(watched: Watched, bytes: Uint8Array, at: number, isCut: boolean): FileRefused {
  const line = watched.line + countLineFeeds(bytes.subarray(0, at));
  return refuseByte(line, { byte: bytes[at] ?? 0, at: watched.offset + at, isCut });
}
