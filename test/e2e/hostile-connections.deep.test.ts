import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { drip, headOf, openRaw, statusOf } from "../support/raw-socket.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { residentMib } from "../support/resident-size.ts";
import { startProcess, until } from "../support/service-process.ts";
import type { Stall } from "../support/stalled-connections.ts";
import { runSql } from "../support/tables.ts";

const CLIENT = join(import.meta.dirname, "..", "support", "idle-connections.ts");
const STALLED = join(import.meta.dirname, "..", "support", "stalled-connections.ts");
const MOST_IDLE = 10_000;
/** Files and sockets that either process needs for itself. */
const OTHER_FILES = 1_000;
const JSON_TYPE = "application/json";

const service = await openServiceOfRun();
const api = await service.startApi();
const port = Number(new URL(api.url).port);
const { token } = await enrolAgent(service.deps, api.url, "patient");

const authorized = () => ({ Authorization: `Bearer ${token}`, "Idempotency-Key": randomUUID() });
const story = (title: string) => ({ type: "story", payload: { title, body_markdown: "b" } });
const save = (title: string) =>
  send(api.url, { method: "POST", path: "/api/v1/creations", token, key: randomUUID(), body: story(title) });
const count = async (table: "creations" | "assets"): Promise<number> =>
  (await runSql(service, `SELECT count(*)::int AS count FROM ${table}`))[0].count;

/** As many as asked for, or as either process may open. */
async function countIdle(): Promise<number> {
  const limits = await readFile(`/proc/${api.pid}/limits`, "utf8");
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? MOST_IDLE);
  return Math.min(MOST_IDLE, files - OTHER_FILES);
}

test
  .skipIf(process.platform !== "linux")
  .concurrent(
    "10,000 silent connections leave room for everybody else, and are closed",
    { timeout: 360_000 },
    async ({ expect }) => {
      const idle = await countIdle();
      const beforeMib = await residentMib(api.pid);
      const args = [CLIENT, String(port), String(idle)];
      const client = startProcess({ command: process.execPath, args, env: process.env });
      try {
        await client.said("all open", 40_000);
        const openMib = await residentMib(api.pid);
        const replies = await Promise.all(Array.from({ length: 20 }, (_, place) => save(`Beside ${place}`)));
        expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 201));
        const { answered } = await client.said("all closed", 60_000);
        expect(answered).toBe(idle);
        await client.ended;
        const told = `${beforeMib.toFixed(0)} MiB before, ${openMib.toFixed(0)} MiB with all of them`;
        console.log(
          `${idle} silent connections: API ${told}, ${(await residentMib(api.pid)).toFixed(0)} MiB after`,
        );
        expect(openMib - beforeMib).toBeLessThan(256);
      } finally {
        client.child.kill("SIGKILL");
        await client.ended;
      }
    },
  );

test.concurrent("headers that come one by one end with 408", { timeout: 240_000 }, async ({ expect }) => {
  const answers = Array.from({ length: 50 }, () => {
    const connection = openRaw(port);
    drip(connection, headOf("GET /healthz", authorized()), 400);
    return connection.closed;
  });
  expect(new Set((await Promise.all(answers)).map(statusOf))).toEqual(new Set([408]));
});

test.concurrent("bodies that never come, or one by one, end with 408 and save nothing", {
  timeout: 240_000,
}, async ({ expect }) => {
  const head = headOf("POST /api/v1/creations", {
    ...authorized(),
    "Content-Type": JSON_TYPE,
    "Content-Length": 400,
  });
  const body = JSON.stringify(story("Never whole")).padEnd(400);
  const connections = Array.from({ length: 20 }, (_, place) => {
    const connection = openRaw(port);
    connection.write(head);
    if (place % 2 === 0) drip(connection, body, 400);
    return connection;
  });
  const answers = await Promise.all(connections.map(({ closed }) => closed));
  for (const answer of answers) {
    const [first = "", text = ""] = answer.split("\r\n\r\n");
    expect([statusOf(first), JSON.parse(text).code]).toEqual([408, "http_error"]);
    expect(first.toLowerCase()).toContain("connection: close");
  }
  expect(await runSql(service, "SELECT id FROM creation_revisions WHERE title = 'Never whole'")).toEqual([]);
});

test.concurrent("uploads that break off leave no row and no bytes", { timeout: 240_000 }, async ({
  expect,
}) => {
  const part = '--b0\r\nContent-Disposition: form-data; name="file"; filename="half.csv"\r\n\r\n';
  const form = `${part}${"a\n1\n".repeat(50_000)}\r\n--b0--\r\n`;
  const headers = { "Content-Type": "multipart/form-data; boundary=b0", "Content-Length": form.length };
  await Promise.all(
    Array.from({ length: 20 }, async (_, place) => {
      const connection = openRaw(port);
      connection.write(
        headOf("POST /api/v1/assets", { ...authorized(), ...headers }) + form.slice(0, 9_999 * place),
      );
      await new Promise((resolve) => setImmediate(resolve));
      if (place % 2 === 0) connection.socket.resetAndDestroy();
      else connection.socket.end();
      await connection.closed;
    }),
  );
  await expect.poll(async () => (await listFiles()).length, { timeout: 80_000 }).toBe(0);
  expect(await count("assets")).toBe(0);
});

async function listFiles(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of service.deps.files.list()) keys.push(key);
  return keys;
}

test.concurrent.each([
  ["one header of a megabyte", { "X-Long": "a".repeat(1_000_000) }, 431],
  ["5,000 headers", Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`X-${i}`, "a"])), 431],
  ["an address of 100,000 characters", {}, 431],
] as const)("%s is refused and the connection closed", async (name, headers, status) => {
  const connection = openRaw(port);
  const path = name.startsWith("an address") ? `/${"a".repeat(100_000)}` : "/healthz";
  connection.write(headOf(`GET ${path}`, headers));
  const answer = await connection.closed;
  expect(statusOf(answer)).toBe(status);
});

test.concurrent("a body of 50 MB is refused before it has come", { timeout: 120_000 }, async ({ expect }) => {
  const connection = openRaw(port);
  const headers = { ...authorized(), "Content-Type": JSON_TYPE, "Content-Length": 50_000_000 };
  connection.write(headOf("POST /api/v1/creations", headers));
  expect(statusOf(await connection.closed)).toBe(413);
  const chunked = openRaw(port);
  const open = { ...authorized(), "Content-Type": JSON_TYPE, "Transfer-Encoding": "chunked" };
  chunked.write(headOf("POST /api/v1/creations", open));
  const megabyte = Buffer.from(`100000\r\n${" ".repeat(0x100000)}\r\n`);
  for (let sent = 0; sent < 50; sent++) chunked.write(megabyte);
  expect(statusOf(await chunked.closed)).toBe(413);
});

test.concurrent("500 requests on one connection, none of the answers read, are kept in bounds", async ({
  expect,
}) => {
  const connection = openRaw(port);
  connection.socket.pause();
  connection.write(headOf("GET /api/v1/openapi.json", {}).repeat(500));
  expect((await save("Beside a deaf one")).status).toBe(201);
  connection.socket.destroy();
  await connection.closed;
  expect((await send(api.url, { path: "/healthz" })).status).toBe(200);
});

/** What stalled connections of one kind make an API process of their own hold, in MiB. */
async function growBy(stall: Omit<Stall, "port" | "addresses">): Promise<{ grewMib: number; answers: Json }> {
  const own = await service.startApi();
  expect((await send(own.url, { path: "/api/v1/creations", token })).status).toBe(200);
  const beforeMib = await residentMib(own.pid);
  const args = [STALLED, JSON.stringify({ port: Number(new URL(own.url).port), addresses: 40, ...stall })];
  const client = startProcess({ command: process.execPath, args, env: process.env });
  try {
    await client.said("all stalled", 40_000);
    const { answers } = await client.said("answers", 10_000);
    return { grewMib: (await residentMib(own.pid)) - beforeMib, answers };
  } finally {
    client.child.kill("SIGKILL");
    await client.ended;
    // What the client began is behind the process then; for a moment it was too much.
    const isAnswered = async () => (await send(own.url, { path: "/api/v1/creations", token })).status === 200;
    await until(isAnswered, 10_000);
    own.child.kill("SIGTERM");
    await own.ended;
  }
}

describe.skipIf(process.platform !== "linux")("what a process holds for connections that stand still", () => {
  test("400 downloads of 10 MB that nobody reads", { timeout: 360_000 }, async () => {
    const form = formOf("large.txt", "The gauge rose.\n".repeat(600_000));
    const headers = { prefer: "respond-async" };
    const upload = { method: "POST", path: "/api/v1/assets", token, key: randomUUID() } as const;
    const { json, status } = await send(api.url, { ...upload, headers, body: form });
    expect(status).toBe(201);
    const head = headOf(`GET /api/v1/assets/${json.data.id}/content`, { Authorization: `Bearer ${token}` });
    const { grewMib } = await growBy({ count: 400, heads: [head], bodyBytes: 0, reads: false });
    console.log(`400 unread downloads: ${grewMib.toFixed(0)} MiB`);
    expect(grewMib).toBeLessThan(130);
  });

  test("100 bodies of 2 MB each to POST /agents, and to an address that needs a token", {
    timeout: 360_000,
  }, async () => {
    const length = { "Content-Type": JSON_TYPE, "Content-Length": 2_000_000 };
    const heads = ["POST /api/v1/agents", "POST /api/v1/creations"].map((line) => headOf(line, length));
    const { grewMib, answers } = await growBy({ count: 200, heads, bodyBytes: 1_900_000, reads: true });
    console.log(`200 stalled bodies: ${grewMib.toFixed(0)} MiB`, answers);
    // Most clients are still writing when their connection ends, and do not read why.
    expect(answers["413"]).toBeGreaterThan(0);
    expect(grewMib).toBeLessThan(100);
  });
});
