import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { makeExtensions, withClient } from "../../cli/embedded/database.ts";
import { migrate } from "../../shared/process/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../support/cluster.ts";
import { describeSchema } from "./describe-schema.ts";

const folder = join(import.meta.dirname, "../../sql/migrations");
const { adminUrl, url } = inject("cluster");
const name = `empty_${randomBytes(6).toString("hex")}`;
let migrated: TestDatabase;

beforeAll(async () => {
  await withClient(adminUrl, (client) => client.query(`CREATE DATABASE ${name} OWNER broadsheet`));
  await withClient(at(adminUrl), makeExtensions);
  migrated = await createTestDatabase();
});
afterAll(async () => {
  await withClient(adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  await migrated.drop();
});

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
      client.query(
        "UPDATE schema_migrations SET sha256 = $1 WHERE name = '0001_owners.sql' RETURNING sha256",
        [sha256],
      ),
    );
  const before = await withClient(migrated.url, (client) =>
    client.query<{ sha256: string }>("SELECT sha256 FROM schema_migrations WHERE name = '0001_owners.sql'"),
  );
  await edit("edited");
  await expect(migrate(migrated.url)).rejects.toThrow("0001_owners.sql was edited after it ran");
  await edit(before.rows[0]?.sha256 ?? "");
  expect((await migrate(migrated.url)).applied).toEqual([]);
});

test("a database that is ahead of this code stops the start", async () => {
  await withClient(migrated.url, (client) =>
    client.query("INSERT INTO schema_migrations (name, sha256) VALUES ('9999_later.sql', 'x')"),
  );
  await expect(migrate(migrated.url)).rejects.toThrow("newer than this code: it has 9999_later.sql");
  await withClient(migrated.url, (client) =>
    client.query("DELETE FROM schema_migrations WHERE name = '9999_later.sql'"),
  );
});

test("the schema is the one that is written down", async () => {
  const hint =
    "The schema changed. If that is meant, renew the file: npx vitest run --project db test/sql -u";
  await expect(await withClient(migrated.url, describeSchema), hint).toMatchFileSnapshot(
    "schema.snapshot.txt",
  );
});
