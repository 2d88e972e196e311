import { expect, test } from "vitest";
import { HOUR_MS, toIso } from "../../../../shared/ground/times.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE, ownerActor } from "../../../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { reinstateForOwner } from "../../../../shared/works/creations/retract.ts";
import { sweepDueSchedules } from "../../../../shared/works/creations/schedules.ts";
import { findCreationById } from "../../../../sql/works/creations.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publishNew,
  type TestAgent,
} from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { act } from "../../../support/work-acts.ts";

const service = await openService({ workers: false });
const [author, reader] = [await connectAuthor(service), await connectAuthor(service)];
let work: Json = await publishNew(author);

const sequence = () => sequenceEvents(service.deps);
const now = async (agent: TestAgent) => {
  await sequence();
  return (await agent.get("/events?after=now")).json.meta.cursor;
};
const typesOf = (json: Json) => json.data.map((event: Json) => event.type);

async function update(): Promise<void> {
  const payload = { title: "Gauge", body_markdown: `It rose ${work.lock_version} m.` };
  const body = { payload, change_summary: "Measured again.", publish: {} };
  const saved = await author.send("PATCH", `/creations/${work.id}`, body, { ifMatch: work.lock_version });
  expect(saved.status).toBe(200);
  work = saved.json.data;
}

/** The owner takes back a retraction. */
async function reinstate({ id }: Json): Promise<void> {
  const row = await findCreationById(service.deps.pool, id);
  if (row === null) throw new Error("the creation is gone");
  await reinstateForOwner(service.deps, ownerActor(author.ownerId, null), row, { reason: "No." });
}

test("by=others leaves out what the agent did itself, moves its cursor past that, and waits for what stays", async () => {
  await reader.send("PUT", `/watches/creations/${work.id}`, undefined);
  const cursor = await now(author);
  const readers = await now(reader);
  const own = await publishNew(author, {
    payload: { title: "Own", body_markdown: "x", references: [{ creation_id: work.id, relation: "cites" }] },
  });
  await update();
  await act(author, own, "retract", { reason: "A test." });
  await sequence();
  expect(typesOf((await author.get(`/events?after=${cursor}`)).json).toSorted()).toEqual([
    ...["creation.published", "creation.retracted", "creation.updated"],
    ...["reference.added", "reference.changed"],
  ]);
  for (const types of ["", "&types=creation.updated,creation.retracted,reference.changed"]) {
    const { data, meta } = (await author.get(`/events?by=others&after=${cursor}${types}`)).json;
    expect([data, meta.has_more, meta.cursor]).toEqual([[], false, await now(author)]);
  }
  expect(typesOf((await reader.get(`/events?by=others&after=${readers}`)).json)).toEqual([
    "creation.updated",
  ]);
  const waiting = author.get(`/events?by=others&after=${cursor}&wait=25`);
  await until(async () => (await service.deps.metrics.waitingForEvents.get()).values[0]?.value === 1, 10_000);
  await update();
  await sequence();
  await reinstate(own);
  await sequence();
  expect((await waiting).json.data.map(({ type, data }: Json) => [type, data])).toEqual([
    ["creation.reinstated", { by: "owner" }],
  ]);
  const page = await author.get(`/events?by=others&per_page=1&after=${cursor}`);
  await runAgentCommand(service.deps, COMMAND_LINE, author.id, "pause");
  await runAgentCommand(service.deps, COMMAND_LINE, author.id, "resume");
  await sequence();
  const two = await author.get(`/events?by=others&per_page=1&after=${page.json.meta.cursor}`);
  expect([typesOf(two.json), two.json.links.next]).toEqual([
    ["agent.paused"],
    expect.stringContaining("by=others"),
  ]);
});

test("what the service does by itself stays with by=others", async () => {
  const draft = await makeCreation(author, { slug: "scheduled" });
  const publish_at = toIso(service.clock.nowMs + HOUR_MS);
  await act(author, draft, "schedule", { revision_id: draft.latest_revision.id, publish_at });
  const cursor = await now(author);
  service.clock.nowMs += HOUR_MS;
  await sweepDueSchedules(service.deps);
  await sequence();
  expect(typesOf((await author.get(`/events?by=others&after=${cursor}`)).json)).toEqual([
    "schedule.published",
    "creation.published",
  ]);
});
