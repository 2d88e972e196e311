import { createHash } from "node:crypto";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { httpError } from "../../ground/errors.ts";
import {
  openSecretWatch,
  refuseLeakedCredentials,
} from "../../identity/credentials/refuse-leaked-credentials.ts";
import type { Deps } from "../../platform/deps.ts";
import { type EncodingWatch, watchEncoding } from "../../tables/inspection/encoding.ts";
import { describePartFault, FileRefused } from "../../tables/inspection/verdict.ts";
import { type AppendBase, appendTo, partFrom, whileBaseStands, wholeTooLarge } from "./append-base.ts";
import {
  type Format,
  type IncomingFile,
  readFilename,
  readFormat,
  readPacking,
  refuseFile,
  tooLarge,
} from "./incoming-file.ts";
import { unpack } from "./unpack.ts";

/** How long the bytes of a file may take to arrive, without what they wait unread. */
const ARRIVES_WITHIN_MS = 120_000;
/** A file that is unpacked holds some 8 MiB: one whose sender pauses for so long gives its turn to another. */
const STALLED_MS = 10_000;
const TOO_SLOW = httpError(408, "The file did not arrive in time, or stopped arriving; send it again.");

/** The stored bytes with their measured size and hash. */
export interface Stored {
  id: string;
  filename: string;
  format: Format;
  bytes: number;
  /** The bytes that came, of a compressed file. */
  sentBytes: number | null;
  sha256: string;
  /** The base and the byte at which the part begins, of a file that was appended. */
  appended: { baseId: string; from: number } | null;
  /** What makes two uploads the same: the bytes that came, unpacked, their name, and the base's id. */
  identity: UploadIdentity;
}

/** The part of an upload that its idempotency is about. */
export interface UploadIdentity {
  sha256: string;
  filename: string;
  base_asset_id?: string;
}

/** The name of an upload, and what it says of the bytes. */
export type UploadName = Awaited<ReturnType<typeof readUploadName>>;

/** Reads the name of an upload; throws 422 on `file` for one that cannot be stored. */
export async function readUploadName(deps: Deps, file: IncomingFile) {
  const { stored: filename, packing } = readPacking(readFilename(file.filename));
  const format = readFormat(filename);
  await refuseLeakedCredentials(deps, { file: filename });
  return { filename, packing, format };
}

/** Stores an upload, appended to its base where it has one. Throws 422, and stores nothing then. */
export async function storeUpload(
  deps: Deps,
  file: IncomingFile,
  { name, base, limit }: { name: UploadName; base: AppendBase | null; limit: number },
): Promise<Stored> {
  const { filename, format } = name;
  const arrival = openArrival(deps, file, name, limit);
  const id = deps.newId();
  if (base === null) {
    await deps.files.put(id, arrival.bytes);
    const { bytes, sentBytes, sha256 } = arrival.measured();
    return { id, filename, format, bytes, sentBytes, sha256, appended: null, identity: { sha256, filename } };
  }
  const whole = openMeter(limit, () => refuseFile(wholeTooLarge(limit)));
  const joined = whole.pass(refuseInPart(appendTo(deps.files, base, arrival.bytes)));
  await whileBaseStands(deps, base, () => deps.files.put(id, joined));
  const part = arrival.measured();
  const identity = { sha256: part.sha256, filename, base_asset_id: base.id };
  const appended = { baseId: base.id, from: partFrom(base) };
  const stored = { id, filename: base.filename, format, ...whole.measured(), sentBytes: part.sentBytes };
  return { ...stored, appended, identity };
}

/** Reads an upload to its end and keeps none of it: only what it is, to look for its answer. */
export async function identifyUpload(
  deps: Deps,
  file: IncomingFile,
  { name, baseId, limit }: { name: UploadName; baseId: string; limit: number },
): Promise<UploadIdentity> {
  const arrival = openArrival(deps, file, name, limit);
  for await (const _ of arrival.bytes);
  return { sha256: arrival.measured().sha256, filename: name.filename, base_asset_id: baseId };
}

/** The bytes of a file as they arrive: unpacked, measured, and checked for encoding and leaked credentials. */
function openArrival(deps: Deps, file: IncomingFile, { packing }: UploadName, limit: number) {
  const bytes = readInTime(file.bytes, packing === "zst" ? STALLED_MS : ARRIVES_WITHIN_MS);
  const unpacked = packing === null ? null : unpack({ ...file, bytes }, packing, limit);
  const watchSecrets = openSecretWatch(deps);
  const watchBytes = openEncodingWatch(file.baseAssetId !== null);
  const meter = openMeter(limit, () => tooLarge(limit));
  async function* check(): AsyncGenerator<Uint8Array> {
    for await (const chunk of meter.pass(unpacked?.bytes ?? bytes)) {
      watchBytes(chunk);
      await watchSecrets(chunk);
      yield chunk;
    }
    if (file.wasCut()) throw tooLarge(limit);
    watchBytes();
    await watchSecrets();
  }
  const measured = () => ({ ...meter.measured(), sentBytes: unpacked?.sentBytes() ?? null });
  return { bytes: check(), measured };
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

/** Counts and hashes the bytes that pass, and throws where they are more than the limit. */
function openMeter(limit: number, refuse: () => Error) {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* pass(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > limit) throw refuse();
      hash.update(piece);
      yield piece;
    }
  }
  return { pass, measured: () => ({ bytes, sha256: hash.copy().digest("hex") }) };
}

/** Checks the encoding of bytes as inspection does, and refuses with the same sentences. */
function openEncodingWatch(isPart: boolean): EncodingWatch {
  const watch = watchEncoding();
  return (chunk) => {
    try {
      watch(chunk);
    } catch (error) {
      throw toRefusal(error, isPart);
    }
  };
}

/** The refusals of a part that does not fit its base, as those of an upload. */
async function* refuseInPart(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw toRefusal(error, true);
  }
}

function toRefusal(error: unknown, isPart: boolean): unknown {
  if (!(error instanceof FileRefused)) return error;
  return refuseFile(isPart ? describePartFault(error.message) : error.message);
}
