import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { readSnapshot, type Snapshot } from "../../../sql/care/snapshot.ts";
import { BACKED_UP_AT, upsertServiceSetting } from "../../../sql/platform/service-settings.ts";
import { refuseField } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { openDiskStore } from "../../platform/files/disk.ts";
import { copyKept } from "./copy-store.ts";
import { FILE_LIST, FILES, MANIFEST, Manifest, tablePath, writeLines } from "./manifest.ts";

/**
 * Writes a backup into a new or empty folder while the service runs: every row of one snapshot, every file
 * that had a row then and is what that says, and last the manifest with hashes.
 */
export async function createBackup(deps: Deps, databaseUrl: string, to: string) {
  const folder = resolve(to);
  await prepareFolder(folder);
  const manifest = await readSnapshot(databaseUrl, (snapshot) => writeAll(deps, folder, snapshot));
  await writeLines(join(folder, MANIFEST), [[JSON.stringify(manifest, null, 2)]]);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const { count, bytes } = manifest.files;
  const { created_at: value, missing } = manifest;
  const setting = { name: BACKED_UP_AT, value, nowMs: deps.now() };
  if (missing.length === 0) await upsertServiceSetting(deps.pool, setting);
  return { backup: folder, rows, files: count, bytes, missing };
}

/** The output of `backup create`. */
export type BackupAnswer = Awaited<ReturnType<typeof createBackup>>;

async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw refuseField("to", `${folder} is not empty; name a folder that is new or empty.`);
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
      // One that was deleted after the snapshot is no loss: after a restore, its row is deleted again.
      const outcome = await copyKept(deps, store, file);
      if (outcome === "wrong") copied.missing.push(file.id);
      if (outcome !== "copied") continue;
      copied.count++;
      copied.bytes += file.bytes;
      lines.push(JSON.stringify(file));
    }
    yield lines;
  }
}

/** What was pruned of a folder of backups. */
export type Pruned = Awaited<ReturnType<typeof pruneBackups>>;

/** The name that a backup has while it is removed: half of one must not look whole. */
const REMOVING = /\.removing$/;

/**
 * Removes all backups beside the one that was just made but the newest, so that `keep` are left, by the times in their
 * manifests; it touches nothing else. The folder of the list of removals may stand beside them.
 */
export async function pruneBackups(made: string, keep: number, listFolder: string) {
  const folder = dirname(made);
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const names = folders.filter((name) => join(folder, name) !== listFolder);
  const unfinished = names.filter((name) => REMOVING.test(name));
  for (const name of unfinished) await rm(join(folder, name), { recursive: true, force: true });
  const others = names.filter((name) => !unfinished.includes(name) && name !== basename(made));
  const found = await Promise.all(
    others.map(async (name) => ({ name, createdAt: await readTime(join(folder, name)) })),
  );
  const backups = found.flatMap(({ name, createdAt }) => (createdAt === null ? [] : [{ name, createdAt }]));
  const order = ({ createdAt, name }: { createdAt: string; name: string }) => `${createdAt} ${name}`;
  backups.sort((left, right) => (order(left) < order(right) ? 1 : -1));
  const removed = backups.slice(keep - 1).map(({ name }) => join(folder, name));
  for (const path of removed) {
    await rename(path, `${path}.removing`);
    await rm(`${path}.removing`, { recursive: true, force: true });
  }
  const incomplete = found
    .filter(({ createdAt }) => createdAt === null)
    .map(({ name }) => join(folder, name));
  return {
    /** Backups that are gone, the newest first. */
    removed,
    /** Folders without a manifest: backups that did not end, or none. They stay. */
    incomplete,
  };
}

/** The time of a backup; null for a folder that holds no complete one. */
async function readTime(path: string): Promise<string | null> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(path, MANIFEST), "utf8"))).created_at;
  } catch {
    return null;
  }
}
