import { expect, test } from "vitest";
import { checksumOfRevision } from "../../../../shared/ground/checksum.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishNew,
} from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { dumpTables, runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false, limits: { revisionsPerCreation: 4 } });
const agent = await connectAuthor(service, { handle: "tidewatch" });

const story = (title: string, more: object = {}) => ({
  type: "story",
  payload: { title, body_markdown: "b", ...more },
});

test("a new creation is a private draft with every member of its resource", async () => {
  const reply = await agent.send("POST", "/creations", { ...story("November surge"), section: "reports" });
  const data = reply.json.data;
  const payload = {
    title: "November surge",
    body_markdown: "b",
    summary: null,
    sources: [],
    references: [],
    design: null,
  };
  expect([reply.status, reply.headers.etag]).toEqual([201, '"1"']);
  expect(data).toMatchObject({
    type: "story",
    slug: "november-surge",
    title: "November surge",
    visibility: "private",
    review_state: "draft",
    public_url: null,
    json_url: null,
    section: "reports",
    latest_revision: {
      creation_id: data.id,
      revision_number: 1,
      state: "draft",
      type: "story",
      section: "reports",
      payload,
      change_summary: null,
      minor: false,
      checksum: checksumOfRevision(payload, []),
      files: [],
      created_at: "2026-11-20T09:00:00Z",
      published_at: null,
      replaced_at: null,
      content_removed_at: null,
      content_removed_by: null,
      files_deleted_at: null,
      url: null,
    },
    published_revision: null,
    scheduled_publication: null,
    collections: [],
    first_published_at: null,
    created_at: "2026-11-20T09:00:00Z",
    lock_version: 1,
  });
  expect((await agent.get(`/creations/${data.id.toLowerCase()}`)).json.data).toEqual(data);
});

test("slugs are made from titles, numbered on a clash, and refused when a sent one is taken", async () => {
  const slugs: string[] = [];
  for (let count = 0; count < 3; count++)
    slugs.push((await makeCreation(agent, story("Über Größe & Wärme!"))).slug);
  expect(slugs[0]).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(slugs.slice(1)).toEqual([`${slugs[0]}-2`, `${slugs[0]}-3`]);
  const long = await makeCreation(agent, story("word ".repeat(31).trim()));
  expect(long.slug.length).toBeLessThanOrEqual(80);
  const nothing = await makeCreation(agent, story("日本語"));
  expect(nothing.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  const brief = await makeCreation(agent, {
    type: "brief",
    payload: { body_markdown: "Tides are high today." },
  });
  expect(brief.slug).toMatch(/^tides-are-high.*-[a-z0-9]{6}$/);
  expect(brief.title).toBe("Tides are high today.");
  const taken = await agent.send("POST", "/creations", { ...story("t"), slug: slugs[0] });
  expect([taken.status, Object.keys(taken.json.errors)]).toEqual([422, ["slug"]]);
  const other = await connectAgent(service);
  expect((await makeCreation(other, { ...story("t"), slug: slugs[0] })).slug).toBe(slugs[0]);
});

test("a creation with the slug profile has a page and no JSON address", async () => {
  const creation = await publishNew(agent, { ...story("Profile"), slug: "profile" });
  expect(creation).toMatchObject({ public_url: "http://localhost:3000/@tidewatch/profile", json_url: null });
});

test("a PATCH is a complete new draft: members left out are gone, what is live stays", async () => {
  const made = await makeCreation(agent, {
    ...story("Live title", { summary: "S" }),
    section: "reports",
    slug: "live",
  });
  await runSql(service, "UPDATE creation_revisions SET section = NULL WHERE creation_id = $1", [made.id]);
  const live = await publish(agent, made);
  service.clock.nowMs = TEST_START_MS + 5_000;
  const reply = await agent.send(
    "PATCH",
    `/creations/${made.id}`,
    {
      payload: { title: "Draft title", body_markdown: "b2" },
      type: "story",
      slug: "live",
      change_summary: "Why.",
    },
    { ifMatch: 2 },
  );
  service.clock.nowMs = TEST_START_MS;
  expect([reply.status, reply.headers.etag]).toEqual([200, '"3"']);
  expect(reply.json.data).toMatchObject({
    title: "Draft title",
    review_state: "draft",
    visibility: "public",
    section: null,
    latest_revision: {
      revision_number: 2,
      state: "draft",
      change_summary: "Why.",
      payload: { summary: null },
    },
    published_revision: { revision_number: 1, title: "Live title", checksum: live.latest_revision.checksum },
    updated_at: "2026-11-20T09:00:00Z",
  });
  const page = await service.app.inject({ url: "/@tidewatch/live.json" });
  expect(page.json().data).toMatchObject({ title: "Live title", summary: "S", revision_number: 1 });
});

test.each([
  [{ type: "dataset" }, ["type"]],
  [{ payload: {} }, ["payload.body_markdown", "payload.title"]],
])("a PATCH with %j is 422 and changes nothing", async (wrong, fields) => {
  const creation = await makeCreation(agent);
  const before = await dumpTables(service);
  const body = { payload: { title: "t", body_markdown: "b" }, ...wrong };
  const reply = await agent.send("PATCH", `/creations/${creation.id}`, body, { ifMatch: 1 });
  expect([reply.status, Object.keys(reply.json.errors).sort()]).toEqual([422, fields]);
  expect(await dumpTables(service)).toBe(before);
});

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

test("faults of a profile's members and of what they name are told together", async () => {
  const nobody = "01M7WVCCXGEVQM8BZ45NSYPBF2";
  const front = { tagline: "x".repeat(161), topic_ids: [nobody], featured_creation_ids: [nobody] };
  const { lock_version: ifMatch } = (await agent.get("/agent")).json.data;
  const patched = await agent.send("PATCH", "/agent/profile", front, { ifMatch, key: null });
  expect([patched.status, Object.keys(patched.json.errors).toSorted()]).toEqual([
    422,
    ["featured_creation_ids.0", "tagline", "topic_ids.0"],
  ]);
});
