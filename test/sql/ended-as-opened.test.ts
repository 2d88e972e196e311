import { createServer, connect as openSocket } from "node:net";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { openPool, sql } from "../../sql/connection/pool.ts";
import { socketOf } from "../support/cable.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { until } from "../support/service-process.ts";

// The server ends a connection right behind its first answer, and both come as one piece: so do connections end that were
// opened while a server was restarted.

const OPENING = "pg_backend_pid";
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);

/** Whether the next connection ends as it is opened. */
let endsNext = false;

const database = await createTestDatabase();
const name = new URL(database.url).pathname;
const admin = new pg.Client(Object.assign(new URL(inject("cluster").adminUrl), { pathname: name }).href);
await admin.connect();
const proxy = createServer((near) => {
  const far = openSocket(socketOf(database.url));
  let held: Buffer[] | null = null;
  near.on("data", (chunk) => {
    if (endsNext && chunk.includes(OPENING)) [held, endsNext] = [[], false];
    far.write(chunk);
  });
  far.on("data", (chunk) => {
    if (held === null) return void near.write(chunk);
    const isAnswered = Buffer.concat(held).includes(READY_FOR_QUERY);
    held.push(chunk);
    if (!isAnswered && chunk.includes(READY_FOR_QUERY)) void endAll();
  });
  far.on("end", () => near.end(Buffer.concat(held ?? [])));
  near.on("close", () => far.destroy());
  for (const socket of [near, far]) socket.on("error", () => socket.destroy());
});
await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));

afterAll(async () => {
  proxy.close();
  await admin.end();
});

/** Ends every connection to the database but this one. */
async function endAll(): Promise<void> {
  await admin.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
}

async function isRunning(): Promise<boolean> {
  const { rowCount } = await admin.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
  );
  return rowCount === 1;
}

const one = sql.type(z.strictObject({ one: z.number() }))`SELECT 1 AS one`;
const slow = sql.type(z.strictObject({ one: z.number() }))`SELECT 1 AS one FROM pg_sleep(20)`;

async function openHere() {
  const address = proxy.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return await openPool(Object.assign(new URL(database.url), { host }).href, { maxConnections: 1 });
}

test("whoever asked for that connection gets another", async () => {
  const pool = await openHere();
  endsNext = true;
  expect(await pool.oneFirst(one)).toBe(1);
  expect(endsNext).toBe(false);
  await pool.end();
});

test("whoever waited for a place in the pool gets another, too, and the process goes on", async () => {
  const pool = await openHere();
  const running = pool.oneFirst(slow).catch((error: Error) => error.message);
  await until(isRunning, 10_000);
  const waiting = pool.oneFirst(one);
  endsNext = true;
  await endAll();
  expect(await running).toMatch(/terminat/);
  expect(await waiting).toBe(1);
  expect(endsNext).toBe(false);
  await pool.end();
});
