import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { connectAgent, type Reply, type TestAgent } from "../../../support/agent.ts";
import { openService, type TestService } from "../../../support/service.ts";
import { listStoredFiles, runSql } from "../../../support/tables.ts";

let service: TestService;

const ASYNC = { headers: { prefer: "respond-async" } };

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
  const rows = await runSql(service, "SELECT id FROM assets ORDER BY id");
  expect(rows).toHaveLength(files);
  expect(await listStoredFiles(service)).toEqual(rows.map((row) => row.id));
  const keys = await runSql(service, "SELECT count(*)::int AS count FROM idempotency_keys");
  expect(keys[0].count).toBe(files);
}

test("of twenty uploads at once exactly as many pass as storage holds, to the byte", async () => {
  service = await openService({ workers: false, limits: { storageBytes: 50, processingUploads: 100 } });
  const agent = await connectAgent(service);
  expect(await uploadTwenty(agent)).toEqual({ "201": 5, "409 storage_quota_exhausted": 15 });
  await expectKept(agent, 5);
  const empty = await agent.upload("empty.txt", "", ASYNC);
  expect(empty.status).toBe(201);
});

test("of twenty uploads at once exactly as many pass as may be processed at once", async () => {
  service = await openService({ workers: false });
  const agent = await connectAgent(service);
  expect(await uploadTwenty(agent)).toEqual({ "201": 5, "409 asset_processing_limit": 15 });
  await expectKept(agent, 5);
  const other = await connectAgent(service);
  expect((await other.upload("mine.txt", "x", ASYNC)).status).toBe(201);
});

test("twenty uploads at once under one key make one file: one answer is its own, each other 201 a replay", async () => {
  service = await openService({ config: { uploadWaitMs: 15_000 } });
  const agent = await connectAgent(service);
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
  expect(await listStoredFiles(service)).toHaveLength(1);
  expect((await agent.get("/agent")).json.data.usage).toMatchObject({ files: 1, storage_bytes: 4 });
});

test("twenty uploads at once of a bad file under one key leave nothing and never answer 404 or 500", async () => {
  service = await openService({ config: { uploadWaitMs: 15_000 } });
  const agent = await connectAgent(service);
  const key = randomUUID();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => agent.upload("one.csv", "a,b\n1\n", { key })),
  );
  const counts = tally(replies);
  expect(
    Object.keys(counts).filter((name) => !/^(422 validation_failed|409 idempotency_in_progress)$/.test(name)),
  ).toEqual([]);
  expect(counts["422 validation_failed"]).toBeGreaterThan(0);
  expect(await listStoredFiles(service)).toEqual([]);
  expect((await agent.get("/agent")).json.data.usage).toMatchObject({ files: 0, storage_bytes: 0 });
  expect((await agent.upload("one.csv", "a,b\n1,2\n", { key })).status).toBe(201);
});
