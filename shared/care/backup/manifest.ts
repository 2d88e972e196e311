import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { measurePieces } from "../../ground/checksum.ts";
import { refuseField } from "../../ground/errors.ts";
import type { FileStore } from "../../platform/files/store.ts";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The manifest of a backup; it is written last, so a backup without one is incomplete. */
export const Manifest = z.strictObject({
  format: z.literal(1),
  created_at: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), sha256: Sha256 })),
  tables: z.array(
    z.strictObject({ name: z.string().regex(/^[a-z_]+$/), rows: z.int().min(0), sha256: Sha256 }),
  ),
  files: z.strictObject({ count: z.int().min(0), bytes: z.int().min(0), sha256: Sha256 }),
  /** Files that had a row, and no bytes or others when they were copied. */
  missing: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** A file as a line of the file list. */
export const ListedFile = z.strictObject({
  id: z.string().regex(/^[0-9A-Z]{26}$/),
  bytes: z.int().min(0),
  sha256: Sha256,
});
export type ListedFile = z.infer<typeof ListedFile>;

export const MANIFEST = "manifest.json";
export const FILE_LIST = "files.ndjson";
export const FILES = "files";

/** The file that holds a table's rows in a backup: one JSON string per line. */
export function tablePath(table: string): string {
  return `tables/${table}.ndjson`;
}

/** Copies a file from store to store and verifies it; throws where it differs from its list entry. */
export async function copyFile(from: FileStore, to: FileStore, file: ListedFile): Promise<void> {
  const { pieces, measured } = measurePieces(from.get(file.id));
  async function* check(): AsyncIterable<Uint8Array> {
    yield* pieces;
    const { bytes, sha256 } = measured();
    if (bytes !== file.bytes || sha256 !== file.sha256) {
      const mend = "put it back from an earlier backup, and look for others by files verify";
      throw refuseField("files", `The file ${file.id} is not what its row says: ${mend}.`);
    }
  }
  await to.put(file.id, check());
}

/** Writes lines to a new file, durably; returns their count and hash. */
export async function writeLines(
  path: string,
  batches: AsyncIterable<string[]> | Iterable<string[]>,
): Promise<{ count: number; sha256: string }> {
  const hash = createHash("sha256");
  let count = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const batch of batches) {
      const text = batch.map((line) => `${line}\n`).join("");
      hash.update(text);
      count += batch.length;
      await file.writeFile(text);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { count, sha256: hash.digest("hex") };
}

/** The lines of a file, `atOnce` at a time. */
export async function* readLines(path: string, atOnce: number): AsyncIterable<string[]> {
  let batch: string[] = [];
  const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: 0 });
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A JSON text that somebody may have changed; null where it cannot be read. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
