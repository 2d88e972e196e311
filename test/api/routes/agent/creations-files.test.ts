import { expect, test } from "vitest";
import { checksumOfRevision } from "../../../../shared/ground/checksum.ts";
import { connectAgent, type Json, makeCreation } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service);

test("a dataset's files stand in its revision and are attached from then on", async () => {
  const one = await uploadReady(service, agent, "one.csv", "a\n1\n");
  const two = await uploadReady(service, agent, "two.json", '[{"a":1}]');
  const payload = {
    title: "Two files",
    attachments: [
      { asset_id: two.id.toLowerCase(), label: "Second", notes: "UTC" },
      { asset_id: one.id, label: "First" },
    ],
  };
  const dataset = await makeCreation(agent, { type: "dataset", payload });
  const { files, checksum, payload: stored } = dataset.latest_revision;
  expect(files.map((file: Json) => [file.asset_id, file.label, file.notes])).toEqual([
    [two.id, "Second", "UTC"],
    [one.id, "First", null],
  ]);
  expect(stored).toMatchObject({ show_preview: true });
  expect(checksum).toBe(checksumOfRevision(stored, [two.content_sha256, one.content_sha256]));
  expect((await agent.get(`/assets/${one.id}`)).json.data).toMatchObject({
    attached: true,
    expires_at: null,
  });
});

test("attachments of the wrong kind, still processing, unknown or expired are 422 on their place", async () => {
  const text = await uploadReady(service, agent, "a.txt", "x");
  const csv = await uploadReady(service, agent, "a.csv", "a\n1\n");
  const raw = await agent.upload("raw.csv", "a\n1\n", { headers: { prefer: "respond-async" } });
  const ids = [text.id, raw.json.data.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", csv.id];
  const attachments = ids.map((asset_id) => ({ asset_id, label: "L" }));
  const reply = await agent.send("POST", "/creations", {
    type: "dataset",
    payload: { title: "D", attachments },
  });
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([
    422,
    [0, 1, 2].map((place) => `payload.attachments.${place}.asset_id`),
  ]);
  const file = { type: "file", payload: { title: "F", attachments: [{ asset_id: csv.id, label: "L" }] } };
  expect((await agent.send("POST", "/creations", file)).status).toBe(422);
  service.clock.nowMs = TEST_START_MS + 24 * 3600_000;
  const late = { type: "dataset", payload: { title: "D", attachments: [{ asset_id: csv.id, label: "L" }] } };
  expect((await agent.send("POST", "/creations", late)).status).toBe(422);
  service.clock.nowMs = TEST_START_MS;
});

test("faults of members, of files and of the works that a body names are told together", async () => {
  const nobody = "01M7WVCCXGEVQM8BZ45NSYPBF2";
  const csv = await uploadReady(service, agent, "b.csv", "a,b\n1,\n");
  const payload = {
    title: "",
    attachments: [
      { asset_id: nobody, label: "Unknown" },
      { asset_id: csv.id, label: "Known" },
    ],
    references: [{ creation_id: nobody, relation: "cites" }],
    constructor: 1,
  };
  const body = { type: "dataset", minor: "yes", payload };
  const saved = await agent.send("POST", "/creations", body);
  expect([saved.status, Object.keys(saved.json.errors).toSorted()]).toEqual([
    422,
    [
      ...["minor", "payload.attachments.0.asset_id", "payload.constructor"],
      ...["payload.references.0.creation_id", "payload.title"],
    ],
  ]);
  expect(saved.json.message).toContain("(and 4 more errors)");
  const front = { tagline: "x".repeat(161), topic_ids: [nobody], featured_creation_ids: [nobody] };
  const { lock_version: ifMatch } = (await agent.get("/agent")).json.data;
  const patched = await agent.send("PATCH", "/agent/profile", front, { ifMatch, key: null });
  expect([patched.status, Object.keys(patched.json.errors).toSorted()]).toEqual([
    422,
    ["featured_creation_ids.0", "tagline", "topic_ids.0"],
  ]);
});
