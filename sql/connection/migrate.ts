import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { BASELINE, sinceBaseline } from "./baseline.ts";
import { type Migration, readMigrations } from "./migration-files.ts";
import { withConnection } from "./own-connection.ts";
import { type Db, sql } from "./pool.ts";

// Any fixed number, the same in every process that migrates.
const LOCK = 7_226_001;

/** What a migration of a database did. */
export interface Migrated {
  applied: string[];
  /** Migrations of the kind `contract` that wait until no process of the version before is left. */
  waiting: string[];
}

/** The database is of a version before 0.4.0, from which this code cannot go on. */
export class DatabaseTooOld extends Error {
  override name = "DatabaseTooOld";
}

/** What operators do about a database of before 0.4.0. */
export const GO_TO_0_4_0 = "Upgrade to version 0.4.0 first: take its code and run npm run migrate.";

/**
 * Brings a database to the newest schema: each file of sql/migrations once, in order, each in its own
 * transaction, under an advisory lock, so that many processes may start at once. With `onlyExpand` the files that the
 * version before does not work with wait, except on an empty database. `afterwards` runs under the same lock. Throws
 * when a file that ran here was edited since, when newer code ran one here that this code does not work with, or when
 * the database is of before 0.4.0.
 */
export async function applyMigrations(
  databaseUrl: string,
  { migrations, afterwards = async () => {}, ...how }: ApplyOptions = {},
): Promise<Migrated> {
  return await withConnection(databaseUrl, async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const outcome = await applyMissing(client, migrations ?? (await readMigrations()), how);
    await afterwards(client);
    return outcome;
  });
}

/** How far a database is brought. */
export interface Extent {
  onlyExpand?: boolean | undefined;
  /** The last file that runs; unset: all run. */
  upTo?: string | undefined;
}

interface ApplyOptions extends Extent {
  /** Files in place of those of sql/migrations. */
  migrations?: readonly Migration[];
  afterwards?: (client: pg.Client) => Promise<void>;
}

let own: Promise<Migration[]> | null = null;

/** Compares the migrations of a database with this code's; a database without any is one that misses all. */
export async function compareMigrations(db: Db, planted?: Migration[]) {
  // This is asked several times a second, and the files of a running process do not change.
  own ??= readMigrations();
  const migrations = planted ?? (await own);
  const rows = sinceBaseline(await listDone(db), baselineOf(migrations));
  const done = new Map((rows ?? []).map((row) => [row.name, row]));
  const isNew = done.size === 0;
  const missing = migrations.filter(({ name }) => !done.has(name));
  const unknown = [...done.values()].filter(({ name }) => !migrations.some((one) => one.name === name));
  return {
    /** Whether the database is of before 0.4.0; then this code misses all. */
    isTooOld: rows === null,
    /** Not run yet, and this code needs them. */
    missing: namesOf(missing.filter(({ kind }) => isNew || kind === "expand")),
    /** Not run yet; they run when no process of the version before is left. */
    waiting: namesOf(missing.filter(({ kind }) => !isNew && kind === "contract")),
    /** Edited since they ran. */
    edited: namesOf(migrations.filter((migration) => isEdited(migration, done))),
    /** Of newer code, and this code works with them. */
    newer: namesOf(unknown.filter(({ kind }) => kind === "expand")),
    /** Of newer code, and this code does not work with them. */
    tooNew: namesOf(unknown.filter(({ kind }) => kind !== "expand")),
  };
}

/** This code's migrations with their hashes, in their order. */
export async function listOwnMigrations(): Promise<{ name: string; sha256: string }[]> {
  return (await readMigrations()).map(({ name, sha256 }) => ({ name, sha256 }));
}

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

const DoneRow = z.strictObject({ name: z.string(), sha256: z.string(), kind: z.string().nullable() });
type DoneRow = z.infer<typeof DoneRow>;

async function listDone(db: Db): Promise<readonly DoneRow[]> {
  const exists = await db.oneFirst(sql.type(z.strictObject({ exists: z.boolean() }))`
    SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`);
  if (!exists) return [];
  // Code of before 0.2.0 made the table without the column.
  return await db.any(sql.type(DoneRow)`
    SELECT name, sha256, to_jsonb(schema_migrations) ->> 'kind' AS kind FROM schema_migrations ORDER BY name`);
}

function baselineOf(migrations: readonly Migration[]): DoneRow {
  const found = migrations.find(({ name }) => name === BASELINE);
  if (found === undefined) throw new Error(`${BASELINE} is missing`);
  return { name: found.name, sha256: found.sha256, kind: found.kind };
}

function isEdited({ name, sha256 }: Migration, done: ReadonlyMap<string, DoneRow>): boolean {
  return done.has(name) && done.get(name)?.sha256 !== sha256;
}

async function applyMissing(
  client: pg.Client,
  migrations: readonly Migration[],
  { onlyExpand = false, upTo }: Extent,
): Promise<Migrated> {
  const done = await prepareTable(client, baselineOf(migrations));
  const tooNew = [...done.values()].filter(
    ({ name, kind }) => kind !== "expand" && !migrations.some((migration) => migration.name === name),
  );
  if (tooNew.length > 0) {
    throw new Error(`the database is newer than this code: it has ${namesOf(tooNew).join(", ")}`);
  }
  const edited = migrations.find((migration) => isEdited(migration, done));
  if (edited !== undefined) throw new Error(`${edited.name} was edited after it ran; add a new file instead`);
  const missing = migrations.filter(({ name }) => !done.has(name) && name <= (upTo ?? name));
  const isWaiting = ({ kind }: Migration) => onlyExpand && done.size > 0 && kind === "contract";
  refuseGap(missing, isWaiting);
  const applied = missing.filter((migration) => !isWaiting(migration));
  for (const migration of applied) await applyOne(client, migration);
  return { applied: namesOf(applied), waiting: namesOf(missing.filter(isWaiting)) };
}

/** A file may build on those before it, so none runs while one before it waits. */
function refuseGap(missing: readonly Migration[], isWaiting: (migration: Migration) => boolean): void {
  const first = missing.findIndex(isWaiting);
  const behind = first < 0 ? undefined : missing.slice(first).find((migration) => !isWaiting(migration));
  if (behind === undefined) return;
  throw new Error(
    `${behind.name} stands behind ${missing[first]?.name}, with which the version before does not work: ` +
      "upgrade one version after the other, or stop every process and run npm run migrate",
  );
}

/**
 * Makes the table of migrations where there is none, and tells what ran. A database of 0.4.0 gets the row of the
 * baseline beside those of its own files, which processes of 0.4.0 still look for. Throws on an older one.
 */
async function prepareTable(client: pg.Client, baseline: DoneRow): Promise<Map<string, DoneRow>> {
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, sha256 text NOT NULL, kind text)",
  );
  // Code of before 0.2.0 made the table without the column.
  const { rows } = await client.query<DoneRow>(
    "SELECT name, sha256, to_jsonb(schema_migrations) ->> 'kind' AS kind FROM schema_migrations",
  );
  const since = sinceBaseline(rows, baseline);
  if (since === null) throw new DatabaseTooOld(`The database is older than version 0.4.0. ${GO_TO_0_4_0}`);
  if (since.includes(baseline)) await saveDone(client, baseline);
  return new Map(since.map((row) => [row.name, row]));
}

async function saveDone(client: pg.Client, { name, sha256, kind }: DoneRow): Promise<void> {
  await client.query("INSERT INTO schema_migrations (name, sha256, kind) VALUES ($1, $2, $3)", [
    ...[name, sha256, kind],
  ]);
}

/**
 * Runs a file in a transaction. Where requests hold its tables, it lets go after a time, since every later request waits
 * behind it, and tries again; so it does where it and a request would wait for each other.
 */
async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await runFile(client, migration, tries > 1);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !IN_THE_WAY.has(error.code ?? "")) throw error;
      if (tries < MOST_TRIES) await setTimeout(PAUSE_MS);
      else
        throw new Error(`${migration.name} got no lock in ${tries} tries: ${error.message}`, {
          cause: error,
        });
    }
  }
}

/** A deadlock, and a lock that was not to be had in time. */
const IN_THE_WAY: ReadonlySet<string> = new Set(["40P01", "55P03"]);
const MOST_TRIES = 100;
/** Shorter than PostgreSQL looks for deadlocks by itself (1 s), so that a request is never what it ends. */
const LOCK_TIMEOUT_MS = 800;
const PAUSE_MS = 500;
/** Shorter than the two seconds after which requests that wait for their turn behind others are turned away. */
const WRITES_TIMEOUT_MS = 1_800;
/**
 * Lets the writes end that are under way, and keeps further ones back. Each holds its agent first, and writes of one
 * agent wait for each other, so that a table which they share may never be free for long. Reads go on.
 */
const END_WRITES = `SET LOCAL lock_timeout = ${WRITES_TIMEOUT_MS}; LOCK TABLE agents IN EXCLUSIVE MODE`;

async function runFile(client: pg.Client, migration: Migration, isBusy: boolean): Promise<void> {
  await client.query("BEGIN");
  try {
    if (isBusy) await client.query(END_WRITES);
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(migration.text);
    await saveDone(client, migration);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
