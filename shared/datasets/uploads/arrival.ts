import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { measurePieces } from "../../ground/checksum.ts";
import { httpError } from "../../ground/errors.ts";
import { openSecretWatch } from "../../identity/credentials/refuse-leaked-credentials.ts";
import type { Deps } from "../../platform/deps.ts";
import {
  type EncodingWatch,
  FIRST_BYTES,
  findUtf16,
  watchEncoding,
} from "../../tables/inspection/encoding.ts";
import { describePartFault, FileRefused } from "../../tables/inspection/verdict.ts";
import { type Format, type IncomingFile, type Packing, refuseFile, tooLarge } from "./incoming-file.ts";
import { unpack } from "./unpack.ts";

/** How long the bytes of a file may take to arrive, without what they wait unread. */
const ARRIVES_WITHIN_MS = 120_000;
/** A file that is unpacked holds some 8 MiB: one whose sender pauses for so long gives its turn to another. */
const STALLED_MS = 10_000;
const TOO_SLOW = httpError(408, "The file did not arrive in time, or stopped arriving; send it again.");

/**
 * The bytes of a file as they arrive: unpacked, measured, and checked for leaked credentials, and for their encoding where
 * nothing else than UTF-8 is read.
 */
export function openArrival(
  deps: Deps,
  file: IncomingFile,
  { packing, format }: { packing: Packing | null; format: Format },
  { limit, mayBeOther }: { limit: number; mayBeOther: boolean },
) {
  const bytes = readInTime(file.bytes, packing === "zst" ? STALLED_MS : ARRIVES_WITHIN_MS);
  const unpacked = packing === null ? null : unpack({ ...file, bytes }, packing, limit);
  const watchSecrets = watchAsText(openSecretWatch(deps));
  const watchBytes = openEncodingWatch(file.baseAssetId !== null, format === "csv" && mayBeOther);
  const { pieces, measured } = measurePieces(unpacked?.bytes ?? bytes, (count) => {
    if (count > limit) throw tooLarge(limit);
  });
  async function* check(): AsyncGenerator<Uint8Array> {
    for await (const chunk of pieces) {
      watchBytes(chunk);
      await watchSecrets(chunk);
      yield chunk;
    }
    if (file.wasCut()) throw tooLarge(limit);
    watchBytes();
    await watchSecrets();
  }
  return { bytes: check(), measured: () => ({ ...measured(), sentBytes: unpacked?.sentBytes() ?? null }) };
}

/** Reads what a sender sends; throws 408 where it pauses for too long, or is waited for too long altogether. */
async function* readInTime(
  bytes: AsyncIterable<Uint8Array>,
  mostPauseMs: number,
): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  let leftMs = ARRIVES_WITHIN_MS;
  try {
    for (;;) {
      const sinceMs = performance.now();
      const next = await withTimeout(pieces.next(), Math.min(mostPauseMs, leftMs), () => TOO_SLOW);
      leftMs -= performance.now() - sinceMs;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Where nothing comes this ends with the connection alone.
    pieces.return?.().catch(() => undefined);
  }
}

/** Shows a watch the characters of UTF-16 as UTF-8, in which what it looks for is written. */
function watchAsText(watch: (piece?: Uint8Array) => Promise<void>): (piece?: Uint8Array) => Promise<void> {
  let start: Buffer | null = Buffer.alloc(0);
  let toUtf8 = (bytes: Uint8Array) => bytes;
  return async (piece) => {
    let bytes = piece ?? new Uint8Array(0);
    if (start !== null) {
      bytes = Buffer.concat([start, bytes]);
      start = piece !== undefined && bytes.length < FIRST_BYTES ? Buffer.from(bytes) : null;
      if (start !== null) return;
      const encoding = findUtf16(bytes);
      if (encoding !== null) toUtf8 = openTranscoder(encoding);
    }
    if (bytes.length > 0) await watch(toUtf8(bytes));
    if (piece === undefined) await watch();
  };
}

function openTranscoder(encoding: string): (bytes: Uint8Array) => Uint8Array {
  const decoder = new TextDecoder(encoding);
  return (bytes) => Buffer.from(decoder.decode(bytes, { stream: true }));
}

/** Checks the encoding of bytes as inspection does, and refuses with the same sentences. */
function openEncodingWatch(isPart: boolean, isTable: boolean): EncodingWatch {
  const watch = watchEncoding(isTable);
  return (chunk) => {
    try {
      watch(chunk);
    } catch (error) {
      throw toRefusal(error, isPart);
    }
  };
}

/** The refusal of an upload for a fault of its bytes; of a part, whose rows are told. */
export function toRefusal(error: unknown, isPart: boolean): unknown {
  if (!(error instanceof FileRefused)) return error;
  return refuseFile(isPart ? describePartFault(error.message) : error.message);
}
