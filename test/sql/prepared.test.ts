import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { MOST_PREPARED } from "../../sql/connection/driver.ts";
import { openPool, type Pool, sql, tsquery } from "../../sql/connection/pool.ts";
import { createTestDatabase, queryDatabase } from "../support/cluster.ts";

const Row = z.strictObject({ name: z.string(), size: z.number() });
const Prepared = z.strictObject({ statement: z.string() });

let pool: Pool;
let plain: Pool;

const database = await createTestDatabase();
await queryDatabase(database.url, "CREATE TABLE gauges (name text PRIMARY KEY, size integer NOT NULL)");
await queryDatabase(database.url, "INSERT INTO gauges SELECT 'g' || n, n FROM generate_series(1, 100) n");

beforeEach(async () => {
  pool = await openPool(database.url, { maxConnections: 1 });
  plain = await openPool(database.url, { maxConnections: 1, isPreparing: false });
});
afterEach(async () => await Promise.all([pool.end(), plain.end()]));

const readSmaller = (from: Pool, size: number) =>
  from.any(sql.type(Row)`SELECT name, size FROM gauges WHERE size < ${size} ORDER BY size`);

async function listPrepared(from: Pool): Promise<readonly string[]> {
  return await from.anyFirst(sql.type(Prepared)`SELECT statement FROM pg_prepared_statements ORDER BY name`);
}

test("a statement that is sent again is prepared once, and answers as one that is planned anew", async () => {
  for (let size = 0; size < 12; size++) {
    expect(await readSmaller(pool, size)).toEqual(await readSmaller(plain, size));
  }
  expect(await listPrepared(pool)).toEqual([expect.stringContaining("FROM gauges WHERE size < $1")]);
  expect(await listPrepared(plain)).toEqual([]);
});

test("a refusal of a prepared statement is that of any other, and the next call works", async () => {
  const insert = (from: Pool, name: string) =>
    from.query(sql.type(Row)`INSERT INTO gauges (name, size) VALUES (${name}, 1) RETURNING name, size`);
  for (let n = 0; n < 6; n++) await insert(pool, `again-${n}`);
  const told = await Promise.all([pool, plain].map((one) => insert(one, "again-1").catch((error) => error)));
  expect(told[0].constructor).toBe(told[1].constructor);
  expect(told[0].message).toBe(told[1].message);
  expect((await insert(pool, "again-7")).rows).toEqual([{ name: "again-7", size: 1 }]);
  await queryDatabase(database.url, "DELETE FROM gauges WHERE name LIKE 'again-%'");
});

test("what a migration changes meanwhile fails no statement that stays", async () => {
  for (let size = 0; size < 8; size++) await readSmaller(pool, size);
  for (const change of [
    "ALTER TABLE gauges ADD COLUMN place text",
    "CREATE INDEX gauges_size_idx ON gauges (size)",
    "ANALYZE gauges",
    "DROP INDEX gauges_size_idx",
    "ALTER TABLE gauges DROP COLUMN place",
  ]) {
    await queryDatabase(database.url, change);
    expect(await readSmaller(pool, 3)).toEqual(await readSmaller(plain, 3));
  }
});

test("searches and what is too long are planned anew", async () => {
  const long = sql.join(
    Array.from({ length: 2_000 }, (_, n) => sql.fragment`${`g${n}`}`),
    sql.fragment`, `,
  );
  for (let n = 0; n < 8; n++) {
    await pool.any(sql.type(Row)`
      SELECT name, size FROM gauges WHERE to_tsvector('simple', name) @@ ${tsquery("g1")}`);
    await pool.any(sql.type(Row)`SELECT name, size FROM gauges WHERE name IN (${long})`);
  }
  expect((await listPrepared(pool)).filter((text) => !text.includes("pg_prepared_statements"))).toEqual([]);
});

test(`a connection keeps ${MOST_PREPARED} statements at most, and the others work as before`, async () => {
  for (let n = 1; n <= MOST_PREPARED + 20; n++) {
    const columns = sql.join(
      Array.from({ length: n }, () => sql.fragment`1`),
      sql.fragment` + `,
    );
    for (let times = 0; times < 5; times++) {
      const sum = sql.type(z.strictObject({ sum: z.number() }))`SELECT ${columns} AS sum`;
      expect(await pool.oneFirst(sum)).toBe(n);
    }
  }
  expect((await listPrepared(pool)).length).toBe(MOST_PREPARED);
});
