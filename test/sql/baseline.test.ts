import type { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import { withClient } from "../../cli/embedded/database.ts";
import { examineDatabase, MIGRATIONS } from "../../shared/care/doctor/database.ts";
import { ConfigError } from "../../shared/ground/errors.ts";
import { migrate } from "../../shared/platform/process/migrate.ts";
import { findSchemaProblem } from "../../shared/platform/process/readiness.ts";
import { BASELINE } from "../../sql/connection/baseline.ts";
import { compareMigrations } from "../../sql/connection/migrate.ts";
import { readMigrations } from "../../sql/connection/migration-files.ts";
import { openPool, type Pool } from "../../sql/connection/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/cluster.ts";
import { MIGRATIONS_OF_0_4_0, noteVersion040 } from "../support/version-040.ts";
import { describeSchema } from "./describe-schema.ts";

const GO = "Upgrade to version 0.4.0 first: take its code and run npm run migrate.";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase(undefined, { isEmpty: true });
  await migrate(database.url, { upTo: BASELINE });
  await use(noteVersion040);
});

const use = <T>(work: (client: Client) => Promise<T>) => withClient(database.url, work);

async function withPool<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = await openPool(database.url, { maxConnections: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

const listNoted = async () =>
  (await use((client) => client.query("SELECT * FROM schema_migrations ORDER BY name"))).rows;

test("a database of 0.4.0 goes on: the baseline counts as run, and is noted beside what 0.4.0 noted", async () => {
  const later = (await readMigrations()).filter(({ name }) => name > BASELINE).map(({ name }) => name);
  const expected = { isTooOld: false, missing: later, waiting: [], edited: [], newer: [], tooNew: [] };
  expect(await withPool(compareMigrations)).toEqual(expected);
  const before = await listNoted();
  const schema = await use(describeSchema);
  expect(await migrate(database.url, { onlyExpand: true, upTo: BASELINE })).toEqual({
    applied: [],
    waiting: [],
  });
  expect(await use(describeSchema)).toBe(schema);
  const [own] = await readMigrations();
  expect(await listNoted()).toEqual([...before, { name: BASELINE, sha256: own?.sha256, kind: "expand" }]);
  expect((await migrate(database.url)).applied).toEqual(later);
  expect(await withPool(findSchemaProblem)).toBeNull();
});

test("what is noted on a database of 0.4.0 lets its processes go on", async () => {
  await migrate(database.url, { onlyExpand: true });
  const noted = await listNoted();
  // They look for their own files, and refuse an unknown one that is no expansion.
  const own = MIGRATIONS_OF_0_4_0.map(({ name }) => name);
  expect(noted.map(({ name }) => name)).toEqual(expect.arrayContaining(own));
  const unknown = noted.filter(({ name }) => !own.includes(name));
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.map(({ kind }) => kind)).toEqual(unknown.map(() => "expand"));
});

test.each([
  ["lacks the first file of 0.4.0", "DELETE FROM schema_migrations WHERE name = '0001_owners.sql'"],
  ["lacks the last one", "DELETE FROM schema_migrations WHERE name = '0092_old_search_indexes.sql'"],
  ["ran one that was edited", "UPDATE schema_migrations SET sha256 = 'x' WHERE name = '0034_erased.sql'"],
  [
    "is of code that wrote no kinds",
    `DELETE FROM schema_migrations WHERE name > '0034';
     ALTER TABLE schema_migrations DROP COLUMN kind`,
  ],
])("a database that %s is told to go to 0.4.0 first, and nothing is changed", async (_, change) => {
  await use((client) => client.query(change));
  const before = [await listNoted(), await use(describeSchema)];
  const refused = await migrate(database.url).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(refused).toMatchObject({ message: `The database is older than version 0.4.0. ${GO}` });
  const reason = "The database is older than version 0.4.0.";
  expect(await withPool(findSchemaProblem)).toEqual({ reason, mend: GO });
  const findings = await examineDatabase(database.url);
  expect(findings.filter(({ check }) => check === MIGRATIONS)).toEqual([
    { check: MIGRATIONS, status: "fail", detail: reason, mend: GO },
  ]);
  expect([await listNoted(), await use(describeSchema)]).toEqual(before);
});
