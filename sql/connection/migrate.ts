import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { type Migration, type MigrationKind, readMigrations } from "./migration-files.ts";
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

/**
 * Brings a database to the newest schema: each file of sql/migrations once, in order, each in its own
 * transaction, under an advisory lock, so that many processes may start at once. With `onlyExpand` the files that the
 * version before does not work with wait, except on an empty database. `afterwards` runs under the same lock. Throws
 * when a file that ran here was edited since, or when newer code ran one here that this code does not work with.
 */
export async function applyMigrations(
  databaseUrl: string,
  { onlyExpand = false, afterwards = async () => {} }: ApplyOptions = {},
): Promise<Migrated> {
  return await withConnection(databaseUrl, async (client) => {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const outcome = await applyMissing(client, await readMigrations(), onlyExpand);
    await afterwards(client);
    return outcome;
  });
}

interface ApplyOptions {
  onlyExpand?: boolean;
  afterwards?: (client: pg.Client) => Promise<void>;
}

/** How a database's migrations differ from this code's. */
export interface MigrationDifference {
  /** Not run yet, and this code needs them. */
  missing: string[];
  /** Not run yet; they run when no process of the version before is left. */
  waiting: string[];
  /** Edited since they ran. */
  edited: string[];
  /** Of newer code, and this code works with them. */
  newer: string[];
  /** Of newer code, and this code does not work with them. */
  tooNew: string[];
}

let own: Promise<Migration[]> | null = null;

/** Compares the migrations of a database with this code's; a database without any is one that misses all. */
export async function compareMigrations(db: Db): Promise<MigrationDifference> {
  // This is asked several times a second, and the files of a running process do not change.
  own ??= readMigrations();
  const migrations = await own;
  const done = new Map((await listDone(db)).map((row) => [row.name, row]));
  const isNew = done.size === 0;
  const missing = migrations.filter(({ name }) => !done.has(name));
  const unknown = [...done.values()].filter(({ name }) => !migrations.some((one) => one.name === name));
  const isEdited = ({ name, sha256 }: Migration) => done.has(name) && done.get(name)?.sha256 !== sha256;
  return {
    missing: namesOf(missing.filter(({ kind }) => isNew || kind === "expand")),
    waiting: namesOf(missing.filter(({ kind }) => !isNew && kind === "contract")),
    edited: namesOf(migrations.filter(isEdited)),
    newer: namesOf(unknown.filter(({ kind }) => kind === "expand")),
    tooNew: namesOf(unknown.filter(({ kind }) => kind !== "expand")),
  };
}

/** This code's migrations with their hashes, in their order. */
export async function listOwnMigrations(): Promise<{ name: string; sha256: string }[]> {
  return (await readMigrations()).map(({ name, sha256 }) => ({ name, sha256 }));
}

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

const DoneRow = z.strictObject({ name: z.string(), sha256: z.string(), kind: z.string().nullable() });

async function listDone(db: Db): Promise<readonly z.infer<typeof DoneRow>[]> {
  const exists = await db.oneFirst(sql.type(z.strictObject({ exists: z.boolean() }))`
    SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`);
  if (!exists) return [];
  // Code of before 0.2.0 made the table without the column.
  return await db.any(sql.type(DoneRow)`
    SELECT name, sha256, to_jsonb(schema_migrations) ->> 'kind' AS kind FROM schema_migrations ORDER BY name`);
}

async function applyMissing(
  client: pg.Client,
  migrations: Migration[],
  onlyExpand: boolean,
): Promise<Migrated> {
  const done = await prepareTable(client, migrations);
  const tooNew = [...done].filter(
    ([name, { kind }]) => kind !== "expand" && !migrations.some((migration) => migration.name === name),
  );
  if (tooNew.length > 0) {
    const names = tooNew.map(([name]) => name).join(", ");
    throw new Error(`the database is newer than this code: it has ${names}`);
  }
  const edited = migrations.find(({ name, sha256 }) => done.has(name) && done.get(name)?.sha256 !== sha256);
  if (edited !== undefined) throw new Error(`${edited.name} was edited after it ran; add a new file instead`);
  const missing = migrations.filter(({ name }) => !done.has(name));
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

type Done = Map<string, { sha256: string; kind: string | null }>;

/** Makes the table of migrations, or gives it the kinds that older code did not write; tells what it holds. */
async function prepareTable(client: pg.Client, migrations: readonly Migration[]): Promise<Done> {
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, sha256 text NOT NULL, kind text)",
  );
  const read = async () => {
    const { rows } = await client.query<{ name: string; sha256: string; kind: string | null }>(
      "SELECT name, sha256, to_jsonb(schema_migrations) ->> 'kind' AS kind FROM schema_migrations",
    );
    return new Map(rows.map(({ name, ...row }) => [name, row]));
  };
  const done = await read();
  const unsaid = migrations.filter(({ name }) => done.get(name)?.kind === null);
  if (unsaid.length === 0) return done;
  await client.query("ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS kind text");
  for (const { name, kind } of unsaid) await saveKind(client, name, kind);
  return await read();
}

async function saveKind(client: pg.Client, name: string, kind: MigrationKind): Promise<void> {
  await client.query("UPDATE schema_migrations SET kind = $2 WHERE name = $1 AND kind IS NULL", [name, kind]);
}

/**
 * Runs a file in a transaction. Where requests hold its tables, it lets go after two seconds, since every later request
 * waits behind it, and tries again; so it does where it and a request would wait for each other.
 */
async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await runFile(client, migration);
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

async function runFile(client: pg.Client, { name, text, sha256, kind }: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(text);
    await client.query("INSERT INTO schema_migrations (name, sha256, kind) VALUES ($1, $2, $3)", [
      name,
      sha256,
      kind,
    ]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
