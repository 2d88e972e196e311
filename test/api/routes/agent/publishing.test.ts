import { expect, test } from "vitest";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishNew,
  request,
} from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ limits: { publicationsPerDay: 1000, updatesPerDay: 1000 } });
const agent = await connectAuthor(service);

async function act(creation: Json, action: string, body?: object, method: "POST" | "DELETE" = "POST") {
  return await agent.send(method, `/creations/${creation.id}/${action}`, body, {
    ifMatch: creation.lock_version,
  });
}

async function update(creation: Json, more: object = {}): Promise<Json> {
  const body = {
    payload: { title: "November surge", body_markdown: "It fell again." },
    change_summary: "Fell.",
    ...more,
  };
  const reply = await agent.send("PATCH", `/creations/${creation.id}`, body, {
    ifMatch: creation.lock_version,
  });
  expect(reply.status).toBe(200);
  return reply.json.data;
}

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
  await sequenceEvents(service.deps, []);
  const events = (await agent.get(`/events?after=${since}`)).json.data;
  const ofWork = events.filter(({ creation_id }: Json) => creation_id === draft.id);
  expect(ofWork.map(({ type }: Json) => type)).toEqual(["schedule.cancelled"]);
});

test("unpublish closes the page at once, and restore opens it again under the same checksum", async () => {
  const live = await publishNew(agent);
  const page = `/@${agent.handle}/${live.slug}`;
  expect((await request(service, { method: "GET", url: page })).status).toBe(200);
  const closed = (await act(live, "unpublish")).json.data;
  expect(closed).toMatchObject({
    visibility: "private",
    published_revision: null,
    lock_version: live.lock_version + 1,
  });
  expect((await request(service, { method: "GET", url: page })).status).toBe(404);
  const restored = await act(closed, "restore", { revision_id: live.latest_revision.id });
  expect(restored.json.data).toMatchObject({
    visibility: "public",
    lock_version: closed.lock_version + 1,
    latest_revision: {
      revision_number: 2,
      state: "published",
      change_summary: "Restored revision 1.",
      checksum: live.latest_revision.checksum,
    },
  });
  expect((await request(service, { method: "GET", url: page })).status).toBe(200);
});

test("visibility moves between public and unlisted without a new revision", async () => {
  const live = await publishNew(agent);
  const unlisted = (await act(live, "visibility", { visibility: "unlisted" })).json.data;
  expect(unlisted).toMatchObject({ visibility: "unlisted", lock_version: live.lock_version + 1 });
  const page = await request(service, { method: "GET", url: `/@${agent.handle}/${live.slug}.json` });
  expect(page.headers["x-robots-tag"]).toBe("noindex");
  const same = await act(unlisted, "visibility", { visibility: "unlisted" });
  expect(same.json.data.lock_version).toBe(unlisted.lock_version);
  const draft = await makeCreation(agent);
  expect((await act(draft, "visibility", { visibility: "public" })).json.code).toBe("not_published");
});

test("a due schedule publishes exactly its revision, and a refused one fails with its code", async () => {
  const draft = await makeCreation(agent);
  const at = new Date(service.clock.nowMs + 60_000).toISOString();
  const scheduled = (await act(draft, "schedule", { revision_id: draft.latest_revision.id, publish_at: at }))
    .json.data;
  expect(scheduled.scheduled_publication).toMatchObject({ status: "pending", visibility: null });
  const refused = await makeCreation(agent);
  await act(refused, "schedule", {
    revision_id: refused.latest_revision.id,
    publish_at: at,
    visibility: "unlisted",
  });
  service.clock.nowMs += 61_000;
  await sweepDueSchedules(service.deps);
  const done = (await agent.get(`/creations/${draft.id}`)).json.data;
  expect(done).toMatchObject({
    visibility: "public",
    lock_version: scheduled.lock_version + 1,
    scheduled_publication: { status: "published", outcome_code: null },
  });
  const second = await makeCreation(agent);
  const later = new Date(service.clock.nowMs + 60_000).toISOString();
  const waiting = (
    await act(second, "schedule", { revision_id: second.latest_revision.id, publish_at: later })
  ).json.data;
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "pause");
  service.clock.nowMs += 61_000;
  await sweepDueSchedules(service.deps);
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "resume");
  expect((await agent.get(`/creations/${second.id}`)).json.data).toMatchObject({
    visibility: "private",
    lock_version: waiting.lock_version + 1,
    scheduled_publication: { status: "failed", outcome_code: "publishing_blocked" },
  });
});

test("a new revision cancels the pending schedule", async () => {
  const draft = await makeCreation(agent);
  const publish_at = new Date(service.clock.nowMs + 60_000).toISOString();
  const scheduled = (await act(draft, "schedule", { revision_id: draft.latest_revision.id, publish_at })).json
    .data;
  const after = await update(scheduled);
  expect(after.scheduled_publication).toMatchObject({ status: "cancelled" });
  expect((await act(after, "schedule", undefined, "DELETE")).json.code).toBe("not_found");
});

test("removed content cannot be restored and its entry tells who removed it", async () => {
  const live = await publishNew(agent);
  const updated = await publish(agent, await update(live));
  await removeContent(service.deps, COMMAND_LINE, live.latest_revision.id, "moderator");
  const current = (await agent.get(`/creations/${live.id}`)).json.data;
  expect(current.lock_version).toBe(updated.lock_version + 1);
  const refused = await act(current, "restore", { revision_id: live.latest_revision.id });
  expect(refused.json.code).toBe("revision_content_removed");
  const list = (await agent.get(`/creations/${live.id}/revisions`)).json.data;
  expect(list[1]).toMatchObject({ title: "Content removed", content_removed_by: "moderator" });
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
