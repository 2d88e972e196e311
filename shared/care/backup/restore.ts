import { createReadStream } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fillTables, isUntouched } from "../../../sql/care/snapshot.ts";
import { standStill, type VoidedCredentials, voidCredentials } from "../../../sql/care/void-credentials.ts";
import { sinceBaseline } from "../../../sql/connection/baseline.ts";
import { compareMigrations, listOwnMigrations } from "../../../sql/connection/migrate.ts";
import { RESTORED_AT, takeServiceSetting } from "../../../sql/platform/service-settings.ts";
import { countWaitingDeliveries } from "../../../sql/trust/webhook-deliveries.ts";
import { nameRestoredSchedules } from "../../../sql/works/schedules.ts";
import { measureAll } from "../../ground/checksum.ts";
import { refuseField } from "../../ground/errors.ts";
import { COMMAND_LINE, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { openDiskStore } from "../../platform/files/disk.ts";
import { migrate } from "../../platform/process/migrate.ts";
import {
  copyFile,
  FILE_LIST,
  FILES,
  ListedFile,
  MANIFEST,
  Manifest,
  parseJson,
  readLines,
  tablePath,
} from "./manifest.ts";
import { type Removal, readRemovals } from "./removals.ts";
import { removeAgain } from "./remove-again.ts";

const LINES_AT_ONCE = 50;

/**
 * Restores a backup into an untouched database of the same schema and an empty file store, all or nothing, and brings the
 * database to the newest schema. It compares hashes before it writes the first row, verifies each file as it copies it,
 * and commits the rows once the files are stored. Pending schedules end, and the service stands still until
 * `backup resume`. Sessions, sign-in links, codes and tokens end, since some may have been ended after the backup;
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
  const nowMs = deps.now();
  try {
    const tables = manifest.tables.map(({ name }) => ({
      name,
      rows: unquoteRows(join(folder, tablePath(name))),
    }));
    await fillTables(databaseUrl, tables, async (client) => {
      await standStill(client, nowMs);
      if (!keepCredentials) voided = await voidCredentials(client, nowMs);
      await copyAll(deps, folder, copied);
    });
  } catch (error) {
    for (const id of copied) await deps.files.delete(id);
    throw error;
  }
  await migrate(databaseUrl);
  const cancelled_schedules = await nameRestoredSchedules(deps.pool, nowMs);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const removed_again = later === null ? null : await removeAgain(deps, later);
  const counts = { rows, files: copied.length, voided, cancelled_schedules, removed_again };
  return { restored: folder, created_at: manifest.created_at, ...counts };
}

/** Ends the standstill after a restore; returns since when it lasted, null where there was none, and what goes out now. */
export async function resumeService(deps: Deps) {
  return await deps.pool.transaction(async (tx) => {
    const lets_go = { deliveries: await countWaitingDeliveries(tx) };
    const restored_at = await takeServiceSetting(tx, RESTORED_AT);
    const act = makeAct("backup", restored_at ?? "", "backup.resume");
    if (restored_at !== null) await recordAct(tx, COMMAND_LINE, act, deps.now());
    return { restored_at, lets_go };
  });
}

/** The named list of removals, else the one of this place; null where there is none. Throws 422 on `removals`. */
async function readLaterRemovals(deps: Deps, named: string | null): Promise<Removal[] | null> {
  const path = named === null ? deps.config.removalsFile : resolve(named);
  try {
    await access(path);
  } catch {
    if (named === null) return null;
    throw refuseField("removals", `${path} cannot be read. Name the file of REMOVALS_FILE.`);
  }
  return await readRemovals(path);
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null);
  if (text === null) {
    throw refuseField("from", `${folder} holds no complete backup: there is no ${MANIFEST}.`);
  }
  const parsed = Manifest.safeParse(parseJson(text));
  if (!parsed.success) throw refuseField("from", `${MANIFEST} cannot be read; it was changed.`);
  return parsed.data;
}

async function checkPlace(deps: Deps, databaseUrl: string): Promise<void> {
  if (!(await isUntouched(databaseUrl))) {
    throw refuseField("from", "The database is not empty; name another one by DATABASE_URL or DATA_DIR.");
  }
  for await (const { key } of deps.files.list()) {
    throw refuseField("from", `The file store is not empty: it has ${key}. Name another FILES_URL.`);
  }
}

/** The last migration of a backup, to which a database is brought for it; null where this code does not know them all. */
export async function readLastMigration(from: string): Promise<string | null> {
  const { migrations } = await readManifest(resolve(from));
  return (await findOwnMigrations(migrations))?.at(-1)?.name ?? null;
}

type MigrationRow = Manifest["migrations"][number];

/** A backup's migrations by this code's files, whose first ones they are; null where they are others. */
async function findOwnMigrations(migrations: readonly MigrationRow[]): Promise<MigrationRow[] | null> {
  const own = await listOwnMigrations();
  const found = own[0] === undefined ? null : sinceBaseline(migrations, own[0]);
  const isKnown = JSON.stringify(found) === JSON.stringify(own.slice(0, found?.length));
  return isKnown ? found : null;
}

/** Throws unless the database has the schema of the backup. */
async function checkMigrationsOf(deps: Deps, { migrations }: Manifest): Promise<void> {
  const found = await findOwnMigrations(migrations);
  if (found === null) {
    const last = migrations.at(-1)?.name ?? "none";
    throw refuseField(
      "from",
      `The backup is of a schema up to ${last}. Restore it with the code it was made with, then upgrade.`,
    );
  }
  const { missing, waiting } = await compareMigrations(deps.pool);
  const later = (await listOwnMigrations()).slice(found.length).map(({ name }) => name);
  if (JSON.stringify([...missing, ...waiting].toSorted()) === JSON.stringify(later)) return;
  const last = found.at(-1)?.name ?? "none";
  throw refuseField(
    "from",
    `The backup is of a schema up to ${last}, and the database has another one. Name a database without tables.`,
  );
}

async function checkHashes(folder: string, manifest: Manifest): Promise<void> {
  const parts = [
    ...manifest.tables.map(({ name, sha256 }) => ({ path: tablePath(name), sha256 })),
    { path: FILE_LIST, sha256: manifest.files.sha256 },
  ];
  for (const { path, sha256 } of parts) {
    const found = await measureAll(createReadStream(join(folder, path))).catch(() => null);
    if (found?.sha256 !== sha256) throw refuseField("from", `${path} is not what the manifest says.`);
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
