import { createHash, randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { makeExtensions, withClient } from "../../cli/embedded/database.ts";
import { VERSION } from "../../shared/ground/version.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { findSchemaProblem } from "../../shared/platform/process/readiness.ts";
import { BASELINE } from "../../sql/connection/baseline.ts";
import { applyMigrations, compareMigrations, type Extent } from "../../sql/connection/migrate.ts";
import { type Migration, readKind, readMigrations } from "../../sql/connection/migration-files.ts";
import { openPool, type Pool } from "../../sql/connection/pool.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { until } from "../support/service-process.ts";
import { describeSchema } from "./describe-schema.ts";

const folder = join(import.meta.dirname, "../../sql/migrations");
const { adminUrl, url } = inject("cluster");
const name = `empty_${randomBytes(6).toString("hex")}`;

await withClient(adminUrl, (client) => client.query(`CREATE DATABASE ${name} OWNER broadsheet`));
await withClient(at(adminUrl), makeExtensions);
const migrated = await createTestDatabase();

afterAll(async () => {
  await withClient(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
});

async function ask(text: string, values: unknown[] = []) {
  return await withClient(migrated.url, (client) => client.query(text, values));
}

async function withPool<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = await openPool(migrated.url, { maxConnections: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** A file of a later version. */
function plant(file: string, text: string): Migration {
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { name: file, text, sha256, kind: readKind(file, text) };
}

const withPlanted = async (...planted: Migration[]) => [...(await readMigrations()), ...planted];

const removeNoted = async (file: string) =>
  (await ask("DELETE FROM schema_migrations WHERE name = $1 RETURNING *", [file])).rows;

async function note({ name: file, sha256, kind }: Record<string, string> = {}): Promise<void> {
  await ask("INSERT INTO schema_migrations (name, sha256, kind) VALUES ($1, $2, $3)", [file, sha256, kind]);
}

function at(base: string): string {
  const address = new URL(base);
  address.pathname = `/${name}`;
  return address.href;
}

test("ten processes that start at once on an empty database apply each migration once", async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => migrate(at(url))));
  expect(outcomes.flatMap((outcome) => outcome.applied).sort()).toEqual(files);
  expect(outcomes.filter((outcome) => outcome.applied.length > 0)).toHaveLength(1);
  expect((await migrate(at(url))).applied).toEqual([]);
});

test("the schema that ten made at once is the schema of the template", async () => {
  expect(await withClient(at(url), describeSchema)).toBe(await withClient(migrated.url, describeSchema));
});

test("a migration that was edited after it ran stops the start and is named", async () => {
  const edit = (sha256: string) =>
    withClient(migrated.url, (client) =>
      client.query(`UPDATE schema_migrations SET sha256 = $1 WHERE name = '${BASELINE}' RETURNING sha256`, [
        sha256,
      ]),
    );
  const before = await withClient(migrated.url, (client) =>
    client.query<{ sha256: string }>(`SELECT sha256 FROM schema_migrations WHERE name = '${BASELINE}'`),
  );
  await edit("edited");
  await expect(migrate(migrated.url)).rejects.toThrow(`${BASELINE} was edited after it ran`);
  await edit(before.rows[0]?.sha256 ?? "");
  expect((await migrate(migrated.url)).applied).toEqual([]);
});

test("newer code's migrations stop the start, unless this code works with them", async () => {
  const runs = async (kind: string | null) => {
    const values = ["9999_later.sql", "x", kind];
    await ask("INSERT INTO schema_migrations (name, sha256, kind) VALUES ($1, $2, $3)", values);
    const told = await migrate(migrated.url).catch((error: Error) => error.message);
    const findings = await withPool(compareMigrations);
    const problem = await withPool(findSchemaProblem);
    await ask("DELETE FROM schema_migrations WHERE name = '9999_later.sql'");
    return { told, newer: findings.newer, tooNew: findings.tooNew, problem };
  };
  const later = ["9999_later.sql"];
  const fits = { told: { applied: [], waiting: [] }, newer: later, tooNew: [], problem: null };
  expect(await runs("expand")).toEqual(fits);
  for (const kind of ["contract", null]) {
    expect(await runs(kind)).toEqual({
      told: "the database is newer than this code: it has 9999_later.sql",
      ...{ newer: [], tooNew: later },
      problem: {
        reason: `The database is newer than version ${VERSION}: it has run 9999_later.sql.`,
        mend: expect.stringContaining("Run the newer version"),
      },
    });
  }
});

test("a migration that has not run is named", async () => {
  const [row] = await removeNoted(BASELINE);
  expect(await withPool(findSchemaProblem)).toEqual({
    reason: `The database is older than version ${VERSION}: it has not run ${BASELINE}.`,
    mend: expect.stringContaining("Run npm run migrate"),
  });
  await note(row);
  expect(await withPool(findSchemaProblem)).toBeNull();
  const planted = await withPlanted(plant("9001_later.sql", "-- expand"));
  expect((await withPool((pool) => compareMigrations(pool, planted))).missing).toEqual(["9001_later.sql"]);
});

test("with --expand what the version before does not work with waits, and nothing overtakes it", async () => {
  const contract = plant("9001_taken.sql", "-- contract\nDROP TABLE taken");
  const later = plant("9002_later.sql", "-- expand\nCREATE TABLE later ()");
  await ask("CREATE TABLE taken ()");
  const apply = async (files: Migration[], how: Extent) =>
    await applyMigrations(migrated.url, { migrations: await withPlanted(...files), ...how });
  expect(await apply([contract], { onlyExpand: true })).toEqual({ applied: [], waiting: [contract.name] });
  const planted = await withPlanted(contract);
  expect(await withPool((pool) => compareMigrations(pool, planted))).toMatchObject({
    missing: [],
    waiting: [contract.name],
  });
  await expect(apply([contract, later], { onlyExpand: true })).rejects.toThrow(
    `${later.name} stands behind ${contract.name}`,
  );
  const nothing = { applied: [], waiting: [] };
  expect(await apply([contract, later], { upTo: "9000_none.sql" })).toEqual(nothing);
  expect((await apply([contract, later], { upTo: contract.name })).applied).toEqual([contract.name]);
  expect((await apply([contract, later], { onlyExpand: true })).applied).toEqual([later.name]);
  expect(await apply([contract, later], {})).toEqual(nothing);
  await ask("DROP TABLE later");
  for (const { name } of [contract, later]) await removeNoted(name);
});

test("every migration says its kind, and none that expands takes anything away", async () => {
  expect(readKind("0099_x.sql", "-- contract: the old columns go.\n")).toBe("contract");
  expect(() => readKind("0099_x.sql", "CREATE TABLE x ();\n-- expand\n")).toThrow("0099_x.sql does not say");
  const TAKES =
    /\bDROP (TABLE|COLUMN|VIEW|FUNCTION)\b|\bRENAME\b|\bSET NOT NULL\b|\bALTER COLUMN \w+ TYPE\b/i;
  // A view in the place of a table leaves all that the version before asks for.
  const REPLACES = /\bDROP TABLE (\w+);\s*CREATE VIEW \1\b/g;
  const expands = (await readMigrations()).filter(({ kind }) => kind === "expand");
  expect(expands.length).toBeGreaterThan(0);
  expect(
    expands.filter(({ text }) => TAKES.test(text.replaceAll(REPLACES, ""))).map(({ name }) => name),
  ).toEqual([]);
});

test("the schema is the one that is written down", async () => {
  const hint =
    "The schema changed. If that is meant, renew the file: npx vitest run --project db test/sql -u";
  await expect(await withClient(migrated.url, describeSchema), hint).toMatchFileSnapshot(
    "schema.snapshot.txt",
  );
});

test("a file that would wait for a request that waits for it lets go, and runs when the request is done", async () => {
  const database = await createTestDatabase();
  const file = plant(
    "9001_both.sql",
    "-- expand\nALTER TABLE creations ADD COLUMN planted text;\nALTER TABLE owners ADD COLUMN planted text;",
  );
  await withClient(database.url, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT FROM owners");
    const applying = applyMigrations(database.url, { migrations: await withPlanted(file) });
    const isWaiting = () =>
      withClient(database.url, async (other) => {
        const { rows } = await other.query(
          "SELECT FROM pg_locks WHERE relation = 'owners'::regclass AND NOT granted",
        );
        return rows.length > 0;
      });
    await until(isWaiting, 10_000);
    await client.query("SELECT FROM creations");
    await client.query("COMMIT");
    expect((await applying).applied).toEqual([file.name]);
  });
});

test("a file whose table is held by one write after the other runs once those end that are under way", async () => {
  const database = await createTestDatabase();
  const file = plant("9001_busy.sql", "-- expand\nALTER TABLE agents ADD COLUMN planted text;");
  let isOver = false;
  // One begins each fifth of a second: where another waits for the table, so does it.
  const hold = (at: number) =>
    withClient(database.url, async (client) => {
      await client.query("SELECT pg_sleep($1)", [at / 5]);
      while (!isOver)
        await client.query("BEGIN; SELECT FROM agents FOR UPDATE; SELECT pg_sleep(1.4); COMMIT");
    });
  const holding = Promise.all(Array.from({ length: 6 }, (_, at) => hold(at)));
  const migrations = await withPlanted(file);
  const { applied } = await applyMigrations(database.url, { migrations }).finally(() => {
    isOver = true;
  });
  await holding;
  expect(applied).toEqual([file.name]);
});
