import { expect, test } from "vitest";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { connectAuthor, type Json, makeCreation, publishNew, request } from "../../../support/agent.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { dumpTables } from "../../../support/tables.ts";
import { revise } from "../../../support/work-acts.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tidewatch" });

async function act(creation: Json, action: string, body?: object) {
  return await agent.send("POST", `/creations/${creation.id}/${action}`, body, {
    ifMatch: creation.lock_version,
  });
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

test("an update moves updated_at and replaces what was live; a minor one moves neither that time nor its feed entry", async () => {
  const first = await publishNew(agent, { slug: "with-a-fix", minor: true });
  const payload = { title: "Updated", body_markdown: "b2" };
  service.clock.nowMs = TEST_START_MS + 60_000;
  const fixed = await revise(agent, first, { payload, minor: true, change_summary: "A comma." });
  expect(fixed).toMatchObject({ updated_at: first.updated_at, published_revision: { revision_number: 2 } });
  const feed = await request(service, { method: "GET", url: "/@tidewatch/feed.xml" });
  const entry = feed.text.split("<entry>").find((part) => part.includes(first.id)) ?? "";
  expect(entry).toContain("<updated>2026-11-20T09:00:00Z</updated>");
  const updated = await revise(agent, first, { payload: { ...payload, summary: "s" } });
  service.clock.nowMs = TEST_START_MS;
  const { data } = (await request(service, { method: "GET", url: "/@tidewatch/with-a-fix.json" })).json;
  expect(data).toMatchObject({ updated_at: updated.updated_at, revision_number: 3 });
  expect([first.updated_at, updated.updated_at]).toEqual(["2026-11-20T09:00:00Z", "2026-11-20T09:01:00Z"]);
});

test("a later publication keeps the visibility unless another is sent", async () => {
  const work = await publishNew(agent, {}, { visibility: "unlisted" });
  const seen: string[] = [];
  for (const publish of [{}, { visibility: "public" }, { visibility: null }]) {
    const payload = { title: `Turn ${seen.length}`, body_markdown: "b" };
    seen.push((await revise(agent, work, { payload, publish })).visibility);
  }
  expect(seen).toEqual(["unlisted", "public", "public"]);
});

test("a section that only the draft of the profile has is none", async () => {
  const { lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
  await agent.send("PATCH", "/agent/profile", { sections: [{ slug: "soon", name: "Soon" }] }, { ifMatch });
  const soon = await makeCreation(agent, { section: "soon" });
  const reply = await act(soon, "publish", {});
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ["section"]]);
});

test("an update from a process whose clock is behind does not move updated_at back", async () => {
  const first = await publishNew(agent, { slug: "clock-behind" });
  service.clock.nowMs = TEST_START_MS - 5_000;
  const payload = { title: "Updated", body_markdown: "b2" };
  const behind = await revise(agent, first, { payload });
  service.clock.nowMs = TEST_START_MS;
  expect(behind).toMatchObject({ updated_at: first.updated_at, published_revision: { revision_number: 2 } });
});

test.each([
  [{ revision_id: 7 }, ["revision_id"]],
  [{ revision_id: "latest" }, ["revision_id"]],
  [{ revision_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", visibility: "private" }, ["visibility"]],
  [{ revision_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", publish_at: "2027-01-01T00:00:00Z" }, ["publish_at"]],
])("the order %j is 422", async (body, fields) => {
  const creation = await makeCreation(agent);
  const before = await dumpTables(service);
  const reply = await agent.send("POST", `/creations/${creation.id}/publish`, body, { ifMatch: 1 });
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, fields]);
  expect(await dumpTables(service)).toBe(before);
});

test("unpublish cancels the schedule of a work that was never public, and told again changes nothing", async () => {
  const draft = await makeCreation(agent);
  const publish_at = new Date(service.clock.nowMs + 60_000).toISOString();
  const scheduled = (await act(draft, "schedule", { publish_at })).json.data;
  const since = (await agent.get("/events?after=now")).json.meta.cursor;
  const closed = (await act(scheduled, "unpublish")).json.data;
  expect(closed).toMatchObject({
    visibility: "private",
    scheduled_publication: { status: "cancelled" },
    lock_version: scheduled.lock_version + 1,
  });
  expect((await act(closed, "unpublish")).json.data.lock_version).toBe(closed.lock_version);
  service.clock.nowMs += 120_000;
  expect(await sweepDueSchedules(service.deps)).toBe(0);
  await sequenceEvents(service.deps);
  const events = (await agent.get(`/events?after=${since}`)).json.data;
  const ofWork = events.filter(({ creation_id }: Json) => creation_id === draft.id);
  expect(ofWork.map(({ type }: Json) => type)).toEqual(["schedule.cancelled"]);
});

test("a restored revision is a new one with the same checksum", async () => {
  const live = await publishNew(agent);
  const closed = (await act(live, "unpublish")).json.data;
  const restored = await act(closed, "restore", { revision_id: live.latest_revision.id });
  const { checksum } = live.latest_revision;
  expect(restored.json.data.latest_revision).toMatchObject({
    ...{ revision_number: 2, state: "published", change_summary: "Restored revision 1.", checksum },
  });
});

test("the deprecated submit publishes and names its successor", async () => {
  const draft = await makeCreation(agent);
  const reply = await act(draft, "submit", { revision_id: draft.latest_revision.id });
  expect(reply.json.data.visibility).toBe("public");
  expect(reply.headers).toMatchObject({
    deprecation: "@1795132800",
    sunset: "Sat, 20 Nov 2027 00:00:00 GMT",
  });
  expect(reply.headers.link).toContain(`/creations/${draft.id}/publish>; rel="successor-version"`);
});

test("a revision that names a work which is gone is not restored, and the hint says what to do instead", async () => {
  const stranger = await connectAuthor(service);
  const target = await publishNew(stranger, { slug: "tides" });
  const references = [{ creation_id: target.id, relation: "uses" }];
  const live = await publishNew(agent, {
    slug: "citing",
    payload: { title: "A", body_markdown: "B", references },
  });
  const gone = { ifMatch: target.lock_version };
  expect((await stranger.send("POST", `/creations/${target.id}/unpublish`, undefined, gone)).status).toBe(
    200,
  );
  const { status, json } = await act(live, "restore", { revision_id: 1 });
  expect([status, Object.keys(json.errors)]).toEqual([422, ["payload.references.0.creation_id"]]);
  expect(json.hint).toBe(
    "Save a new revision from the payload of this one, without the works that are gone.",
  );
});
