import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { withClient } from "../../cli/embedded/database.ts";
import { WORKERS } from "../../shared/platform/jobs/catalogue.ts";
import { listLiveProcesses } from "../../shared/platform/process/live-processes.ts";
import type { Json } from "../support/agent.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { openUpload, readUnfinished } from "../support/slow-upload.ts";
import { runSql } from "../support/tables.ts";

const CSV = "station,height_m\nBremen,4.12\nHusum,\n";

const service = await openServiceOfRun({ UPLOAD_WAIT_MS: "1000" });
let [api, workers] = await Promise.all([service.startApi(), service.startWorkers()]);
const { token } = await enrolAgent(service.deps, api.url, "processes");

function upload(url: string, filename: string): Promise<{ status: number; json: Json }> {
  const body = formOf(filename, CSV);
  return send(url, { method: "POST", path: "/api/v1/assets", token, key: randomUUID(), body });
}

async function readinessOf(id: string): Promise<string> {
  return (await send(api.url, { path: `/api/v1/assets/${id}`, token })).json.data.readiness;
}

const areTablesWritten = async () =>
  (await runSql(service, "SELECT 1 FROM pending_work WHERE kind = 'write-parquet'")).length === 0;

test("while the worker is dead the API answers and takes uploads, which become ready when it is back", async () => {
  const before = (await upload(api.url, "before.csv")).json.data.id;
  await until(async () => (await readinessOf(before)) === "ready", 30_000);
  // What it is killed at is done by a sweep, half a minute later.
  await until(areTablesWritten, 30_000);
  process.kill(workers.pid, "SIGKILL");
  expect(await workers.ended).toEqual({ code: null, signal: "SIGKILL" });

  for (const path of ["/", "/readyz", "/feed.xml"]) {
    expect(`${path} ${(await send(api.url, { path })).status}`).toBe(`${path} 200`);
  }
  expect((await send(api.url, { path: "/api/v1/agent", token })).status).toBe(200);
  const taken = await upload(api.url, "during.csv");
  expect(`${taken.status} ${taken.json.data.readiness}`).toBe("201 processing");

  workers = await service.startWorkers();
  await until(async () => (await readinessOf(taken.json.data.id)) === "ready", 30_000);
});

test("processes that live are listed, until they stop", async () => {
  const list = async () => (await listLiveProcesses({ pool: service.deps.pool, now: Date.now })).processes;
  const pids = async () => (await list()).map(({ pid }) => pid);
  expect(await pids()).toEqual(expect.arrayContaining([api.pid, workers.pid]));
  const second = await service.startWorkers();
  expect((await list()).find(({ pid }) => pid === second.pid)?.workers).toHaveLength(WORKERS.length);
  process.kill(second.pid, "SIGTERM");
  await second.ended;
  expect(await pids()).not.toContain(second.pid);
});

test("sixteen uploads at once are inspected one after the other without a pause", async () => {
  const names = Array.from({ length: 16 }, (_, index) => `burst-${index}.csv`);
  const taken = await Promise.all(names.map((name) => upload(api.url, name)));
  const ids: string[] = taken.map((reply) => reply.json.data.id);
  // A worker that only polled would need five seconds for each two, which is forty.
  await until(async () => {
    const readiness = await Promise.all(ids.map(readinessOf));
    return readiness.every((state) => state === "ready");
  }, 20_000);
});

test("SIGTERM lets an upload that is on its way arrive and be answered, and ends", async () => {
  // What a worker writes is unfinished too, for a moment, and must not pass for the upload.
  await until(areTablesWritten, 30_000);
  const other = await service.startApi({ env: { UPLOAD_WAIT_MS: "8000" } });
  const slow = openUpload(other.url, token, "slow.csv", "station,height_m\n");
  await until(async () => (await readUnfinished(service.dataDir)).some((bytes) => bytes > 0), 10_000);
  other.child.kill("SIGTERM");
  await until(() => refuses(other.url), 5000);
  slow.write("Bremen,4.12\n");
  const { status, json, connection } = await slow.finish();
  expect(`${status} ${json.data.readiness} ${connection}`).toBe("201 ready close");
  expect(await other.ended).toEqual({ code: 0, signal: null });
  // What the API had left behind would stay for an hour; what a worker writes is whole soon.
  await until(async () => (await readUnfinished(service.dataDir)).length === 0, 30_000);
});

test("an upload whose process was killed while it waited is answered by a later try with its key", async () => {
  // It would wait for a minute, for a worker that stands still.
  const victim = await service.startApi({ env: { UPLOAD_WAIT_MS: "60000" } });
  const upload = { method: "POST", path: "/api/v1/assets", token, key: randomUUID() } as const;
  const tryAt = (url: string) => send(url, { ...upload, body: formOf("killed.csv", CSV) });
  process.kill(workers.pid, "SIGSTOP");
  try {
    const lost = tryAt(victim.url).catch(() => "no answer");
    await until(async () => (await findUploads("killed.csv")).length > 0, 10_000);
    process.kill(victim.pid, "SIGKILL");
    expect(await lost).toBe("no answer");
    let answer = await tryAt(api.url);
    await until(async () => {
      if (answer.status === 201) return true;
      expect(`${answer.status} ${answer.json.code}`).toBe("409 idempotency_in_progress");
      expect(answer.headers.get("retry-after")).toBe("1");
      answer = await tryAt(api.url);
      return false;
    }, 10_000);
    const again = await tryAt(api.url);
    expect(answer.json.data.readiness).toBe("processing");
    expect([answer, again].map((reply) => reply.headers.get("idempotent-replayed"))).toEqual([
      "true",
      "true",
    ]);
    expect(again.text).toBe(answer.text);
    expect(await findUploads("killed.csv")).toEqual([{ id: answer.json.data.id }]);
  } finally {
    process.kill(workers.pid, "SIGCONT");
  }
  const [{ id }] = await findUploads("killed.csv");
  await until(async () => (await readinessOf(id)) === "ready", 30_000);
});

async function findUploads(filename: string): Promise<Json[]> {
  const find = "SELECT id FROM assets WHERE filename = $1";
  return (await withClient(service.databaseUrl, (client) => client.query(find, [filename]))).rows;
}

async function refuses(url: string): Promise<boolean> {
  const reply = await send(url, { path: "/healthz", headers: { connection: "close" } }).catch(() => null);
  return reply === null || reply.status === 503;
}
