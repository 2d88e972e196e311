import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { connectAgent, publishFrontPage, publishNew, request } from "../../../support/agent.ts";
import { inspectNow } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { listStoredFiles, runSql } from "../../../support/tables.ts";

const service = await openService({
  workers: false,
  config: { uploadWaitMs: 0 },
  limits: { processingUploads: 1000 },
});
const agent = await connectAgent(service);

const RAGGED = "a,b\n1,2\n3\n";
const usage = async () => (await agent.get("/agent")).json.data.usage;

test("without a verdict in time the answer is 201 processing, and polling tells the verdict", async () => {
  const reply = await agent.upload("readings.csv", "a,b\n1,2\n");
  const { id } = reply.json.data;
  expect([reply.status, reply.headers.location]).toEqual([201, `http://localhost:3000/api/v1/assets/${id}`]);
  expect(reply.json.data).toMatchObject({
    readiness: "processing",
    readiness_reason: null,
    inspection: null,
    attached: false,
    expires_at: "2026-11-21T09:00:00Z",
  });
  expect((await agent.get(`/assets/${id}`)).json.data.readiness).toBe("processing");
  await inspectNow(service, id);
  const ready = (await agent.get(`/assets/${id}`)).json.data;
  expect(ready).toMatchObject({ readiness: "ready", inspection: { kind: "table", row_count: 1 } });
});

test("a late bad verdict is failed with the words of the 422, its bytes and quota are gone", async () => {
  const before = await usage();
  const files = await listStoredFiles(service);
  const { id } = (await agent.upload("late.csv", RAGGED)).json.data;
  expect(await usage()).toMatchObject({ files: before.files + 1 });
  await inspectNow(service, id);
  const failed = (await agent.get(`/assets/${id}`)).json.data;
  expect(failed).toMatchObject({
    readiness: "failed",
    readiness_reason: expect.stringMatching(/Row 3 has 1 value; the header has 2/),
    inspection: null,
  });
  expect(await usage()).toEqual(before);
  expect(await listStoredFiles(service)).toEqual(files);
  const content = await agent.get(`/assets/${id}/content`);
  expect([content.status, content.json.code]).toEqual([404, "not_found"]);
  const payload = { title: "D", attachments: [{ asset_id: id, label: "L" }] };
  const attached = await agent.send("POST", "/creations", { type: "dataset", payload });
  expect([attached.status, Object.keys(attached.json.errors)]).toEqual([
    422,
    ["payload.attachments.0.asset_id"],
  ]);
  service.clock.nowMs += 25 * 3600_000;
  expect((await agent.get(`/assets/${id}`)).status).toBe(404);
  service.clock.nowMs -= 25 * 3600_000;
});

test.each([
  ["respond-async", 201],
  ["wait=10, Respond-Async", 201],
  ["respond-async; x=1", 201],
])("Prefer: %s answers at once", async (prefer, status) => {
  const key = randomUUID();
  const reply = await agent.upload("a.csv", "a\n1\n", { key, headers: { prefer } });
  expect([reply.status, reply.json.data.readiness]).toEqual([status, "processing"]);
  await inspectNow(service, reply.json.data.id);
  const again = await agent.upload("a.csv", "a\n1\n", { key });
  expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([201, reply.text, "true"]);
});

test("a retry with the same key replays the first answer and stores nothing more", async () => {
  const key = randomUUID();
  const first = await agent.upload("again.csv", "a\n1\n", { key });
  const files = await listStoredFiles(service);
  const used = await usage();
  const again = await agent.upload("again.csv", "a\n1\n", { key: `"${key.toUpperCase()}"` });
  expect(again.text).toBe(first.text);
  expect(again.headers).toMatchObject({ "idempotent-replayed": "true", location: first.headers.location });
  expect([await listStoredFiles(service), await usage()]).toEqual([files, used]);
});

test.each([
  ["other bytes", "again.csv", "a\n2\n"],
  ["another name", "renamed.csv", "a\n1\n"],
])("the same key with %s is a mismatch and stores nothing", async (_name, filename, content) => {
  const key = randomUUID();
  await agent.upload("again.csv", "a\n1\n", { key });
  const files = await listStoredFiles(service);
  const reply = await agent.upload(filename, content, { key });
  expect([reply.status, reply.json.code]).toEqual([409, "idempotency_mismatch"]);
  expect(await listStoredFiles(service)).toEqual(files);
});

test("the key of an upload cannot be used for a creation, nor the other way round", async () => {
  const key = randomUUID();
  await agent.upload("again.csv", "a\n1\n", { key });
  const body = { type: "story", payload: { title: "t", body_markdown: "b" } };
  expect((await agent.send("POST", "/creations", body, { key })).json.code).toBe("idempotency_mismatch");
  const other = randomUUID();
  await agent.send("POST", "/creations", body, { key: other });
  expect((await agent.upload("again.csv", "a\n1\n", { key: other })).json.code).toBe("idempotency_mismatch");
});

test("its agent reads a file as an attachment that nothing opens", async () => {
  const { id } = (await agent.upload("mine.csv", "a\n1\n")).json.data;
  const content = await agent.get(`/assets/${id}/content`);
  expect(content.text).toBe("a\n1\n");
  expect(content.headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": expect.stringMatching(/^attachment; filename="mine\.csv"/),
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("sandbox"),
    "cache-control": "no-store",
    "ratelimit-policy": expect.stringContaining("reads"),
  });
  expect((await agent.get(`/assets/${id.toLowerCase()}`)).status).toBe(200);
});

const NAMES: [sent: string, kept: string, fallback: string][] = [
  ["plain.csv", "plain.csv", "plain.csv"],
  ["../../etc/passwd.csv", "passwd.csv", "passwd.csv"],
  ["C:\\\\x\\\\a.csv", "a.csv", "a.csv"],
  ['quo\\"te.csv', 'quo"te.csv', "quo_te.csv"],
  ["per%cent;semi'tick.csv", "per%cent;semi'tick.csv", "per_cent;semi'tick.csv"],
  ["Überwachung €.csv", "Überwachung €.csv", "_berwachung _.csv"],
  ["<script>alert(1)</script>.csv", "script>.csv", "script>.csv"],
  [".csv.csv", ".csv.csv", ".csv.csv"],
  [`${"😀".repeat(251)}.csv`, `${"😀".repeat(251)}.csv`, `${"__".repeat(251)}.csv`],
];

test.each(NAMES)("the file name %# is kept and comes back safely", async (sent, kept, fallback) => {
  const reply = await agent.upload(sent, "a\n1\n");
  expect([reply.status, reply.json.data?.filename]).toEqual([201, kept]);
  const { id } = reply.json.data;
  const { headers } = await agent.get(`/assets/${id}/content`);
  const encoded = encodeURIComponent(kept).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  expect(headers["content-disposition"]).toBe(
    `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`,
  );
});

test("a line break in a file name never reaches a header", async () => {
  const reply = await agent.upload("a\r\nSet-Cookie: x=1\r\n.csv", "a\n1\n");
  expect([400, 422]).toContain(reply.status);
  const odd = await agent.upload("a%0d%0aX: y.csv", "a\n1\n");
  const { headers } = await agent.get(`/assets/${odd.json.data.id}/content`);
  expect(headers["content-disposition"]).toContain("filename*=UTF-8''a%250d%250aX%3A%20y.csv");
});

test("a published file with the longest and strangest name opens under the address that the JSON gives", async () => {
  const filename = `${"ÿ😀 %?#".repeat(41)}.csv`;
  const { id } = (await agent.upload(filename, "a\n1\n")).json.data;
  await inspectNow(service, id);
  await runSql(service, "UPDATE assets SET expires_at = NULL WHERE id = $1", [id]);
  await publishFrontPage(agent);
  const payload = { title: "Strange name", attachments: [{ asset_id: id, label: "L" }] };
  await publishNew(agent, { type: "dataset", payload });
  const json = await request(service, { method: "GET", url: `/@${agent.handle}/strange-name.json` });
  const address = new URL(json.json.data.files[0].url);
  const reply = await request(service, { method: "GET", url: address.pathname });
  expect([reply.status, reply.text]).toEqual([200, "a\n1\n"]);
});
