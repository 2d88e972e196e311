import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPressure } from "../../../../api/http/hooks/pressure.ts";
import { addRequestNames } from "../../../../api/http/hooks/request-names.ts";
import { addShedding, wasShed } from "../../../../api/http/hooks/shedding.ts";
import { runAsInnerCall } from "../../../../api/http/inner-calls.ts";
import { Refusal } from "../../../../shared/ground/errors.ts";
import type { Deps } from "../../../../shared/platform/deps.ts";
import { openLog } from "../../../../shared/platform/telemetry/log.ts";

const PLACES = 3;
/** Requests here wait for a place for so long. */
const BURST_MS = 500;

const contexts = new AsyncLocalStorage<string>();
let app: FastifyInstance;
let root = "";
let port = 0;
/** Requests whose handler waits for the test. */
let waiting: (() => void)[];

beforeEach(async () => {
  waiting = [];
  app = fastify();
  addRequestNames(app);
  app.addHook("onRequest", (request, _reply, done) => contexts.run(request.url, done));
  const pressure = openPressure({
    mostAtOnce: PLACES,
    leastAtOnce: PLACES,
    burstMs: BURST_MS,
    overloadMs: 0,
  });
  addShedding(app, { log: openLog("silent", "test") } as Deps, { reads: pressure, writes: pressure });
  app.setErrorHandler((error, request, reply) => {
    const refusal = error instanceof Refusal ? error : null;
    return reply
      .status(refusal?.status ?? 500)
      .header("retry-after", String(refusal?.retryAfterSeconds ?? ""))
      .send({ wasShed: wasShed(request) });
  });
  app.get("/context/:name", async () => {
    await waitForTest();
    return contexts.getStore();
  });
  for (const url of ["/slow", "/healthz", "/readyz"]) app.get(url, waitForTest);
  app.post("/slow", waitForTest);
  app.post("/api/v1/assets", waitForTest);
  app.get("/fails", async () => {
    throw new Error("it broke");
  });
  app.get("/tool", async (_request, reply) => {
    const counted = { caller: null, countedAgentId: null, isCounted: false };
    const call = { requestId: "1", userAgent: undefined, ...counted, response: reply.raw };
    const inner = await runAsInnerCall(call, async () => await app.inject({ url: "/slow" }));
    return { inner: inner.statusCode };
  });
  root = await app.listen({ port: 0, host: "127.0.0.1" });
  port = Number(new URL(root).port);
});
afterEach(async () => {
  release();
  await app.close();
});

const waitForTest = async () => {
  await new Promise<void>((resolve) => waiting.push(resolve));
  return { status: "done" };
};

function release(): void {
  for (const resolve of waiting.splice(0)) resolve();
}

const ask = (path: string, init: RequestInit = {}) => fetch(`${root}${path}`, init);
const untilWaiting = async (count: number) => {
  await expect.poll(() => waiting.length, { timeout: 40_000, interval: 5 }).toBe(count);
};

/** So many requests whose handlers wait. */
async function occupy(count: number, path = "/slow", init: RequestInit = {}): Promise<Promise<Response>[]> {
  const before = waiting.length;
  const asked = Array.from({ length: count }, () => ask(path, init));
  await untilWaiting(before + count);
  return asked;
}

test("requests that get no place in time are answered 503 with a time to come back, and none once there is room", async () => {
  const served = await occupy(PLACES);
  const turnedAway = await Promise.all([ask("/slow"), ask("/slow"), ask("/fails")]);
  expect(turnedAway.map((reply) => reply.status)).toEqual([503, 503, 503]);
  for (const reply of turnedAway) {
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await reply.json()).toEqual({ wasShed: true });
  }
  release();
  expect((await Promise.all(served)).map((reply) => reply.status)).toEqual([200, 200, 200]);
  const after = await occupy(PLACES);
  release();
  expect((await Promise.all(after)).map((reply) => reply.status)).toEqual([200, 200, 200]);
});

test("requests of a burst wait for a place, each in its own context", async () => {
  const names = Array.from({ length: 4 * PLACES }, (_, place) => `/context/${place}`);
  const asked = names.map((name) => ask(name));
  for (let turn = 0; turn < 4; turn++) {
    await untilWaiting(PLACES);
    release();
  }
  const replies = await Promise.all(asked);
  expect(await Promise.all(replies.map((reply) => reply.text()))).toEqual(names);
});

test("health checks are always answered and take no room", async () => {
  const checks = [...(await occupy(PLACES, "/healthz")), ...(await occupy(PLACES, "/readyz"))];
  const served = await occupy(PLACES);
  const more = await occupy(1, "/readyz");
  release();
  const replies = await Promise.all([...checks, ...served, ...more]);
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
});

test("a tool's own request takes no room beside its call's, and is not turned away", async () => {
  const served = await occupy(PLACES, "/tool");
  expect((await ask("/tool")).status).toBe(503);
  release();
  for (const reply of await Promise.all(served)) expect(await reply.json()).toEqual({ inner: 200 });
});

test("uploads, and bodies that have not come, take no room", async () => {
  const uploads = await occupy(PLACES, "/api/v1/assets", { method: "POST" });
  const head =
    "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
  const sockets = Array.from({ length: PLACES }, () => connect(port, "127.0.0.1"));
  for (const socket of sockets) socket.on("error", () => undefined).write(head);
  await Promise.all(sockets.map((socket) => (socket.connecting ? once(socket, "connect") : null)));
  const served = await occupy(PLACES);
  for (const socket of sockets) socket.destroy();
  release();
  const replies = await Promise.all([...uploads, ...served]);
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
});

test("a failure gives its place back", async () => {
  for (let turn = 0; turn < 2 * PLACES; turn++) expect((await ask("/fails")).status).toBe(500);
  const served = await occupy(PLACES);
  release();
  expect((await Promise.all(served)).map((reply) => reply.status)).toEqual([200, 200, 200]);
});

test("a caller who gives up makes no room before the work has ended", async () => {
  const leaving = Array.from({ length: PLACES }, () =>
    httpRequest(`${root}/slow`).on("error", () => undefined),
  );
  for (const one of leaving) one.end();
  await untilWaiting(PLACES);
  for (const one of leaving) one.destroy();
  expect((await ask("/slow")).status).toBe(503);
  release();
  await expect.poll(async () => (await ask("/fails")).status, { timeout: 40_000 }).toBe(500);
  const served = await occupy(PLACES);
  release();
  expect((await Promise.all(served)).map((reply) => reply.status)).toEqual([200, 200, 200]);
});
