import { access, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { haltLogs } from "../../../sql/care/halt-logs.ts";
import { fillTables, isUntouched } from "../../../sql/care/snapshot.ts";
import {
  endRestoredDeliveries,
  type VoidedCredentials,
  voidCredentials,
} from "../../../sql/care/void-credentials.ts";
import { compareMigrations, listOwnMigrations } from "../../../sql/connection/migrate.ts";
import { validationFailed } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { openDiskStore } from "../../platform/files/disk.ts";
import { copyFile } from "./copy-file.ts";
import { hashFile, readLines } from "./lines.ts";
import { FILE_LIST, FILES, ListedFile, MANIFEST, Manifest, tablePath } from "./manifest.ts";
import { type Removal, readRemovals } from "./removals.ts";
import { removeAgain } from "./remove-again.ts";

const LINES_AT_ONCE = 50;

/**
 * Restores a backup into an untouched database and an empty file store, all or nothing. It compares hashes
 * before it writes the first row, verifies each file as it copies it, and commits the rows once the files are
 * stored. Sessions, sign-in links, codes and tokens end, since some may have been ended after the backup;
 * `keepCredentials` keeps them. What a list of removals has after the backup is removed again.
 */
export async function restoreBackup(
  deps: Deps,
  databaseUrl: string,
  from: string,
  { keepCredentials = false, removals = null }: { keepCredentials?: boolean; removals?: string | null } = {},
) {
  const folder = resolve(from);
  const manifest = await readManifest(folder);
  await checkPlace(deps, databaseUrl);
  await checkMigrationsOf(deps, manifest);
  await checkHashes(folder, manifest);
  const later = await readLaterRemovals(deps, removals);
  const copied: string[] = [];
  let voided: VoidedCredentials | null = null;
  try {
    const tables = manifest.tables.map(({ name }) => ({
      name,
      rows: unquoteRows(join(folder, tablePath(name))),
    }));
    await fillTables(databaseUrl, tables, async (client) => {
      await haltLogs(client, deps.now());
      if (!keepCredentials) voided = await voidCredentials(client, deps.now());
      await endRestoredDeliveries(client);
      await copyAll(deps, folder, copied);
    });
  } catch (error) {
    for (const id of copied) await deps.files.delete(id);
    throw error;
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const removed_again = later === null ? null : await removeAgain(deps, later);
  const { created_at } = manifest;
  return { restored: folder, created_at, rows, files: copied.length, voided, removed_again };
}

/** The named list of removals, else the one of this place; null where there is none. Throws 422 on `removals`. */
async function readLaterRemovals(deps: Deps, named: string | null): Promise<Removal[] | null> {
  const path = named === null ? deps.config.removalsFile : resolve(named);
  try {
    await access(path);
  } catch {
    if (named === null) return null;
    throw validationFailed({ removals: [`${path} cannot be read. Name the file of REMOVALS_FILE.`] });
  }
  return await readRemovals(path);
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null);
  if (text === null) {
    throw validationFailed({ from: [`${folder} holds no complete backup: there is no ${MANIFEST}.`] });
  }
  const parsed = Manifest.safeParse(parseJson(text));
  if (!parsed.success) throw validationFailed({ from: [`${MANIFEST} cannot be read; it was changed.`] });
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function checkPlace(deps: Deps, databaseUrl: string): Promise<void> {
  if (!(await isUntouched(databaseUrl))) {
    throw validationFailed({
      from: ["The database is not empty; name another one by DATABASE_URL or DATA_DIR."],
    });
  }
  for await (const { key } of deps.files.list()) {
    throw validationFailed({ from: [`The file store is not empty: it has ${key}. Name another FILES_URL.`] });
  }
}

/** Throws unless the backup has this code's schema. */
async function checkMigrationsOf(deps: Deps, manifest: Manifest): Promise<void> {
  const own = JSON.stringify(await listOwnMigrations());
  const { missing, waiting } = await compareMigrations(deps.pool);
  const isWhole = missing.length === 0 && waiting.length === 0;
  if (own === JSON.stringify(manifest.migrations) && isWhole) return;
  const last = manifest.migrations.at(-1)?.name ?? "none";
  throw validationFailed({
    from: [
      `The backup is of a schema up to ${last}. Restore it with the code it was made with, then upgrade.`,
    ],
  });
}

async function checkHashes(folder: string, manifest: Manifest): Promise<void> {
  const parts = [
    ...manifest.tables.map(({ name, sha256 }) => ({ path: tablePath(name), sha256 })),
    { path: FILE_LIST, sha256: manifest.files.sha256 },
  ];
  for (const { path, sha256 } of parts) {
    const found = await hashFile(join(folder, path)).catch(() => "nothing");
    if (found !== sha256) throw validationFailed({ from: [`${path} is not what the manifest says.`] });
  }
}

async function* unquoteRows(path: string): AsyncIterable<string[]> {
  for await (const lines of readLines(path, LINES_AT_ONCE)) {
    yield lines.map((line) => String(JSON.parse(line)));
  }
}

async function copyAll(deps: Deps, folder: string, copied: string[]): Promise<void> {
  const store = openDiskStore(join(folder, FILES));
  for await (const lines of readLines(join(folder, FILE_LIST), LINES_AT_ONCE)) {
    for (const line of lines) {
      const file = ListedFile.parse(JSON.parse(line));
      copied.push(file.id);
      await copyFile(store, deps.files, file);
    }
  }
}
