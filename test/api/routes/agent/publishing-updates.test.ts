import { expect, test } from "vitest";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishNew,
  type Reply,
  request,
} from "../../../support/agent.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { dumpTables, runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service, {
  handle: "tidewatch",
  sections: [{ slug: "reports", name: "Reports" }],
});

const tryToPublish = (creation: Json, more: object = {}): Promise<Reply> =>
  agent.send(
    "POST",
    `/creations/${creation.id}/publish`,
    { revision_id: creation.latest_revision.id, ...more },
    { ifMatch: creation.lock_version },
  );

async function update(creation: Json, more: object = {}): Promise<Json> {
  const body = { payload: { title: "Updated", body_markdown: "b2" }, ...more };
  const reply = await agent.send("PATCH", `/creations/${creation.id}`, body, {
    ifMatch: creation.lock_version,
  });
  return reply.json.data;
}

/** A refused publication answers its code, and every row of every table is as it was. */
async function expectNothingChanged(
  refused: () => Promise<Reply>,
  status: number,
  code: string,
  fields: string[] = [],
) {
  const before = await dumpTables(service);
  const reply = await refused();
  expect([reply.status, reply.json.code, Object.keys(reply.json.errors).sort()]).toEqual([
    status,
    code,
    fields,
  ]);
  expect(await dumpTables(service)).toBe(before);
}

test("a first publication is public, dated and counted, and its revision has an address", async () => {
  const before = (await agent.get("/agent")).json.data.remaining;
  const published = await publishNew(agent);
  expect(published).toMatchObject({
    visibility: "public",
    review_state: "published",
    public_url: "http://localhost:3000/@tidewatch/november-surge",
    json_url: "http://localhost:3000/@tidewatch/november-surge.json",
    latest_revision: {
      state: "published",
      published_at: "2026-11-20T09:00:00Z",
      url: "http://localhost:3000/@tidewatch/november-surge/revisions/1",
    },
    published_revision: { revision_number: 1, state: "published" },
    first_published_at: "2026-11-20T09:00:00Z",
    updated_at: "2026-11-20T09:00:00Z",
    lock_version: 2,
  });
  const after = (await agent.get("/agent")).json.data.remaining;
  expect(after).toEqual({ ...before, publications_today: before.publications_today - 1 });
});

test("an update needs a change_summary; it moves updated_at and replaces what was live", async () => {
  const first = await publishNew(agent, { slug: "with-updates" });
  const silent = await update(first);
  await expectNothingChanged(() => tryToPublish(silent), 422, "validation_failed", ["change_summary"]);
  const told = await update(silent, { change_summary: "Corrected the datum." });
  service.clock.nowMs = TEST_START_MS + 60_000;
  const second = await publish(agent, told);
  service.clock.nowMs = TEST_START_MS;
  expect(second).toMatchObject({
    first_published_at: "2026-11-20T09:00:00Z",
    updated_at: "2026-11-20T09:01:00Z",
    published_revision: { revision_number: 3 },
  });
  const rows = await runSql(
    service,
    "SELECT revision_number, state, replaced_at IS NOT NULL AS replaced FROM creation_revisions WHERE creation_id = $1 ORDER BY 1",
    [first.id],
  );
  expect(rows.map((row) => [row.revision_number, row.state, row.replaced])).toEqual([
    [1, "published", true],
    [2, "draft", false],
    [3, "published", false],
  ]);
});

test("an update from a process whose clock is behind does not move updated_at back", async () => {
  const first = await publishNew(agent, { slug: "clock-behind" });
  service.clock.nowMs = TEST_START_MS - 5_000;
  const behind = await publish(agent, await update(first, { change_summary: "More." }));
  service.clock.nowMs = TEST_START_MS;
  expect(behind).toMatchObject({ updated_at: first.updated_at, published_revision: { revision_number: 2 } });
});

test("a minor update needs a change_summary too, and moves neither updated_at nor its feed entry", async () => {
  const first = await publishNew(agent, { slug: "with-a-fix" });
  service.clock.nowMs = TEST_START_MS + 120_000;
  const silent = await update(first, { minor: true });
  await expectNothingChanged(() => tryToPublish(silent), 422, "validation_failed", ["change_summary"]);
  const fixed = await publish(agent, await update(silent, { minor: true, change_summary: "A comma." }));
  service.clock.nowMs = TEST_START_MS;
  expect(fixed).toMatchObject({ updated_at: first.updated_at, published_revision: { revision_number: 3 } });
  const json = (await request(service, { method: "GET", url: "/@tidewatch/with-a-fix.json" })).json.data;
  expect(json).toMatchObject({ title: "Updated", updated_at: first.updated_at, revision_number: 3 });
  expect(
    json.changes.map((change: Json) => [change.revision_number, change.minor, change.change_summary]),
  ).toEqual([
    [3, true, "A comma."],
    [1, false, null],
  ]);
  const feed = await request(service, { method: "GET", url: "/@tidewatch/feed.xml" });
  const entry = feed.text.split("<entry>").find((part) => part.includes(first.id)) ?? "";
  expect(entry).toContain("<updated>2026-11-20T09:00:00Z</updated>");
});

test("a first publication may be minor; it still dates the creation", async () => {
  const published = await publishNew(agent, { minor: true, slug: "minor-first" });
  expect(published.updated_at).toBe("2026-11-20T09:00:00Z");
});

test("a later publication keeps the visibility unless another is sent", async () => {
  const unlisted = await publishNew(agent, {}, { visibility: "unlisted" });
  const kept = await publish(agent, await update(unlisted, { change_summary: "x" }));
  expect(kept.visibility).toBe("unlisted");
  const opened = await publish(agent, await update(kept, { change_summary: "y" }), { visibility: "public" });
  expect(opened.visibility).toBe("public");
  const silent = await publish(agent, await update(opened, { change_summary: "z" }), { visibility: null });
  expect(silent.visibility).toBe("public");
});

test("a section must stand in the published profile, one that only the draft has is none", async () => {
  const good = await publishNew(agent, { section: "reports" });
  expect(good.section).toBe("reports");
  const before = await agent.get("/agent/profile");
  const sections = [
    { slug: "reports", name: "Reports" },
    { slug: "soon", name: "Soon" },
  ];
  await agent.send("PATCH", "/agent/profile", { sections }, { ifMatch: before.json.data.lock_version });
  const soon = await makeCreation(agent, { section: "soon" });
  await expectNothingChanged(() => tryToPublish(soon), 422, "validation_failed", ["section"]);
  const both = await update(good, { section: "soon" });
  await expectNothingChanged(() => tryToPublish(both), 422, "validation_failed", [
    "change_summary",
    "section",
  ]);
});

test.each([
  [{ revision_id: 7 }, ["revision_id"]],
  [{ revision_id: "latest" }, ["revision_id"]],
  [{ revision_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", visibility: "private" }, ["visibility"]],
  [{ revision_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", publish_at: "2027-01-01T00:00:00Z" }, ["publish_at"]],
])("the order %j is 422", async (body, fields) => {
  const creation = await makeCreation(agent);
  const send = () => agent.send("POST", `/creations/${creation.id}/publish`, body, { ifMatch: 1 });
  await expectNothingChanged(send, 422, "validation_failed", fields);
});
