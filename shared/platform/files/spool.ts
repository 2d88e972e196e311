import { createHash, type Hash } from "node:crypto";
import { type FileHandle, mkdir, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Every upload has its own folder in the system's temporary one and removes it at the end. */
const PREFIX = "broadsheet-spool-";

/** A part of a source in a temporary file. */
export interface Spooled {
  /** Counts from 1. */
  number: number;
  path: string;
  bytes: number;
  /** Base64, as in the header: the store refuses bytes that differ. */
  md5: string;
}

/**
 * Writes a source to a temporary file part by part; each part exists until the next one is requested. All
 * parts but the last have the same size; an empty source is one empty part.
 */
export async function* spoolInParts(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Spooled> {
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(join(folder, PREFIX));
  let part = await beginPart(own, 1);
  try {
    for await (const chunk of source) {
      for (let rest = chunk; rest.length > 0; ) {
        const taken = rest.subarray(0, partBytes - part.bytes);
        await addToPart(part, taken);
        rest = rest.subarray(taken.length);
        if (part.bytes < partBytes) continue;
        yield await finishPart(part);
        part = await beginPart(own, part.number + 1);
      }
    }
    if (part.bytes > 0 || part.number === 1) yield await finishPart(part);
  } finally {
    await part.file.close();
    await rm(own, { recursive: true, force: true });
  }
}

interface Part extends Omit<Spooled, "md5"> {
  file: FileHandle;
  hash: Hash;
}

/**
 * Removes the previous part, as the folder holds one at a time; the folder's time shows that the upload is
 * active.
 */
async function beginPart(folder: string, number: number): Promise<Part> {
  const nameOf = (which: number) => join(folder, `part-${which}`);
  await rm(nameOf(number - 1), { force: true });
  const path = nameOf(number);
  return { number, path, file: await open(path, "wx", 0o600), hash: createHash("md5"), bytes: 0 };
}

async function addToPart(part: Part, chunk: Uint8Array): Promise<void> {
  part.hash.update(chunk);
  part.bytes += chunk.length;
  await part.file.writeFile(chunk);
}

async function finishPart({ number, path, file, hash, bytes }: Part): Promise<Spooled> {
  await file.close();
  return { number, path, bytes, md5: hash.digest("base64") };
}

/** A process that was killed in the middle of an upload leaves its folder behind. */
export async function discardSpooled(folder: string, beforeMs: number): Promise<number> {
  let count = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found === null || found.mtimeMs >= beforeMs) continue;
    await rm(join(folder, name), { recursive: true, force: true });
    count++;
  }
  return count;
}
