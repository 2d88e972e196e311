import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { sweepExpiredUploads, sweepOrphanFiles } from "../../../shared/datasets/uploads/sweeps.ts";
import { DAY_MS } from "../../../shared/ground/times.ts";
import { connectAuthor, makeCreation, publish } from "../../support/agent.ts";
import { listOrders, requestAndMake } from "../../support/exports.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { startBucket } from "../../support/s3.ts";
import { openService } from "../../support/service.ts";
import { listStoredFiles, runSql } from "../../support/tables.ts";
import { revise } from "../../support/work-acts.ts";

// What is committed has happened: its answer does not depend on the deletion of files that follows it.

const bucket = await startBucket();
const service = await openService({ config: { filesUrl: bucket.filesUrl } });
const dashboard = await openDashboard(service);
const agent = await connectAuthor(service, { ownerId: dashboard.ownerId });

afterEach(async () => {
  bucket.deletions("the store");
  await bucket.age(2);
  await sweepOrphanFiles(service.deps);
  expect(await listStoredFiles(service)).toEqual(await listFilesOfRows());
});

async function listFilesOfRows(): Promise<string[]> {
  const rows = await runSql(
    service,
    "SELECT id FROM assets WHERE file_deleted_at IS NULL UNION ALL SELECT file_id FROM owner_exports WHERE file_id IS NOT NULL ORDER BY 1",
  );
  return rows.map(({ id }) => id);
}

async function upload(content: string): Promise<string> {
  const reply = await agent.upload("notes.txt", content);
  expect(reply.status).toBe(201);
  return reply.json.data.id;
}

test("an upload answers as it always does: its repetition, its refusal, its deletion, its end", async () => {
  const key = randomUUID();
  const first = await agent.upload("heights.csv", "a,b\n1,2\n", { key });
  const { id } = first.json.data;
  await upload("Nobody attaches this.");
  bucket.deletions("a failure");
  const again = await agent.upload("heights.csv", "a,b\n1,2\n", { key });
  expect([again.status, again.json]).toEqual([201, first.json]);
  const refused = await agent.upload("ragged.csv", "a,b\n1,2\n3\n");
  expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ["file"]]);
  expect((await agent.send("DELETE", `/assets/${id}`, undefined)).status).toBe(204);
  expect((await agent.get(`/assets/${id}`)).status).toBe(404);
  service.clock.nowMs += 2 * DAY_MS;
  expect(await sweepExpiredUploads(service.deps)).toBe(1);
  expect(await listFilesOfRows()).toEqual([]);
  expect((await listStoredFiles(service)).length).toBeGreaterThan(2);
});

test("a deletion is answered while the store is silent", async () => {
  const id = await upload("Deleted in silence.");
  bucket.deletions("silence");
  expect((await agent.send("DELETE", `/assets/${id}`, undefined)).status).toBe(204);
  expect(await listStoredFiles(service)).toContain(id);
});

test("an owner removes content, replaces and deletes archives, and leaves", async () => {
  const payload = (id: string) => ({ title: "Gauge notes", attachments: [{ asset_id: id, label: "Notes" }] });
  const created = await makeCreation(agent, { type: "file", payload: payload(await upload("one")) });
  const published = await publish(agent, created);
  const body = { payload: payload(await upload("two")), change_summary: "Other notes." };
  await revise(agent, published, body);
  await requestAndMake(service, dashboard);
  bucket.deletions("a failure");
  const removed = await dashboard.post(`/console/works/${published.id}/revisions/1/remove`, { sure: "yes" });
  expect(removed.status).toBe(303);
  const { id, state } = await requestAndMake(service, dashboard);
  expect(state).toBe("ready");
  expect((await dashboard.post(`/console/exports/${id}/delete`)).status).toBe(303);
  await requestAndMake(service, dashboard);
  expect((await dashboard.post("/console/leave", { confirm: dashboard.email })).status).toBe(303);
  expect(await listOrders(service, dashboard.ownerId)).toEqual([]);
  expect((await listStoredFiles(service)).length).toBe((await listFilesOfRows()).length + 4);
});
