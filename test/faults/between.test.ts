import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../../cli/embedded/database.ts";
import { sweepOrphanFiles } from "../../shared/datasets/uploads/sweeps.ts";
import { ageFiles } from "../support/age-files.ts";
import { some } from "../support/depth.ts";
import { enrolAgent, formOf, type HttpRequest, send } from "../support/http-agent.ts";
import { openFrontPage } from "../support/publisher.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { openUpload, readUnfinished } from "../support/slow-upload.ts";
import { type Chaos, startChaos, type Victim } from "./chaos.ts";

// The moment between the work and the row that keeps its answer, held open by a lock: it lets answers be looked up,
// but none be inserted. The sweep of those that expired may wait beside an answer.
const HOLD = "LOCK TABLE idempotency_keys IN EXCLUSIVE MODE";
const WAITING = `
  SELECT 1 FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.relation = 'idempotency_keys'::regclass AND l.mode = 'RowExclusiveLock' AND NOT l.granted
    AND a.query NOT LIKE '%DELETE FROM%idempotency_keys%'`;

let service: RealService;
let chaos: Chaos;
let agent: { id: string; token: string };

beforeAll(async () => {
  service = await openRealService();
  chaos = await startChaos(service);
  agent = await enrolAgent(service.deps, chaos.url, "between");
  await openFrontPage(chaos.url, agent.token);
});
afterAll(async () => {
  for (const failure of service.failures()) console.error(failure);
  expect(await service.close()).toEqual([]);
});

const STATE = `
  SELECT (SELECT count(*)::int FROM creations) AS creations, (SELECT count(*)::int FROM creation_revisions) AS revisions,
    (SELECT count(*)::int FROM assets) AS assets, (SELECT count(*)::int FROM idempotency_keys) AS keys,
    (SELECT count(*)::int FROM audit_log WHERE agent_id = $1) AS acts,
    (SELECT count(*)::int FROM pgboss.job WHERE name = 'inspect-asset') AS inspections,
    (SELECT coalesce(sum(publications), 0)::int FROM daily_counts WHERE agent_id = $1) AS publications,
    (SELECT count(*)::int FROM creations WHERE live_revision_id IS NOT NULL) AS live,
    creation_count, file_count, storage_bytes::int FROM agents WHERE id = $1`;

function readState(): Promise<Record<string, number>> {
  return withClient(service.databaseUrl, async (client) => (await client.query(STATE, [agent.id])).rows[0]);
}

/** Sends a request, kills once its work is done and its answer is about to be kept, and waits for the recovery. */
async function killInBetween(victim: Victim, request: HttpRequest): Promise<void> {
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  // Killing PostgreSQL breaks this connection too.
  holder.on("error", () => undefined);
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query(HOLD);
  const answer = send(chaos.url, request).catch(() => null);
  // A transaction goes on seeing the processes that it saw first, unless it is told.
  const waits = async () => {
    await holder.query("SELECT pg_stat_clear_snapshot()");
    return ((await holder.query(WAITING)).rowCount ?? 0) > 0;
  };
  const early = await Promise.race([until(waits, 10_000).then(() => null), answer]).catch(() => null);
  const isKept = early === null && (await waits());
  const killed = isKept ? await chaos.kill(victim) : null;
  await holder.end().catch(() => undefined);
  const reply = await answer;
  // A process with much to do turns requests away before it works on them.
  if (early?.status === 503) return await killInBetween(victim, request);
  expect([killed, early?.text]).toEqual(["SIGKILL", undefined]);
  expect(victim === "API" ? reply : `${reply?.status} ${reply?.json.code}`).toBe(
    victim === "API" ? null : "503 http_error",
  );
}

async function sendAgain(request: HttpRequest, status = 201): Promise<void> {
  const reply = await send(chaos.url, request);
  expect(`${reply.status} ${reply.headers.get("idempotent-replayed")}`).toBe(`${status} null`);
  const replayed = await send(chaos.url, request);
  expect(`${replayed.status} ${replayed.headers.get("idempotent-replayed")}`).toBe(`${status} true`);
  expect(replayed.text).toBe(reply.text);
}

const added = (state: Record<string, number>, more: Record<string, number>) => ({
  ...state,
  ...Object.fromEntries(Object.entries(more).map(([name, count]) => [name, (state[name] ?? 0) + count])),
});

const CREATIONS = [
  ["PostgreSQL", "a creation"],
  ["API", "a creation"],
  ["API", "a creation that is published with it"],
  ["PostgreSQL", "a creation that is published with it"],
] as const;

test.for(some(CREATIONS, 2))(
  "%s killed between %s and its key leaves neither, and the retry makes one of each",
  { timeout: 240_000 },
  async ([victim, what]) => {
    const isPublished = what !== "a creation";
    const before = await readState();
    const request: HttpRequest = {
      method: "POST",
      path: "/api/v1/creations",
      token: agent.token,
      key: randomUUID(),
      body: {
        type: "story",
        payload: { title: `Killed ${victim}`, body_markdown: "The gauge rose." },
        ...(isPublished && { publish: {} }),
      },
    };
    await killInBetween(victim, request);
    expect(await readState()).toEqual(before);
    await sendAgain(request);
    const count = isPublished ? 1 : 0;
    const published = { acts: 1 + count, publications: count, live: count };
    const more = { creations: 1, revisions: 1, keys: 1, creation_count: 1, ...published };
    expect(await readState()).toEqual(added(before, more));
  },
);

test.for(some(["PostgreSQL", "API"] as const, 2))(
  "%s killed between an upload and its key leaves neither, and the retry makes one of each",
  { timeout: 240_000 },
  async (victim) => {
    const before = await readState();
    const csv = `station,height_m\n${victim},4.12\n`;
    const request: HttpRequest = {
      method: "POST",
      path: "/api/v1/assets",
      token: agent.token,
      key: randomUUID(),
      body: formOf("readings.csv", csv),
    };
    await killInBetween(victim, request);
    expect(await readState()).toEqual(before);
    await sendAgain(request);
    const bytes = { file_count: 1, storage_bytes: csv.length };
    expect(await readState()).toEqual(
      added(before, { assets: 1, keys: 1, acts: 1, inspections: 1, ...bytes }),
    );
  },
);

/** What a worker writes is unfinished too, for a moment. */
async function untilParquetIsMade(): Promise<void> {
  await withClient(service.databaseUrl, async (client) => {
    const isMade = async () =>
      (await client.query("SELECT 1 FROM pending_work WHERE kind = 'write-parquet'")).rowCount === 0;
    await until(isMade, 60_000);
  });
}

test("what the API had of an upload when it was killed is swept away", { timeout: 240_000 }, async () => {
  const before = await readState();
  await untilParquetIsMade();
  const slow = openUpload(chaos.url, agent.token, "half.csv", "station,height_m\nBremen,");
  await until(async () => (await readUnfinished(service.dataDir)).length === 1, 10_000);
  expect(await chaos.kill("API")).toBe("SIGKILL");
  await expect(slow.finish()).rejects.toThrow();
  expect(await readUnfinished(service.dataDir)).toHaveLength(1);
  await ageFiles(`${service.dataDir}/files`, 2);
  expect(await sweepOrphanFiles(service.deps)).toBeGreaterThanOrEqual(1);
  expect(await readUnfinished(service.dataDir)).toEqual([]);
  expect(await readState()).toEqual(before);
});

test("what the API had of an append when it was killed is swept away, and its base stands", {
  timeout: 240_000,
}, async () => {
  const csv = `station,height_m\n${"Bremen,4.12\n".repeat(20_000)}`;
  const path = "/api/v1/assets";
  const { token } = agent;
  const upload = { method: "POST", path, token, key: randomUUID(), body: formOf("base.csv", csv) } as const;
  const { data: base } = (await send(chaos.url, upload)).json;
  const findBase = async () => (await send(chaos.url, { path: `${path}/${base.id}`, token })).json.data;
  await until(async () => (await findBase()).readiness === "ready", 30_000);
  await untilParquetIsMade();
  const before = await readState();
  const slow = openUpload(chaos.url, token, "half.csv", "station,height_m\nHusum,", base.id);
  await until(
    async () => (await readUnfinished(service.dataDir)).some((bytes) => bytes >= csv.length),
    10_000,
  );
  expect(await chaos.kill("API")).toBe("SIGKILL");
  await expect(slow.finish()).rejects.toThrow();
  await ageFiles(`${service.dataDir}/files`, 2);
  expect(await sweepOrphanFiles(service.deps)).toBeGreaterThanOrEqual(1);
  expect(await readUnfinished(service.dataDir)).toEqual([]);
  expect(await readState()).toEqual(before);
  expect((await findBase()).content_sha256).toBe(base.content_sha256);
});

test("the API killed between appended rows and their key leaves no bytes, file or revision, and the retry makes one of each", {
  timeout: 240_000,
}, async () => {
  const { token } = agent;
  const post = (path: string, body: HttpRequest["body"]): HttpRequest => {
    return { method: "POST", path: `/api/v1${path}`, token, key: randomUUID(), body };
  };
  const base = (await send(chaos.url, post("/assets", formOf("rows.csv", "a,b\n1,2\n")))).json.data;
  const path = `/api/v1/assets/${base.id}`;
  await until(async () => (await send(chaos.url, { path, token })).json.data.readiness === "ready", 30_000);
  const payload = { title: "Rows", attachments: [{ asset_id: base.id, label: "Rows" }] };
  const { id } = (await send(chaos.url, post("/creations", { type: "dataset", payload }))).json.data;
  await untilParquetIsMade();
  await ageFiles(`${service.dataDir}/files`, 2);
  await sweepOrphanFiles(service.deps);
  const before = await readState();
  const request = {
    ...post(`/creations/${id}/append`, { rows: [{ a: 3, b: null }], publish: {} }),
    ifMatch: 1,
  };
  await killInBetween("API", request);
  expect(await readState()).toEqual(before);
  await ageFiles(`${service.dataDir}/files`, 2);
  expect(await sweepOrphanFiles(service.deps)).toBe(1);
  await sendAgain(request, 200);
  const rows = { assets: 1, revisions: 1, keys: 1, file_count: 1, storage_bytes: "a,b\n1,2\n3,\n".length };
  expect(await readState()).toEqual(added(before, { ...rows, acts: 3, publications: 1, live: 1 }));
});
