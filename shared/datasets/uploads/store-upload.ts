import { createHash } from "node:crypto";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { toCanonicalJson } from "../../ground/checksum.ts";
import { httpError, validationFailed } from "../../ground/errors.ts";
import {
  openSecretWatch,
  refuseLeakedCredentials,
} from "../../identity/credentials/refuse-leaked-credentials.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Conversion, convertTable } from "../../tables/dialects/convert-table.ts";
import { type Dialect, DialectRefused } from "../../tables/dialects/dialect.ts";
import { MOST_CELL_BYTES } from "../../tables/dialects/judge-table.ts";
import {
  type EncodingWatch,
  FIRST_BYTES,
  findUtf16,
  watchEncoding,
} from "../../tables/inspection/encoding.ts";
import { describePartFault, FileRefused } from "../../tables/inspection/verdict.ts";
import {
  type AppendBase,
  appendTo,
  findPieceDialect,
  partFrom,
  whileBaseStands,
  wholeTooLarge,
} from "./append-base.ts";
import { discardFilesSoon } from "./discard-files.ts";
import {
  type Format,
  type IncomingFile,
  readAsked,
  readFilename,
  readFormat,
  readPacking,
  refuseDialectOf,
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
  /** The base, the byte at which the part begins, and how the part was read, of a file that was appended. */
  appended: { baseId: string; from: number; pieceDialect: Dialect | null } | null;
  /** How the file is asked to be read. */
  dialect: Dialect | "auto" | null;
  /** What makes two uploads the same: the bytes that came, unpacked, their name, and the base's id. */
  identity: UploadIdentity;
}

/** The part of an upload that its idempotency is about. */
export interface UploadIdentity {
  sha256: string;
  filename: string;
  base_asset_id?: string;
  dialect?: string;
}

/** The name of an upload, and what it says of the bytes. */
export type UploadName = Awaited<ReturnType<typeof readUploadName>>;

/**
 * Reads the name of an upload; throws 422 on `file` for one that cannot be stored, on `dialect` where its file is no table
 * of text.
 */
export async function readUploadName(deps: Deps, file: IncomingFile) {
  const { stored: filename, packing } = readPacking(readFilename(file.filename));
  const format = readFormat(filename);
  if (file.dialect !== null) refuseDialectOf(format);
  await refuseLeakedCredentials(deps, { file: filename });
  return { filename, packing, format, asked: readAsked(filename, file.dialect) };
}

/** Stores an upload, appended to its base where it has one. Throws 422, and stores nothing then. */
export async function storeUpload(
  deps: Deps,
  file: IncomingFile,
  { name, base, limit }: { name: UploadName; base: AppendBase | null; limit: number },
): Promise<Stored> {
  const { filename, format, asked } = name;
  const pieceDialect = base === null || file.isCanonical ? null : findPieceDialect(base, asked);
  // Rows that follow a file in its own form are in UTF-8.
  const mayBeOther = base === null || pieceDialect !== null;
  const arrival = openArrival(deps, file, name, { limit, mayBeOther });
  const id = deps.newId();
  if (base === null) {
    await deps.files.put(id, arrival.bytes);
    const { bytes, sentBytes, sha256 } = arrival.measured();
    const stored = { id, filename, format, bytes, sentBytes, sha256 };
    return { ...stored, appended: null, dialect: asked, identity: identityOf(sha256, file, filename, null) };
  }
  const whole = openMeter(limit, () => refuseFile(wholeTooLarge(limit)));
  await readAsCanonical(deps, arrival.bytes, { dialect: pieceDialect, limit }, async (pieces) => {
    const joined = whole.pass(refuseInPart(appendTo(deps.files, base, pieces)));
    await whileBaseStands(deps, base, () => deps.files.put(id, joined));
  });
  const part = arrival.measured();
  const kept = file.isCanonical ? base.pieceDialect : pieceDialect;
  const appended = { baseId: base.id, from: partFrom(base), pieceDialect: kept };
  const stored = { id, filename: base.filename, format, ...whole.measured(), sentBytes: part.sentBytes };
  const identity = identityOf(part.sha256, file, filename, base.id);
  return { ...stored, appended, dialect: null, identity };
}

/** Has a part of a table read in canonical form; one in another dialect is stored meanwhile, as it is read more than once. */
async function readAsCanonical(
  deps: Deps,
  bytes: AsyncIterable<Uint8Array>,
  { dialect, limit }: { dialect: Dialect | null; limit: number },
  read: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  if (dialect === null) return await read(bytes);
  const sentId = deps.newId();
  await deps.files.put(sentId, bytes);
  try {
    const open = () => deps.files.scan(sentId);
    await read(
      refuseByDialect(convertTable(open, dialect, { mostBytes: limit, mostCellBytes: MOST_CELL_BYTES })),
    );
  } finally {
    await discardFilesSoon(deps, [sentId]);
  }
}

/** The bytes of a conversion, whose refusals of members are those of an upload. */
async function* refuseByDialect({ bytes }: Conversion): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw error instanceof DialectRefused ? validationFailed(error.faults) : error;
  }
}

function identityOf(
  sha256: string,
  { dialect }: IncomingFile,
  filename: string,
  baseId: string | null,
): UploadIdentity {
  return {
    ...{ sha256, filename, ...(baseId !== null && { base_asset_id: baseId }) },
    ...(dialect !== null && { dialect: toCanonicalJson(dialect) }),
  };
}

/** Reads an upload to its end and keeps none of it: only what it is, to look for its answer. */
export async function identifyUpload(
  deps: Deps,
  file: IncomingFile,
  { name, baseId, limit }: { name: UploadName; baseId: string; limit: number },
): Promise<UploadIdentity> {
  const arrival = openArrival(deps, file, name, { limit, mayBeOther: true });
  for await (const _ of arrival.bytes);
  return identityOf(arrival.measured().sha256, file, name.filename, baseId);
}

/**
 * The bytes of a file as they arrive: unpacked, measured, and checked for leaked credentials, and for their encoding where
 * nothing else than UTF-8 is read.
 */
function openArrival(
  deps: Deps,
  file: IncomingFile,
  { packing, format }: UploadName,
  { limit, mayBeOther }: { limit: number; mayBeOther: boolean },
) {
  const bytes = readInTime(file.bytes, packing === "zst" ? STALLED_MS : ARRIVES_WITHIN_MS);
  const unpacked = packing === null ? null : unpack({ ...file, bytes }, packing, limit);
  const watchSecrets = watchAsText(openSecretWatch(deps));
  const watchBytes = openEncodingWatch(file.baseAssetId !== null, format === "csv" && mayBeOther);
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
