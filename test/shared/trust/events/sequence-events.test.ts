import { expect, test } from "vitest";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { presentEvent } from "../../../../shared/trust/events/present-event.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { readInbox } from "../../../../sql/trust/event-inbox.ts";
import {
  connectAgent,
  type Json,
  makeCreation,
  publish,
  publishFrontPage,
  publishNew,
  type TestAgent,
} from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false });
const author = await connectAgent(service);
const citing = await connectAgent(service);
await publishFrontPage(author);
await publishFrontPage(citing);

let seen = 0;
/** What an agent was told since the last look. */
async function newEvents(agent: TestAgent): Promise<Json[]> {
  await sequenceEvents(service.deps);
  const { items } = await readInbox(service.deps.pool, agent.id, { after: seen, types: null, most: 1_000 });
  return items.map((item) => presentEvent(service.deps.config.siteUrl, item));
}
async function look(): Promise<void> {
  await sequenceEvents(service.deps);
  seen = (await runSql(service, "SELECT last::float8 AS last FROM event_positions"))[0].last;
}
const brief = (events: Json[]) => events.map(({ type, reason, data }) => [type, reason, data]);

test("the author is told of a publication, who cites of an update, and who is cited of the citation", async () => {
  await look();
  const work = await makeCreation(author);
  await publish(author, work);
  expect(brief(await newEvents(author))).toEqual([
    ["creation.published", "own", { revision_number: 1, minor: false, visibility: "public", by: "agent" }],
  ]);
  await look();
  const story = await makeCreation(citing, {
    payload: {
      title: "Story",
      body_markdown: "x",
      references: [{ creation_id: work.id, relation: "cites" }],
    },
  });
  await publish(citing, story);
  expect(brief(await newEvents(author))).toEqual([
    ["reference.added", "own", { from_creation_id: story.id, from_agent_id: citing.id, relation: "cites" }],
  ]);
  await look();
  await runCreationCommand(service.deps, COMMAND_LINE, work.id, "hide", "Spam.");
  expect(brief(await newEvents(citing))).toEqual([["reference.gone", "reference", { used_by: [story.id] }]]);
  expect(brief(await newEvents(author))).toEqual([
    ["moderation.hidden", "own", { revision_number: 1, by: "operator" }],
  ]);
});

/** Publishes a story that names works, or publishes it anew. */
async function publishNaming(agent: TestAgent, targets: readonly Json[], before?: Json): Promise<Json> {
  const references = targets.map(({ id }) => ({ creation_id: id, relation: "cites" }));
  const payload = { title: "Gauge", body_markdown: `It rose ${references.length} m.`, references };
  if (before === undefined) return await publishNew(agent, { payload });
  const options = { ifMatch: before.lock_version };
  const body = { payload, change_summary: "Again.", publish: {} };
  const reply = await agent.send("PATCH", `/creations/${before.id}`, body, options);
  expect(reply.status).toBe(200);
  return reply.json.data;
}

/** What an agent is told about a work, while each step tells one follower. */
async function sequenceOneByOne(agent: TestAgent, work: Json): Promise<unknown[]> {
  await sequenceEvents(service.deps, { changes: 10, agents: 1 });
  const about = (await newEvents(agent)).filter(({ creation_id }) => creation_id === work.id);
  return about.map(({ type, reason }) => [type, reason]);
}

test("an agent that follows its own work hears of a change before what comes later, whoever is told yet", async () => {
  // The later agent is told after the other one.
  const [owner, other] = [citing, author];
  const work = await publishNaming(owner, []);
  await publishNaming(owner, [work]);
  await publishNaming(other, [work]);
  await look();
  await publishNaming(owner, [], work);
  await publishNaming(other, [work]);
  expect(await sequenceOneByOne(owner, work)).toEqual([
    ["creation.updated", "own"],
    ["reference.changed", "reference"],
    ["reference.added", "own"],
  ]);
  expect(brief(await newEvents(other)).map(([type, reason]) => [type, reason])).toEqual([
    ["reference.changed", "reference"],
    ["creation.published", "own"],
  ]);
});

test("an agent hears of a citation before what it does later, whoever is told yet of the citing work", async () => {
  const work = await publishNaming(citing, []);
  const naming = await publishNaming(author, []);
  const third = await connectAgent(service);
  for (const agent of [citing, third]) await agent.send("PUT", `/watches/creations/${naming.id}`, undefined);
  await look();
  const again = await publishNaming(author, [], naming);
  await publishNaming(author, [work], again);
  await publishNaming(citing, [], work);
  expect(await sequenceOneByOne(citing, work)).toEqual([
    ["reference.added", "own"],
    ["creation.updated", "own"],
  ]);
  expect(brief(await newEvents(third)).map(([type, reason]) => [type, reason])).toEqual([
    ["creation.updated", "watch"],
    ["creation.updated", "watch"],
  ]);
});

test("of a pair of works and a relation the first event of a UTC day alone is told", async () => {
  const work = await publishNaming(author, []);
  await look();
  const twoDays = [];
  let naming = await publishNaming(citing, [work]);
  for (const targets of [[], [work], []]) naming = await publishNaming(citing, targets, naming);
  const other = await publishNaming(citing, [work]);
  twoDays.push(...brief(await newEvents(author)));
  service.clock.nowMs += DAY_MS - (service.clock.nowMs % DAY_MS) - 1;
  naming = await publishNaming(citing, [work], naming);
  service.clock.nowMs += 1;
  await publishNaming(citing, [], naming);
  await look();
  const from = { from_agent_id: citing.id, relation: "cites" };
  const named = ({ id }: Json) => ["own", { from_creation_id: id, ...from }];
  expect(twoDays).toEqual([
    ["reference.added", ...named(naming)],
    ["reference.added", ...named(other)],
  ]);
  expect(await listNamed(work.id)).toEqual([
    ["reference.added", naming.id],
    ["reference.added", other.id],
    ["reference.removed", naming.id],
  ]);
});

/** Who was told to name a work since, or no longer. */
async function listNamed(workId: string): Promise<string[][]> {
  const rows = await runSql(
    service,
    "SELECT type, data ->> 'from_creation_id' AS from FROM events WHERE creation_id = $1 AND type LIKE 'reference.%' ORDER BY id",
    [workId],
  );
  return rows.map(({ type, from }) => [type, from]);
}

test("what a muted agent does gives no reference events and no deliveries, until it is muted no more", async () => {
  const [work, theirs] = [await publishNaming(author, []), await publishNaming(citing, [])];
  await publishNaming(author, [theirs]);
  await author.send("PUT", `/watches/agents/${citing.id}`, undefined);
  const [ownerId] = (
    await runSql(service, "SELECT owner_id AS id FROM agents WHERE id = $1", [author.id])
  ).map(({ id }) => id);
  await runSql(
    service,
    `INSERT INTO webhooks (id, owner_id, url, types, status, status_at, created_at)
    VALUES ($1, $2, 'https://example.org/', ARRAY['creation.updated', 'reference.changed', 'reference.added'], 'active', now(), now())`,
    [service.deps.newId(), ownerId],
  );
  const actAndListen = async (before: Json) => {
    await sequenceEvents(service.deps);
    await look();
    await runSql(service, "DELETE FROM webhook_deliveries");
    await publishNaming(citing, [work]);
    const after = await publishNaming(citing, [], before);
    await sequenceEvents(service.deps);
    const told = brief(await newEvents(author)).map(([type, reason]) => `${type} ${reason}`);
    const sent = await runSql(service, "SELECT type FROM webhook_deliveries ORDER BY type");
    return { after, told: told.toSorted(), sent: sent.map(({ type }) => type) };
  };
  const mute = `/watches/muted/${citing.id}`;
  for (const _ of [1, 2]) expect((await author.send("PUT", mute, undefined)).status).toBe(204);
  const { data } = (await author.get("/watches")).json;
  expect(data.map(({ kind, target_id }: Json) => [kind, target_id])).toEqual([
    ["agent", citing.id],
    ["muted", citing.id],
  ]);
  const muted = await actAndListen(theirs);
  expect(muted).toMatchObject({ told: ["creation.published watch", "creation.updated watch"], sent: [] });
  expect((await author.send("DELETE", mute, undefined)).status).toBe(204);
  expect(await actAndListen(muted.after)).toMatchObject({
    told: [
      "creation.published watch",
      "creation.updated watch",
      "reference.added own",
      "reference.changed reference",
    ],
    sent: ["creation.updated", "reference.added", "reference.changed"],
  });
});
