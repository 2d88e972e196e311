import { randomBytes } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { giveToFolderOwner, makeFolder } from "./folder-owner.ts";
import { FileMissing, type FileStore, FileStoreUnavailable } from "./store.ts";

const UNFINISHED = "tmp";
/** A piece of a file on its way to a reader, who may be slow. */
const PIECE_BYTES = 65_536;
/**
 * The bytes of one read of a scan. Each read goes to a thread and back: with Node's 64 KiB, an inspection waited a
 * fifth of its time.
 */
export const READ_BYTES = 262_144;
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EROFS"]);
const KEY = /^[0-9A-Z]{26}$/;
/** The mode of the store's folder: its owner writes, its group may look, for a backup of its own, and nobody else. */
export const FOLDER_MODE = 0o750;

/**
 * Opens a folder as file store. It writes under a temporary name, then fsync, rename and fsync of the folder,
 * so that a name means complete bytes.
 */
export function openDiskStore(folder: string): FileStore {
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error("a file key is a ULID");
    // Two letters of the random part spread files over 1,024 folders.
    return join(folder, key.slice(-2), key);
  };
  return {
    put: (key, source) => putWhole(folder, pathOf(key), source),
    get: (key, range) => copyPieces(scanBytes(pathOf(key), range, { pieceBytes: PIECE_BYTES })),
    scan: (key, range, options) => scanBytes(pathOf(key), range, options),
    size: async (key) => (await statOrNull(pathOf(key)))?.size ?? null,
    delete: (key) => rm(pathOf(key), { force: true }),
    list: () => listKeys(folder),
    discardUnfinished: (beforeMs) => discardUnfinished(join(folder, UNFINISHED), beforeMs),
  };
}

async function putWhole(folder: string, path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const temporary = join(folder, UNFINISHED, randomBytes(12).toString("hex"));
  try {
    await makeFolder(join(folder, UNFINISHED), FOLDER_MODE);
    const file = await open(temporary, "wx", 0o600);
    try {
      for await (const chunk of source) await file.writeFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    const parent = join(path, "..");
    await makeFolder(parent, FOLDER_MODE);
    await giveToFolderOwner(temporary);
    await rename(temporary, path);
    await syncFolder(parent);
  } catch (error) {
    await rm(temporary, { force: true });
    throw isFull(error) ? new FileStoreUnavailable("the disk is full", { cause: error }) : error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads into one memory: a fresh one for each read, which the system first clears, was a tenth of an inspection. */
async function* scanBytes(
  path: string,
  range: { start: number; end: number } | undefined,
  options: { pieceBytes: number } | { into: Uint8Array } = { pieceBytes: READ_BYTES },
): AsyncIterable<Uint8Array> {
  const file = await open(path).catch((error) => {
    throw isNotFound(error) ? new FileMissing("stored file is missing") : error;
  });
  let room = "into" in options ? options.into : Buffer.allocUnsafeSlow(options.pieceBytes);
  const end = range === undefined ? Number.POSITIVE_INFINITY : range.end + 1;
  try {
    for (let at = range?.start ?? 0; at < end; ) {
      // What is read whole is read in its order, so that a pipe may stand for a file.
      const place = range === undefined ? null : at;
      const { bytesRead } = await file.read(room, 0, Math.min(room.length, end - at), place);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield room.subarray(0, bytesRead);
      if ("into" in options) room = room.subarray(bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* copyPieces(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

async function* listKeys(folder: string): AsyncIterable<{ key: string; writtenAtMs: number }> {
  for (const shard of await namesIn(folder)) {
    if (shard === UNFINISHED) continue;
    for (const key of await namesIn(join(folder, shard))) {
      // A file in another folder than its own is none that is read or deleted by its key.
      const found = KEY.test(key) && key.endsWith(shard) ? await statOrNull(join(folder, shard, key)) : null;
      if (found !== null) yield { key, writtenAtMs: found.mtimeMs };
    }
  }
}

/** A process that was killed in the middle of a write leaves its temporary file behind. */
async function discardUnfinished(folder: string, beforeMs: number): Promise<number> {
  let count = 0;
  for (const name of await namesIn(folder)) {
    const found = await statOrNull(join(folder, name));
    if (found === null || found.mtimeMs >= beforeMs) continue;
    await rm(join(folder, name), { force: true });
    count++;
  }
  return count;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

async function statOrNull(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && FULL.has(String(error.code));
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
