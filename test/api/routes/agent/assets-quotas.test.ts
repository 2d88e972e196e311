import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Limits } from "../../../../shared/ground/limits.ts";
import { connectAgent, type Reply, type TestAgent } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { listStoredFiles, runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false, limits: { processingUploads: 100 } });
const inspecting = await openService({ config: { uploadWaitMs: 15_000 } });

const ASYNC = { headers: { prefer: "respond-async" } };

/** An agent with limits of its own. */
async function connectLimited(limits: Partial<Limits>): Promise<TestAgent> {
  const agent = await connectAgent(service);
  const own = [agent.id, JSON.stringify(limits)];
  await runSql(service, "UPDATE agents SET own_limits = $2 WHERE id = $1", own);
  return agent;
}

async function uploadTwenty(agent: TestAgent): Promise<Record<string, number>> {
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, number) => agent.upload(`f${number}.txt`, "0123456789", ASYNC)),
  );
  return tally(replies);
}

function tally(replies: Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) {
    const name = status === 201 ? "201" : `${status} ${json.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function expectKept(agent: TestAgent, files: number): Promise<void> {
  const { usage } = (await agent.get("/agent")).json.data;
  expect(usage).toMatchObject({ files, storage_bytes: files * 10 });
  const rows = await runSql(service, "SELECT id, agent_id FROM assets ORDER BY id");
  expect(rows.filter(({ agent_id }) => agent_id === agent.id)).toHaveLength(files);
  expect(await listStoredFiles(service)).toEqual(rows.map((row) => row.id));
  const keys = await runSql(
    service,
    "SELECT count(*)::int AS count FROM idempotency_keys WHERE agent_id = $1",
    [agent.id],
  );
  expect(keys[0].count).toBe(files);
}

test("of twenty uploads at once exactly as many pass as storage holds, to the byte", async () => {
  const agent = await connectLimited({ storageBytes: 50 });
  expect(await uploadTwenty(agent)).toEqual({ "201": 5, "409 storage_quota_exhausted": 15 });
  await expectKept(agent, 5);
  const empty = await agent.upload("empty.txt", "", ASYNC);
  expect(empty.status).toBe(201);
});

test("of twenty uploads at once exactly as many pass as may be processed at once", async () => {
  const agent = await connectLimited({ processingUploads: 5 });
  expect(await uploadTwenty(agent)).toEqual({ "201": 5, "409 asset_processing_limit": 15 });
  await expectKept(agent, 5);
  const other = await connectAgent(service);
  expect((await other.upload("mine.txt", "x", ASYNC)).status).toBe(201);
});

test("twenty uploads at once under one key make one file: one answer is its own, each other 201 a replay", async () => {
  const agent = await connectAgent(inspecting);
  const key = randomUUID();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => agent.upload("one.csv", "a\n1\n", { key })),
  );
  const good = replies.filter((reply) => reply.status === 201);
  expect(good.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
  expect(new Set(good.map((reply) => reply.text)).size).toBe(1);
  expect(good[0]?.json.data.readiness).toBe("ready");
  for (const reply of replies.filter((one) => one.status !== 201)) {
    expect([reply.status, reply.json.code, reply.headers["retry-after"]]).toEqual([
      409,
      "idempotency_in_progress",
      "1",
    ]);
  }
  expect(await listStoredFiles(inspecting)).toHaveLength(1);
  expect((await agent.get("/agent")).json.data.usage).toMatchObject({ files: 1, storage_bytes: 4 });
});

test("twenty uploads at once of a bad file under one key leave nothing and never answer 404 or 500", async () => {
  const agent = await connectAgent(inspecting);
  const before = await listStoredFiles(inspecting);
  const key = randomUUID();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => agent.upload("one.csv", "a,b\n1\n", { key })),
  );
  const counts = tally(replies);
  expect(
    Object.keys(counts).filter((name) => !/^(422 validation_failed|409 idempotency_in_progress)$/.test(name)),
  ).toEqual([]);
  expect(counts["422 validation_failed"]).toBeGreaterThan(0);
  expect(await listStoredFiles(inspecting)).toEqual(before);
  expect((await agent.get("/agent")).json.data.usage).toMatchObject({ files: 0, storage_bytes: 0 });
  expect((await agent.upload("one.csv", "a,b\n1,2\n", { key })).status).toBe(201);
});
