import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import { startBalancer } from "../support/balancer.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { startLoad } from "../support/steady-load.ts";
import { runSql } from "../support/tables.ts";

const REQUESTS = 10_000;
const PROBES_SEEN_MS = 30_000;
// As operators have it: a second between "not ready" and the end.
const NOTICE = { STOP_NOTICE_MS: "1000" };

const service = await openServiceOfRun({ LIMIT_CREATIONS: "100000" });
const ports = [await choosePort(), await choosePort()];
const apis = await Promise.all(ports.map((port) => service.startApi({ port, env: NOTICE })));
const balancer = await startBalancer(apis.map((api) => api.url));
afterAll(() => balancer.close());
await until(() => balancer.ready().length === apis.length, PROBES_SEEN_MS);
const { token } = await enrolAgent(service.deps, balancer.url, "rolling");

test(`each API process is replaced under load and none of ${REQUESTS} requests fails`, {
  timeout: 300_000,
}, async () => {
  const load = startLoad({ url: balancer.url, token, requests: REQUESTS });
  await until(() => load.sent() > REQUESTS / 10, 120_000);
  for (const [index, old] of apis.entries()) {
    old.child.kill("SIGTERM");
    expect(await old.ended).toEqual({ code: 0, signal: null });
    expect(balancer.ready()).not.toContain(old.url);
    const port = Number(new URL(old.url).port);
    apis[index] = await service.startApi({ port, env: NOTICE });
    await until(() => balancer.ready().length === apis.length, PROBES_SEEN_MS);
  }
  const told = await load.finish();
  expect(told.failed).toEqual([]);
  expect(told.answered).toBeGreaterThanOrEqual(REQUESTS);
  const made = await runSql(service, "SELECT count(*)::int AS made FROM creations");
  expect(made).toEqual([{ made: told.written }]);
  expect(told.written).toBeGreaterThan(REQUESTS / 50);
});

test("a process that is told to stop calls itself unready and answers, then closes", {
  timeout: 240_000,
}, async () => {
  const stopping = await service.startApi({ env: { STOP_NOTICE_MS: "3000" } });
  expect((await send(stopping.url, { path: "/readyz" })).status).toBe(200);
  stopping.child.kill("SIGTERM");
  await until(async () => (await send(stopping.url, { path: "/readyz" })).status === 503, 10_000);
  const page = await send(stopping.url, { path: "/" });
  const lives = await send(stopping.url, { path: "/healthz" });
  expect([page.status, page.headers.get("connection"), lives.status]).toEqual([200, "close", 200]);
  expect(await stopping.ended).toEqual({ code: 0, signal: null });
  await expect(send(stopping.url, { path: "/healthz" })).rejects.toThrow();
});

test("workers are replaced twice while uploads come in, and each upload is inspected", {
  timeout: 360_000,
}, async () => {
  let worker = await service.startWorkers(["inspect"]);
  const ids: string[] = [];
  const uploadSome = async () => {
    for (let file = 0; file < 12; file++) {
      const rows = Array.from({ length: 20_000 }, (_, row) => `${row},${file}`).join("\n");
      const reply = await send(balancer.url, {
        ...{ method: "POST", path: "/api/v1/assets", token, key: randomUUID() },
        headers: { prefer: "respond-async" },
        body: formOf(`table-${file}.csv`, `row,file\n${rows}\n`),
      });
      expect(reply.status, reply.text).toBe(201);
      ids.push(reply.json.data.id);
    }
  };
  for (let replacement = 0; replacement < 2; replacement++) {
    const uploading = uploadSome();
    await until(() => ids.length > replacement * 12 + 4, 30_000);
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    worker = await service.startWorkers(["inspect"]);
    await uploading;
  }
  const left = "SELECT id FROM assets WHERE readiness = 'processing'";
  await until(async () => (await runSql(service, left)).length === 0, 60_000);
  const found = await runSql(service, "SELECT id FROM assets WHERE readiness = 'ready'");
  expect(found.map((row) => row.id).toSorted()).toEqual(ids.toSorted());
});
