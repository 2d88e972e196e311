import { expect, test } from "vitest";
import { withClient } from "../../cli/embedded/database.ts";
import { followProgress } from "../../shared/datasets/uploads/inspect-upload.ts";
import { sweepUploads } from "../../shared/datasets/uploads/sweeps.ts";
import { noteProgress } from "../../sql/datasets/assets.ts";
import { connectAgent, type Json } from "../support/agent.ts";
import { inspectNow } from "../support/inspection.ts";
import { openService, TEST_START_MS } from "../support/service.ts";
import { until } from "../support/service-process.ts";
import { dumpTables, listStoredFiles, runSql } from "../support/tables.ts";

const service = await openService({ workers: false, limits: { processingUploads: 100 } });
const agent = await connectAgent(service);

async function upload(filename: string, content: string): Promise<string> {
  return (await agent.upload(filename, content, { headers: { prefer: "respond-async" } })).json.data.id;
}
const read = async (id: string): Promise<Json> => (await agent.get(`/assets/${id}`)).json.data;

/** Runs work and tells whether any row or stored file is another one afterwards. */
async function changesOf(work: () => Promise<unknown>): Promise<boolean> {
  const before = [await dumpTables(service), await listStoredFiles(service)];
  await work();
  return (
    JSON.stringify([await dumpTables(service), await listStoredFiles(service)]) !== JSON.stringify(before)
  );
}

test("two runs at once settle it once", async () => {
  const id = await upload("twice.csv", "a,b\n1\n");
  const usage = (await agent.get("/agent")).json.data.usage;
  await Promise.all([inspectNow(service, id), inspectNow(service, id)]);
  const after = (await agent.get("/agent")).json.data.usage;
  expect([after.files, after.storage_bytes]).toEqual([usage.files - 1, usage.storage_bytes - 6]);
  const acts = await runSql(service, "SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id", [id]);
  expect(acts.map((row) => row.action)).toEqual(["asset.upload", "asset.refuse"]);
});

test("what is made of a file is ordered by the run alone that made it ready", async () => {
  const id = await upload("ready-once.csv", "a\n1\n");
  await Promise.all([inspectNow(service, id), inspectNow(service, id)]);
  const ordered = "SELECT 1 FROM pgboss.job WHERE name = 'measure-asset' AND data ->> 'asset_id' = $1";
  expect(await runSql(service, ordered, [id])).toHaveLength(1);
});

test("an upload that hangs gets a new attempt from the sweep, and its late worker no say", async () => {
  const id = await upload("hanging.csv", "a\n1\n");
  const rings = async () =>
    (
      await runSql(
        service,
        "SELECT data FROM pgboss.job WHERE name = 'inspect-asset' AND data->>'asset_id' = $1",
        [id],
      )
    )
      .map((row) => row.data.attempt)
      .sort();
  service.clock.nowMs = TEST_START_MS + 29_000;
  await sweepUploads(service.deps);
  expect(await rings()).toEqual([1]);
  service.clock.nowMs = TEST_START_MS + 31_000;
  await sweepUploads(service.deps);
  expect(await rings()).toEqual([1, 2]);
  await sweepUploads(service.deps);
  expect(await rings()).toEqual([1, 2]);
  expect(await changesOf(() => inspectNow(service, id, 1))).toBe(false);
  await inspectNow(service, id, 2);
  expect((await read(id)).readiness).toBe("ready");
  service.clock.nowMs = TEST_START_MS;
});

test("an upload that no worker ever settles fails after its attempts, with its quota given back", async () => {
  const before = (await agent.get("/agent")).json.data.usage;
  const id = await upload("cursed.csv", "a\n1\n");
  for (let round = 1; round <= 8; round++) {
    service.clock.nowMs += 31_000;
    await sweepUploads(service.deps);
  }
  service.clock.nowMs = TEST_START_MS;
  expect(await read(id)).toMatchObject({
    readiness: "failed",
    readiness_reason: "The file could not be inspected; upload it again.",
  });
  expect((await agent.get("/agent")).json.data.usage).toEqual(before);
  expect(await listStoredFiles(service)).not.toContain(id);
});

test("sweeps at once in several processes restart each upload once", async () => {
  const id = await upload("shared.csv", "a\n1\n");
  service.clock.nowMs = TEST_START_MS + 31_000;
  await Promise.all(Array.from({ length: 5 }, () => sweepUploads(service.deps)));
  service.clock.nowMs = TEST_START_MS;
  const [row] = await runSql(service, "SELECT attempt FROM assets WHERE id = $1", [id]);
  expect(row.attempt).toBe(2);
});

test("progress is written while a file is read, never over another attempt, and waits for nobody", async () => {
  const content = `a\n${"12345678\n".repeat(200_000)}`;
  const id = await upload("long.csv", content);
  const bytes = content.length;
  expect((await read(id)).readiness_progress).toBe(0);
  const progress = followProgress(service.deps, { id, bytes }, 1, 5);
  const verdict = await service.threads.inspect({ key: id, format: "csv", progress: progress.counter });
  expect([verdict.ok, new Uint32Array(progress.counter)[0]]).toEqual([true, bytes]);
  await until(async () => (await read(id)).readiness_progress === 0.99, 10_000);
  await progress.stop();
  await noteProgress(service.deps.pool, id, 2, { progress: 0.5, nowMs: service.deps.now() });
  expect(await read(id)).toMatchObject({ readiness: "processing", readiness_progress: 0.99 });
  await withClient(service.databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT id FROM assets WHERE id = $1 FOR UPDATE", [id]);
    await noteProgress(service.deps.pool, id, 1, { progress: 0.7, nowMs: service.deps.now() });
    await client.query("ROLLBACK");
  });
  expect((await read(id)).readiness_progress).toBe(0.99);
  await inspectNow(service, id);
  expect(await read(id)).toMatchObject({ readiness: "ready", readiness_progress: 1 });
});

test("an inspection that takes long is not taken for a lost one while it is under way", async () => {
  const id = await upload("slow.csv", "a\n1\n");
  service.clock.nowMs += 31_000;
  await noteProgress(service.deps.pool, id, 1, { progress: 0.5, nowMs: service.deps.now() });
  await sweepUploads(service.deps);
  expect((await runSql(service, "SELECT attempt FROM assets WHERE id = $1", [id]))[0].attempt).toBe(1);
  service.clock.nowMs = TEST_START_MS;
  await inspectNow(service, id);
});

test("a new attempt begins at 0, and a refused file has no progress", async () => {
  const id = await upload("bad-progress.csv", "a,b\n1\n");
  await noteProgress(service.deps.pool, id, 1, { progress: 0.5, nowMs: service.deps.now() });
  service.clock.nowMs += 31_000;
  await sweepUploads(service.deps);
  expect((await read(id)).readiness_progress).toBe(0);
  await inspectNow(service, id, 2);
  expect(await read(id)).toMatchObject({ readiness: "failed", readiness_progress: null });
});
