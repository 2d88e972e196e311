import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../shared/ground/times.ts";
import { runAgentCommand } from "../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { runOwnerCommand } from "../../../shared/identity/owners/suspension.ts";
import { sweepDueSchedules } from "../../../shared/works/creations/schedules.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  type Reply,
  type TestAgent,
} from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { act, meet, times, update } from "./racing.ts";

const limits = { publicationsPerDay: 1000, updatesPerDay: 1000, processingUploads: 100 };
const service = await openService({ workers: false, limits });

const soon = () => new Date(service.clock.nowMs + MINUTE_MS).toISOString();

/** What the audit tells of the agent, oldest first: every act of a write is told in the order of commits. */
async function listActs(agent: TestAgent): Promise<string[]> {
  const text = "SELECT action FROM audit_log WHERE agent_id = $1 ORDER BY id";
  return (await runSql(service, text, [agent.id])).map((row) => row.action);
}

const pause = (agent: TestAgent) => () => runAgentCommand(service.deps, COMMAND_LINE, agent.id, "pause");

test("a publication that was under way when the pause came is refused: nothing commits after a pause", async () => {
  const agent = await connectAuthor(service);
  const draft = await makeCreation(agent);
  const publishing = () => act(agent, draft, "publish", { revision_id: draft.latest_revision.id });
  const [, refused] = await meet(service, agent.id, pause(agent), publishing);
  expect([refused.status, refused.json.code]).toEqual([403, "agent_paused"]);
  expect((await listActs(agent)).at(-1)).toBe("agent.pause");
  const now = (await agent.get(`/creations/${draft.id}`)).json.data;
  expect([now.visibility, now.lock_version]).toEqual(["private", 1]);
});

test.each(["suspend", "archive"] as const)(
  "a save that was under way when a moderator's %s came is refused",
  async (order) => {
    const agent = await connectAuthor(service);
    const draft = await makeCreation(agent);
    const saving = () => agent.send("PATCH", `/creations/${draft.id}`, update(1), { ifMatch: 1 });
    const ordering = () => runAgentCommand(service.deps, COMMAND_LINE, agent.id, order);
    const [, refused] = await meet(service, agent.id, ordering, saving);
    expect(refused.json.code).toBe(order === "suspend" ? "agent_suspended" : "unauthenticated");
    expect((await listActs(agent)).at(-1)).toBe(`agent.${order}`);
  },
);

test("an owner's suspension stops every agent while all of them write, and a due schedule fails", async () => {
  const first = await connectAuthor(service);
  const second = await connectAgent(service, { ownerId: first.ownerId });
  const draft = await makeCreation(first);
  const order = { revision_id: draft.latest_revision.id, publish_at: soon() };
  expect((await act(first, draft, "schedule", order)).status).toBe(200);
  let isOver = false;
  const writers = [first, second].map(async (agent) => {
    while (!isOver) {
      const payload = { body_markdown: "The gauge rose." };
      const reply = await agent.send("POST", "/creations", { type: "brief", payload });
      if (reply.status !== 201) return reply.json.code;
    }
  });
  await runOwnerCommand(service.deps, COMMAND_LINE, first.ownerId, "suspend");
  const count = () =>
    runSql(service, "SELECT count(*)::int FROM creations WHERE agent_id IN ($1, $2)", [first.id, second.id]);
  const atAnswer = await count();
  expect(await Promise.all(writers)).toEqual(["owner_suspended", "owner_suspended"]);
  isOver = true;
  expect(await count()).toEqual(atAnswer);
  service.clock.nowMs += MINUTE_MS;
  expect(await sweepDueSchedules(service.deps)).toBe(1);
  const [schedule] = await runSql(
    service,
    "SELECT status, outcome_code FROM schedules WHERE creation_id = $1",
    [draft.id],
  );
  expect(schedule).toEqual({ status: "failed", outcome_code: "publishing_blocked" });
});

type Race = [name: string, race: (agent: TestAgent, creation: Json) => Promise<Reply>, status: string];
const RACES: Race[] = [
  [
    "PATCH",
    (agent, one) => agent.send("PATCH", `/creations/${one.id}`, update(1), { ifMatch: one.lock_version }),
    "cancelled",
  ],
  [
    "publish",
    (agent, one) => act(agent, one, "publish", { revision_id: one.latest_revision.id }),
    "cancelled",
  ],
  [
    "cancel",
    (agent, one) =>
      agent.send("DELETE", `/creations/${one.id}/schedule`, undefined, { ifMatch: one.lock_version }),
    "cancelled",
  ],
  [
    "another schedule",
    (agent, one) => act(agent, one, "schedule", { revision_id: one.latest_revision.id, publish_at: soon() }),
    "pending",
  ],
];

/** A creation whose schedule has just come due. */
async function makeDue(agent: TestAgent): Promise<Json> {
  // What other tests left pending comes due first.
  service.clock.nowMs += 2 * MINUTE_MS;
  await sweep();
  const draft = await makeCreation(agent);
  const body = { revision_id: draft.latest_revision.id, publish_at: soon(), visibility: "unlisted" };
  const due = (await act(agent, draft, "schedule", body)).json.data;
  service.clock.nowMs += MINUTE_MS;
  return due;
}

const sweep = () => sweepDueSchedules(service.deps);

test.each(RACES)("%s a moment before the due schedule wins over it", async (_name, race, left) => {
  const agent = await connectAuthor(service);
  const due = await makeDue(agent);
  const [reply, fired] = await meet(service, agent.id, () => race(agent, due), sweep);
  expect([reply.status, fired]).toEqual([200, 0]);
  const now = (await agent.get(`/creations/${due.id}`)).json.data;
  expect([now.lock_version, now.scheduled_publication.status]).toEqual([due.lock_version + 1, left]);
  expect(now).toEqual(reply.json.data);
});

test.each(RACES)("%s a moment after the due schedule is stale", async (_name, race) => {
  const agent = await connectAuthor(service);
  const due = await makeDue(agent);
  const [fired, reply] = await meet(service, agent.id, sweep, () => race(agent, due));
  expect([fired, reply.status, reply.json.code]).toEqual([1, 412, "version_mismatch"]);
  expect((await agent.get(`/creations/${due.id}`)).json.data).toMatchObject({
    visibility: "unlisted",
    lock_version: due.lock_version + 1,
    published_revision: { id: due.latest_revision.id },
    scheduled_publication: { status: "published", outcome_code: null },
  });
});

test("a pause a moment before the due schedule fails it, once, though two sweepers see it", async () => {
  const agent = await connectAuthor(service);
  const due = await makeDue(agent);
  const [, ...fired] = await meet(service, agent.id, pause(agent), sweep, sweep);
  // Either sweeper may be the one.
  expect(fired.toSorted()).toEqual([0, 1]);
  expect((await agent.get(`/creations/${due.id}`)).json.data).toMatchObject({
    visibility: "private",
    lock_version: due.lock_version + 1,
    scheduled_publication: { status: "failed", outcome_code: "publishing_blocked" },
  });
});

test("five sweepers at once publish fifteen due schedules once each", async () => {
  const agent = await connectAuthor(service);
  const drafts = await Promise.all(times(15, () => makeCreation(agent)));
  for (const draft of drafts) {
    await act(agent, draft, "schedule", { revision_id: draft.latest_revision.id, publish_at: soon() });
  }
  service.clock.nowMs += MINUTE_MS;
  const counts = await Promise.all(times(5, () => sweepDueSchedules(service.deps)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(15);
  const { remaining, limits } = (await agent.get("/agent")).json.data;
  expect(limits.publications_per_day - remaining.publications_today).toBe(15);
  for (const draft of drafts) {
    expect((await agent.get(`/creations/${draft.id}`)).json.data).toMatchObject({
      visibility: "public",
      lock_version: 3,
    });
  }
});
