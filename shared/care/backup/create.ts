import { mkdir, open, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readSnapshot, type Snapshot } from "../../../sql/care/snapshot.ts";
import { isFileKept } from "../../../sql/care/stored-files.ts";
import { validationFailed } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { openDiskStore } from "../../platform/files/disk.ts";
import { FileMissing } from "../../platform/files/store.ts";
import { copyFile } from "./copy-file.ts";
import { writeLines } from "./lines.ts";
import { FILE_LIST, FILES, type ListedFile, MANIFEST, type Manifest, tablePath } from "./manifest.ts";

/**
 * Writes a backup into a new or empty folder while the service runs: every row of one snapshot, every file
 * that had a row then, and last the manifest with hashes. Throws where a file's bytes differ from its row.
 */
export async function createBackup(deps: Deps, databaseUrl: string, to: string): Promise<BackupAnswer> {
  const folder = resolve(to);
  await prepareFolder(folder);
  const manifest = await readSnapshot(databaseUrl, (snapshot) => writeAll(deps, folder, snapshot));
  await writeDurably(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { count, bytes } = manifest.files;
  return { backup: folder, rows, files: count, bytes, missing: manifest.missing };
}

/** The output of `backup create`. */
export interface BackupAnswer {
  backup: string;
  rows: number;
  files: number;
  bytes: number;
  missing: string[];
}

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw validationFailed({ to: [`${folder} is not empty; name a folder that is new or empty.`] });
  }
  await mkdir(join(folder, "tables"), { mode: 0o700 });
}

async function writeAll(deps: Deps, folder: string, snapshot: Snapshot): Promise<Manifest> {
  const tables: Manifest["tables"] = [];
  for (const name of snapshot.tables) {
    const { count, sha256 } = await writeLines(join(folder, tablePath(name)), quoteRows(snapshot.rows(name)));
    tables.push({ name, rows: count, sha256 });
  }
  const copied = { count: 0, bytes: 0, missing: [] as string[] };
  const list = await writeLines(join(folder, FILE_LIST), copyFiles(deps, folder, snapshot, copied));
  return {
    format: 1,
    created_at: toIso(deps.now()),
    migrations: snapshot.migrations,
    tables,
    files: { count: copied.count, bytes: copied.bytes, sha256: list.sha256 },
    missing: copied.missing,
  };
}

/** Quotes each row as a JSON string, because a row may hold line ends. */
async function* quoteRows(batches: AsyncIterable<string[]>): AsyncIterable<string[]> {
  for await (const batch of batches) yield batch.map((row) => JSON.stringify(row));
}

async function* copyFiles(
  deps: Deps,
  folder: string,
  snapshot: Snapshot,
  copied: { count: number; bytes: number; missing: string[] },
): AsyncIterable<string[]> {
  const store = openDiskStore(join(folder, FILES));
  for await (const batch of snapshot.files()) {
    const lines: string[] = [];
    for (const file of batch) {
      if (!(await copyOrMiss(deps, store, file, copied.missing))) continue;
      copied.count++;
      copied.bytes += file.bytes;
      lines.push(JSON.stringify(file));
    }
    yield lines;
  }
}

/**
 * Copies a file. One that was deleted after the snapshot is no loss: after a restore, its row is deleted
 * again.
 */
async function copyOrMiss(
  deps: Deps,
  store: ReturnType<typeof openDiskStore>,
  file: ListedFile,
  missing: string[],
): Promise<boolean> {
  try {
    await copyFile(deps.files, store, file);
    return true;
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    if (await isFileKept(deps.pool, file.id)) missing.push(file.id);
    return false;
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
