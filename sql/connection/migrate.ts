import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { z } from "zod";
import { type Db, sql } from "./pool.ts";

const FOLDER = join(import.meta.dirname, "..", "migrations");
// Any fixed number, the same in every process that migrates.
const LOCK = 7_226_001;

/**
 * Brings a database to the newest schema: each file of sql/migrations once, in order, each in its own
 * transaction, under an advisory lock, so that many processes may start at once. `afterwards` runs under the
 * same lock. Throws when a file that ran here was edited since, or when the database is ahead of this code.
 */
export async function applyMigrations(
  databaseUrl: string,
  afterwards: () => Promise<void> = async () => {},
): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const applied = await applyMissing(client, await readMigrations());
    await afterwards();
    return { applied };
  } finally {
    await client.end();
  }
}

/** Whether every migration of this code has run. */
export async function hasAllMigrations(db: Db): Promise<boolean> {
  const done = await db.anyFirst(sql.type(z.strictObject({ name: z.string() }))`
    SELECT name FROM schema_migrations`);
  // This is called several times a second, and the files of a running process do not change.
  names ??= listNames();
  return (await names).every((name) => done.includes(name));
}

/** How a database's migrations differ from this code's: not run yet, edited since, or of newer code. */
export async function compareMigrations(
  db: Db,
): Promise<{ missing: string[]; edited: string[]; newer: string[] }> {
  const exists = await db.oneFirst(sql.type(z.strictObject({ exists: z.boolean() }))`
    SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`);
  const rows = exists
    ? await db.any(sql.type(z.strictObject({ name: z.string(), sha256: z.string() }))`
        SELECT name, sha256 FROM schema_migrations ORDER BY name`)
    : [];
  const done = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const own = await readMigrations();
  return {
    missing: own.filter(({ name }) => !done.has(name)).map(({ name }) => name),
    edited: own
      .filter(({ name, sha256 }) => done.has(name) && done.get(name) !== sha256)
      .map(({ name }) => name),
    newer: [...done.keys()].filter((name) => !own.some((migration) => migration.name === name)),
  };
}

/** This code's migrations with their hashes, in their order. */
export async function listOwnMigrations(): Promise<{ name: string; sha256: string }[]> {
  return (await readMigrations()).map(({ name, sha256 }) => ({ name, sha256 }));
}

let names: Promise<string[]> | null = null;

async function listNames(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
}

interface Migration {
  name: string;
  text: string;
  sha256: string;
}

async function readMigrations(): Promise<Migration[]> {
  return await Promise.all(
    (await listNames()).map(async (name) => {
      const text = await readFile(join(FOLDER, name), "utf8");
      return { name, text, sha256: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

async function applyMissing(client: pg.Client, migrations: Migration[]): Promise<string[]> {
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, sha256 text NOT NULL)",
  );
  const rows = await client.query<{ name: string; sha256: string }>(
    "SELECT name, sha256 FROM schema_migrations",
  );
  const done = new Map(rows.rows.map((row) => [row.name, row.sha256]));
  const unknown = [...done.keys()].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0)
    throw new Error(`the database is newer than this code: it has ${unknown.join(", ")}`);
  const applied: string[] = [];
  for (const migration of migrations) {
    const before = done.get(migration.name);
    if (before === migration.sha256) continue;
    if (before !== undefined)
      throw new Error(`${migration.name} was edited after it ran; add a new file instead`);
    await applyOne(client, migration);
    applied.push(migration.name);
  }
  return applied;
}

async function applyOne(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(migration.text);
    await client.query("INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)", [
      migration.name,
      migration.sha256,
    ]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
