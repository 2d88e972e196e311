import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { openBatchLoader } from "../../shared/platform/concurrency/batch-loader.ts";
import { openBatchedPool } from "../../sql/connection/batched-pool.ts";
import { type HotStatements, openHotStatements } from "../../sql/connection/hot-statements.ts";
import { openPool, type Pool, sql, Timestamp } from "../../sql/connection/pool.ts";
import { createTestDatabase, queryDatabase, type TestDatabase } from "../support/cluster.ts";

let database: TestDatabase;
let pool: Pool;
let statements: HotStatements;
let batched: Pool;
const sent: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await queryDatabase(
    database.url,
    `CREATE TABLE gauges (name text PRIMARY KEY, size integer NOT NULL, bytes bigint, share numeric, seen timestamptz,
      day date, marks text[], days date[], note json, quay text NOT NULL);
    INSERT INTO gauges SELECT 'g' || n, n, n * 10000000000, n / 8.0, '2026-11-20T09:00:00.123Z'::timestamptz + n * interval '1 hour',
      '2026-11-20'::date + n, ARRAY['a' || n, NULL], ARRAY['2026-11-20'::date], json_build_object('n', n), 'q' || n % 4
      FROM generate_series(1, 100) n;
    INSERT INTO gauges (name, size, quay) VALUES ('bare', 0, 'q9')`,
  );
  pool = await openPool(database.url, { maxConnections: 4 });
  statements = openHotStatements(database.url, 2);
  batched = openBatchedPool(pool, {
    statements,
    openLoader: (load) => openBatchLoader({ load, nameOf: JSON.stringify, concurrency: 2, nextAfterMs: 1 }),
    onStatement: (text) => sent.push(text),
  });
});
afterAll(async () => {
  await statements.close();
  await pool.end();
  await database.drop();
});
beforeEach(() => void sent.splice(0));

const Gauge = z.strictObject({
  name: z.string(),
  size: z.number(),
  bytes: z.number().nullable(),
  share: z.number().nullable(),
  seen: Timestamp.nullable(),
  day: z.string().nullable(),
  marks: z.array(z.string().nullable()).nullable(),
  days: z.array(z.string()).nullable(),
  note: z.record(z.string(), z.unknown()).nullable(),
});
const columns = sql.fragment`name, size, bytes, share, seen, day, marks, days, note`;
const Name = z.strictObject({ name: z.string() });

const findGauge = (from: Pool, name: string) =>
  from.maybeOne(sql.type(Gauge)`SELECT ${columns} FROM gauges WHERE name = ${name}`);
const listQuay = (from: Pool, quay: string, most: number, isLarge: boolean, after: number | null = null) =>
  from.any(sql.type(Gauge)`
    SELECT ${columns} FROM gauges WHERE quay = ${quay} AND (size > 50) = ${isLarge}
      AND (${after === null ? null : String(after)}::int IS NULL OR size > ${after === null ? null : String(after)}::int)
    ORDER BY size DESC LIMIT ${most}`);

/** From its fourth time on, a text is sent for several at once. */
async function warmUp(read: (from: Pool) => Promise<unknown>): Promise<void> {
  for (let time = 0; time < 4; time++) await read(batched).catch(() => undefined);
  sent.splice(0);
}

test("each read gets the rows that it gets by itself, whatever is read with it", async () => {
  await warmUp((from) => findGauge(from, "g1"));
  const names = ["g7", "none", "bare", "g100", "g7", 'it\'s \\ "so", {x}', "g1"];
  const together = await Promise.all(names.map((name) => findGauge(batched, name)));
  expect(together).toEqual(await Promise.all(names.map((name) => findGauge(pool, name))));
  expect(together[0]?.seen).toBe(Date.parse("2026-11-20T16:00:00.123Z"));
  expect(sent.length).toBe(1);
});

test("lists keep their order, bounds and nulls", async () => {
  await warmUp((from) => listQuay(from, "q1", 3, true));
  const asked = [0, 1, 2, 3, 9].flatMap((quay) =>
    [true, false].flatMap((isLarge) =>
      [1, 20].map((most) => [`q${quay}`, most, isLarge, quay * 10] as const),
    ),
  );
  for (const after of [false, true]) {
    const readAll = (from: Pool) =>
      Promise.all(
        asked.map(([quay, most, isLarge, size]) => listQuay(from, quay, most, isLarge, after ? size : null)),
      );
    expect(await readAll(batched)).toEqual(await readAll(pool));
  }
  expect(sent.length).toBe(2);
});

test("one value, one row and rows that may be missing are read as the pool reads them", async () => {
  const reads = [
    (from: Pool) => from.oneFirst(sql.type(Name)`SELECT name FROM gauges WHERE size = ${7}`),
    (from: Pool) => from.one(sql.type(Name)`SELECT name FROM gauges WHERE size = ${1_000}`),
    (from: Pool) =>
      from.maybeOne(sql.type(Name)`SELECT name FROM gauges WHERE size < ${9} AND quay = ${"q1"}`),
    (from: Pool) => from.maybeOneFirst(sql.type(Name)`SELECT name FROM gauges WHERE size = ${1_001}`),
    (from: Pool) => from.anyFirst(sql.type(Name)`SELECT name FROM gauges WHERE size < ${4} ORDER BY size`),
    (from: Pool) =>
      from.any(sql.type(z.strictObject({ name: z.number() }))`SELECT name FROM gauges WHERE size = ${2}`),
  ];
  const tell = async (answer: Promise<unknown>) =>
    await answer.catch((error: Error) => `${error.name}: ${error.message}`);
  for (const read of reads) {
    await warmUp(read);
    expect(await tell(read(batched))).toEqual(await tell(read(pool)));
    expect(sent.length).toBe(1);
  }
});

test("a value that PostgreSQL refuses fails its own read alone", async () => {
  const Number_ = z.strictObject({ number: z.number() });
  const read = (from: Pool, text: string) => from.oneFirst(sql.type(Number_)`SELECT ${text}::int AS number`);
  await warmUp((from) => read(from, "1"));
  const texts = ["1", "two", "3"];
  const outcomes = await Promise.allSettled(texts.map((text) => read(batched, text)));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const alone = await read(pool, "two").catch((error) => error.constructor);
  expect(outcomes[1]).toMatchObject({ reason: { constructor: alone } });
});

test("lists of values, writes, searches and transactions go by themselves", async () => {
  for (let time = 0; time < 6; time++) {
    await batched.any(sql.type(Name)`SELECT name FROM gauges WHERE name = ANY(${sql.array(["g1"], "text")})`);
    await batched.any(sql.type(Name)`UPDATE gauges SET size = size WHERE name = ${"g1"} RETURNING name`);
    await batched.any(sql.type(Name)`SELECT name FROM gauges WHERE to_tsvector(name) @@ ${"g1"}::tsquery`);
    await batched.transaction((tx) => tx.any(sql.type(Name)`SELECT name FROM gauges WHERE name = ${"g1"}`));
  }
  expect(sent).toEqual([]);
});

test("a read sees what was written before it was asked for", async () => {
  await warmUp((from) => findGauge(from, "g3"));
  for (let size = 1_000; size < 1_050; size++) {
    const earlier = [findGauge(batched, "g3"), findGauge(batched, "g4")];
    await queryDatabase(database.url, `UPDATE gauges SET size = ${size} WHERE name = 'g3'`);
    expect((await findGauge(batched, "g3"))?.size).toBe(size);
    await Promise.all(earlier);
  }
});
