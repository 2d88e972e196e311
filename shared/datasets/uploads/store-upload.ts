import { measurePieces, toCanonicalJson } from "../../ground/checksum.ts";
import { validationFailed } from "../../ground/errors.ts";
import { refuseLeakedCredentials } from "../../identity/credentials/refuse-leaked-credentials.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Conversion, convertTable } from "../../tables/dialects/convert-table.ts";
import { type Dialect, DialectRefused } from "../../tables/dialects/dialect.ts";
import { readStart, settleDialect } from "../../tables/dialects/encodings.ts";
import { type AppendBase, appendTo, partFrom, whileBaseStands, wholeTooLarge } from "./append-base.ts";
import { openArrival, toRefusal } from "./arrival.ts";
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
} from "./incoming-file.ts";
import { findPieceDialect, pieceDialectOf } from "./piece-dialect.ts";

/** The base of a part, the byte at which the part begins, how it was read, and what that changed, also as JSON text. */
interface StoredPart {
  baseId: string;
  from: number;
  pieceDialect: Dialect | null;
  changes: string[];
  reading: string | null;
}

/** The stored bytes with their measured size and hash. */
export interface Stored {
  id: string;
  filename: string;
  format: Format;
  bytes: number;
  /** The bytes that came, of a compressed file. */
  sentBytes: number | null;
  sha256: string;
  /** Of a file that was appended. */
  appended: StoredPart | null;
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
  const pieceDialect = base === null || file.isCanonical ? null : findPieceDialect(base.row, asked);
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
  let whole = { bytes: 0, sha256: "" };
  const read = { dialect: pieceDialect, isNamed: asked !== null, limit };
  const changes = await readAsCanonical(deps, arrival.bytes, read, async (pieces) => {
    const joined = measurePieces(refuseInPart(appendTo(deps.files, base, pieces)), (bytes) => {
      if (bytes > limit) throw refuseFile(wholeTooLarge(limit));
    });
    await whileBaseStands(deps, base, () => deps.files.put(id, joined.pieces));
    whole = joined.measured();
  });
  const part = arrival.measured();
  const kept = file.isCanonical ? pieceDialectOf(base.row) : pieceDialect;
  const reading = changes.length > 0 ? JSON.stringify({ changes }) : null;
  const appended = { baseId: base.id, from: partFrom(base), pieceDialect: kept, changes, reading };
  const stored = { id, filename: base.filename, format, ...whole, sentBytes: part.sentBytes };
  const identity = identityOf(part.sha256, file, filename, base.id);
  return { ...stored, appended, dialect: null, identity };
}

/**
 * Has a part of a table read in canonical form, and says what that changes; one in another dialect is stored meanwhile, as
 * it is read more than once.
 */
async function readAsCanonical(
  deps: Deps,
  bytes: AsyncIterable<Uint8Array>,
  { dialect, isNamed, limit }: { dialect: Dialect | null; isNamed: boolean; limit: number },
  read: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<string[]> {
  if (dialect === null) {
    await read(bytes);
    return [];
  }
  const sentId = deps.newId();
  await deps.files.put(sentId, bytes);
  try {
    const open = () => deps.files.scan(sentId);
    const settled = settleDialect(await readStart(open), dialect);
    const conversion = convertTable(open, settled, limit);
    await read(refuseByDialect(conversion, isNamed));
    return conversion.finish().changes;
  } finally {
    await discardFilesSoon(deps, [sentId]);
  }
}

/** The bytes of a conversion, whose refusals of members are those of an upload; a dialect that nobody named is the base's. */
async function* refuseByDialect({ bytes }: Conversion, isNamed: boolean): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    if (!(error instanceof DialectRefused)) throw error;
    if (isNamed) throw validationFailed(error.faults);
    throw refuseFile(
      `${error.message} The rows are read as those of the base are. Where they are written otherwise, name their own dialect.`,
    );
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

/** The refusals of a part that does not fit its base, as those of an upload. */
async function* refuseInPart(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw toRefusal(error, true);
  }
}
