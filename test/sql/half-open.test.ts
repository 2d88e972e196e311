import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { withClient } from "../../cli/embedded/database.ts";
import { openRedis, waitUntilReady } from "../../shared/platform/jobs/redis.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";
import type { LivenessLimits } from "../../sql/connection/liveness.ts";
import { openPool, sql } from "../../sql/connection/pool.ts";
import { openPageVersions } from "../../sql/reading/page-versions.ts";
import { openCable, socketOf } from "../support/cable.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { findRedis, startRedis } from "../support/redis.ts";
import { until } from "../support/service-process.ts";

// The far end of a connection vanishes and nobody says so: what waits on it is told within a bound, and the next one
// finds another connection.

const SILENCE_MS = 300;

const database = await createTestDatabase();
const cable = await openCable(socketOf(database.url));

afterAll(async () => {
  await cable.close();
});

const one = sql.type(z.strictObject({ one: z.number() }))`SELECT 1 AS one`;

const onCable = () => Object.assign(new URL(database.url), { host: `127.0.0.1:${cable.port}` });

function openHere(maxConnections: number, liveness: Partial<LivenessLimits> = { silenceMs: SILENCE_MS }) {
  const url = onCable();
  return openPool(url.href, { maxConnections, liveness });
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

const slowOne = sql.type(z.strictObject({ one: z.number() }))`SELECT 1 AS one FROM pg_sleep(0.05)`;

test("the server is asked about a silent connection: a dead one is known soon, and takes its idle neighbours along", async () => {
  const pool = await openHere(3, { askAfterMs: 100 });
  await Promise.all([1, 2, 3].map(() => pool.oneFirst(slowOne)));
  cable.halfOpen();
  await expect(pool.oneFirst(one)).rejects.toThrow("Query read timeout");
  // Each would have failed by itself.
  expect(await Promise.all([1, 2, 3].map(() => pool.oneFirst(slowOne)))).toEqual([1, 1, 1]);
  await pool.end();
});

test("a statement that the server works on is waited for", async () => {
  const pool = await openHere(1, { askAfterMs: 50 });
  expect(
    await pool.oneFirst(sql.type(z.strictObject({ one: z.number() }))`SELECT 1 AS one FROM pg_sleep(0.8)`),
  ).toBe(1);
  await pool.end();
});

test("what a dead connection left open on the server is ended, so that nobody waits for its locks", async () => {
  const pool = await openHere(1, { askAfterMs: 100 });
  const held = sql.type(z.strictObject({ one: z.number() }))`SELECT 1 AS one FROM pg_advisory_xact_lock(7)`;
  const broken = pool.transaction(async (tx) => {
    expect(await tx.oneFirst(held)).toBe(1);
    cable.deafen();
    return await tx.oneFirst(one);
  });
  await expect(broken).rejects.toThrow(/^(Query read timeout|Client is (pending destroy|destroyed)\.)$/);
  cable.heal();
  expect(await pool.transaction((tx) => tx.oneFirst(held))).toBe(1);
  await pool.end();
});

test("a read of page versions outlives the connection that it was made on", async () => {
  const versions = openPageVersions(onCable().href, 2, { askAfterMs: 100 });
  const read = () => versions.read([{ kind: "home" }], Date.now());
  const before = await read();
  for (const harm of ["halfOpen", "reset"] as const) {
    if (harm === "halfOpen") cable.halfOpen();
    else {
      cable.cut();
      cable.heal();
    }
    expect(await Promise.all([read(), read()])).toEqual([before, before]);
  }
  await versions.close();
});

test.skipIf(findRedis() === null)("a half-open connection to Redis is broken off and made anew", async () => {
  const redis = await startRedis();
  const line = await openCable({ port: redis.port });
  const log = openLog("silent", "test");
  const connection = openRedis(`redis://127.0.0.1:${line.port}`, {
    ...{ waits: false, timeoutMs: 200, log, purpose: "test" },
  });
  try {
    expect(await waitUntilReady(connection, 5_000)).toBe(true);
    line.halfOpen();
    await expect(connection.ping()).rejects.toThrow();
    await expect.poll(() => connection.ping().catch(() => "lost"), { timeout: 60_000 }).toBe("PONG");
  } finally {
    connection.disconnect();
    await line.close();
    await redis.stop();
  }
});

test("a read of page versions that PostgreSQL ends, since it and a migration would wait for each other, is run again", async () => {
  const versions = openPageVersions(database.url, 1);
  await withClient(database.url, async (client) => {
    await client.query("BEGIN; LOCK TABLE owners");
    const reading = versions.read([{ kind: "agent", handle: "nobody" }], Date.now());
    const isWaiting = () =>
      withClient(database.url, async (other) => {
        const { rowCount } = await other.query("SELECT FROM pg_locks WHERE NOT granted");
        return rowCount === 1;
      });
    await until(isWaiting, 10_000);
    // PostgreSQL ends what has waited for a second: the read, unless the machine takes a second for this line.
    await client.query("LOCK TABLE agents").catch(({ code }) => expect(code).toBe("40P01"));
    await client.query("ROLLBACK");
    expect(await reading).toEqual([null]);
  });
  await versions.close();
});
