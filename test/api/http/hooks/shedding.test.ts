import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addRequestNames } from "../../../../api/http/hooks/requests.ts";
import { addShedding } from "../../../../api/http/hooks/shedding.ts";
import { runAsInnerCall } from "../../../../api/http/inner-calls.ts";
import type { LoadLimits } from "../../../../api/http/places.ts";
import { Refusal } from "../../../../shared/ground/errors.ts";
import { waitWithoutPlace } from "../../../../shared/platform/concurrency/places.ts";
import { captureLog } from "../../../support/log-lines.ts";

const PLACES = 3;
/** All that comes here is one burst, and waits for a place for a moment. */
const LOAD = { reads: PLACES, writes: PLACES, burstMs: 60_000, waitMs: 200 };
/** Longer than any test takes. */
const PATIENT = { ...LOAD, waitMs: 60_000, crowdedWaitMs: 60_000 };

const contexts = new AsyncLocalStorage<string>();
let app: FastifyInstance;
let root = "";
let port = 0;
let captured: ReturnType<typeof captureLog>;
/** Requests whose handler waits for the test. */
let waiting: (() => void)[];
/** The addresses that were asked for, and with "gone" those whose connection has closed. */
let came: string[];

beforeEach(() => open(LOAD));

async function open(load: Partial<LoadLimits>): Promise<void> {
  waiting = [];
  came = [];
  // A connection that fetch opened for a request that then left would be waited for.
  app = fastify({ forceCloseConnections: true });
  addRequestNames(app);
  app.addHook("onRequest", (request, reply, done) => {
    came.push(request.url);
    reply.raw.once("close", () => came.push(`gone ${request.url}`));
    contexts.run(request.url, done);
  });
  captured = captureLog("warn");
  addShedding(app, { log: captured.log }, load);
  app.setErrorHandler((error, request, reply) => {
    const refusal = error instanceof Refusal ? error : null;
    return reply
      .status(refusal?.status ?? 500)
      .header("retry-after", String(refusal?.retryAfterSeconds ?? ""))
      .send({ wasShed: request.isShed });
  });
  app.get("/context/:name", async () => {
    await waitForTest();
    return contexts.getStore();
  });
  for (const url of ["/slow", "/healthz", "/readyz"]) app.get(url, waitForTest);
  for (const url of ["/slow", "/api/v1/assets"]) app.post(url, waitForTest);
  app.get("/waits", () => waitWithoutPlace(waitForTest));
  app.get("/waits-and-works", async () => {
    await Promise.all([waitWithoutPlace(waitForTest), waitWithoutPlace(waitForTest)]);
    return await waitForTest();
  });
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
}

async function close(): Promise<void> {
  release();
  await app.close();
}

async function openAnew(load: Partial<LoadLimits>): Promise<void> {
  await close();
  await open(load);
}
afterEach(close);

const waitForTest = async () => {
  await new Promise<void>((resolve) => waiting.push(resolve));
  return { status: "done" };
};

function release(): void {
  for (const resolve of waiting.splice(0)) resolve();
}

const ask = (path: string, init: RequestInit = {}) => fetch(`${root}${path}`, init);
const untilCame = async (url: string) => {
  await expect.poll(() => came, { timeout: 40_000, interval: 5 }).toContain(url);
};
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

test("requests that get no place in time are answered 503 with a time to come back, and counted in the log", async () => {
  const served = await occupy(PLACES);
  const turnedAway = await Promise.all([ask("/slow"), ask("/slow"), ask("/fails")]);
  for (const reply of turnedAway) {
    expect([reply.status, Number(reply.headers.get("retry-after")) >= 1]).toEqual([503, true]);
    expect(await reply.json()).toEqual({ wasShed: true });
  }
  const countLogged = () => captured.lines().reduce((sum, { requests }) => sum + Number(requests), 0);
  await expect.poll(countLogged, { timeout: 20_000 }).toBe(3);
  release();
  expect((await Promise.all(served)).map((reply) => reply.status)).toEqual([200, 200, 200]);
});

test("requests of a burst wait for a place, each in its own context", async () => {
  await openAnew(PATIENT);
  const names = Array.from({ length: 4 * PLACES }, (_, place) => `/context/${place}`);
  const asked = names.map((name) => ask(name));
  for (let turn = 0; turn < 4; turn++) {
    await untilWaiting(PLACES);
    release();
  }
  const replies = await Promise.all(asked);
  expect(await Promise.all(replies.map((reply) => reply.text()))).toEqual(names);
});

test("who comes while others wait for long is turned away soon, and those others get their place", async () => {
  await openAnew({ ...PATIENT, burstMs: 0, crowdMs: 0 });
  const served = await occupy(PLACES);
  const first = ask("/context/first");
  await untilCame("/context/first");
  // Within the turn of the others it would be of their burst, and wait with them: whoever leaves and comes again is not.
  const comeAgain = () => ask("/fails", { signal: AbortSignal.timeout(1_000) }).catch(() => null);
  await expect.poll(async () => (await comeAgain())?.status, { timeout: 40_000 }).toBe(503);
  release();
  await untilWaiting(1);
  release();
  for (const reply of await Promise.all([...served, first])) expect(reply.status).toBe(200);
});

test("reads hold up no writes, and writes no reads", async () => {
  const reads = await occupy(PLACES);
  const writes = await occupy(PLACES, "/slow", { method: "POST" });
  expect((await ask("/slow")).status).toBe(503);
  expect((await ask("/slow", { method: "POST" })).status).toBe(503);
  release();
  for (const reply of await Promise.all([...reads, ...writes])) expect(reply.status).toBe(200);
});

test("a caller who leaves the queue takes no place", async () => {
  await openAnew(PATIENT);
  const served = await occupy(PLACES);
  const leaving = new AbortController();
  const left = ask("/context/left", { signal: leaving.signal }).catch(() => "left");
  await untilCame("/context/left");
  const next = ask("/context/next");
  await untilCame("/context/next");
  leaving.abort();
  expect(await left).toBe("left");
  await untilCame("gone /context/left");
  release();
  await untilWaiting(1);
  release();
  for (const reply of await Promise.all([...served, next])) expect(reply.status).toBe(200);
});

test("requests that wait for something else hold no place, whatever they wait for it", async () => {
  const asked = [...(await occupy(4 * PLACES, "/waits")), ...(await occupy(PLACES))];
  expect((await ask("/slow")).status).toBe(503);
  release();
  for (const reply of await Promise.all(asked)) expect(reply.status).toBe(200);
});

test("who waited goes on with a place, before those who come, and is not turned away", async () => {
  const waited = Array.from({ length: PLACES }, () => ask("/waits-and-works"));
  await untilWaiting(2 * PLACES);
  const ofWaiting = waiting.splice(0);
  const served = await occupy(PLACES);
  // One of two waits is over: the place is needed after the other.
  for (const turn of [0, 1]) ofWaiting.forEach((resolve, at) => void (at % 2 === turn && resolve()));
  expect((await ask("/slow")).status).toBe(503);
  release();
  await untilWaiting(PLACES);
  expect((await ask("/slow")).status).toBe(503);
  release();
  for (const reply of await Promise.all([...served, ...waited])) expect(reply.status).toBe(200);
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
