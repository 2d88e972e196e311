import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openLog } from "../../shared/deps.ts";
import { openRedis, waitUntilReady } from "../../shared/jobs/redis.ts";
import { openPool, sql } from "../../sql/pool.ts";
import { type Cable, openCable } from "../support/cable.ts";
import { createTestDatabase, type TestDatabase } from "../support/cluster.ts";
import { findRedis, startRedis } from "../support/redis.ts";

// The far end of a connection vanishes and nobody says so: what waits on it is told within a bound, and the next one
// finds another connection.

const SILENCE_MS = 300;

let database: TestDatabase;
let cable: Cable;

beforeAll(async () => {
  database = await createTestDatabase();
  cable = await openCable(Number(new URL(database.url).port));
});
afterAll(async () => {
  await cable.close();
  await database.drop();
});

const one = sql.type(z.strictObject({ one: z.number() }))`SELECT 1 AS one`;

function openHere(maxConnections: number) {
  const url = new URL(database.url);
  url.port = String(cable.port);
  return openPool(url.href, { maxConnections, silenceMs: SILENCE_MS });
}

test("a query on a half-open connection fails, and its place in the pool is free again", async () => {
  const pool = await openHere(1);
  expect(await pool.oneFirst(one)).toBe(1);
  cable.halfOpen();
  await expect(pool.oneFirst(one)).rejects.toThrow("Query read timeout");
  expect(await pool.oneFirst(one)).toBe(1);
  await pool.end();
});

test("a transaction whose connection becomes half-open fails, and the next one is done", async () => {
  const pool = await openHere(1);
  const broken = pool.transaction(async (tx) => {
    expect(await tx.oneFirst(one)).toBe(1);
    cable.halfOpen();
    return await tx.oneFirst(one);
  });
  await expect(broken).rejects.toThrow(/^(Query read timeout|Client is (pending destroy|destroyed)\.)$/);
  expect(await pool.transaction((tx) => tx.oneFirst(one))).toBe(1);
  await pool.end();
});

test("a query that takes its time on a slow connection is not given up", async () => {
  const pool = await openHere(1);
  cable.slow(SILENCE_MS / 6);
  expect(await pool.oneFirst(one)).toBe(1);
  cable.heal();
  await pool.end();
});

test.skipIf(findRedis() === null)("a half-open connection to Redis is broken off and made anew", async () => {
  const redis = await startRedis();
  const line = await openCable(redis.port);
  const log = openLog("silent", "test");
  const connection = openRedis(`redis://127.0.0.1:${line.port}`, {
    ...{ patient: false, timeoutMs: 200, log, purpose: "test" },
  });
  try {
    expect(await waitUntilReady(connection, 5_000)).toBe(true);
    line.halfOpen();
    await expect(connection.ping()).rejects.toThrow();
    await expect.poll(() => connection.ping().catch(() => "lost"), { timeout: 15_000 }).toBe("PONG");
  } finally {
    connection.disconnect();
    await line.close();
    await redis.stop();
  }
});
