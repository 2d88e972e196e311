import { beforeEach, expect, test } from "vitest";
import { sweepExpiredRows } from "../../../../shared/care/sweeps.ts";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { endToken } from "../../../../shared/identity/agents/change-tokens.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import {
  connectAgent,
  type Json,
  makeCreation,
  publishFrontPage,
  publishNew,
  type TestAgent,
} from "../../../support/agent.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false, limits: { watches: 3 } });
const [author, reader] = await Promise.all([connectAgent(service), connectAgent(service)]);
await publishFrontPage(author);
let work: Json = await publishNew(author);

beforeEach(async () => {
  service.clock.nowMs = TEST_START_MS;
  await sequence();
});

const sequence = () => sequenceEvents(service.deps);
const now = async (agent: TestAgent) => (await agent.get("/events?after=now")).json.meta.cursor;
const typesOf = (json: Json) => json.data.map((event: Json) => event.type);

async function update(): Promise<void> {
  const payload = { title: "November surge", body_markdown: `The gauge rose ${work.lock_version} m.` };
  const body = { payload, change_summary: "Measured again.", publish: {} };
  const saved = await author.send("PATCH", `/creations/${work.id}`, body, { ifMatch: work.lock_version });
  expect(saved.status).toBe(200);
  work = saved.json.data;
}

test("an agent reads what it was told page by page, and each cursor goes on where the last page ended", async () => {
  const all = await author.get("/events?per_page=100");
  expect(all.status).toBe(200);
  expect(typesOf(all.json)).toEqual(["token.issued", "creation.published"]);
  expect(all.json.data[1]).toMatchObject({
    ...{ reason: "own", agent_id: author.id, creation_id: work.id, timestamp: "2026-11-20T09:00:00Z" },
    url: `http://localhost:3000/id/${work.id}`,
    data: { revision_number: 1, minor: false, visibility: "public", by: "agent" },
  });
  const first = await author.get("/events?per_page=1");
  expect([typesOf(first.json), first.json.meta.has_more]).toEqual([["token.issued"], true]);
  const next = await author.get(first.json.links.next.replace("http://localhost:3000/api/v1", ""));
  expect([typesOf(next.json), next.json.links.next]).toEqual([["creation.published"], null]);
  const after = await author.get(`/events?after=${next.json.meta.cursor}`);
  expect([after.json.data, after.json.meta.has_more]).toEqual([[], false]);
  await update();
  await sequence();
  const later = await author.get(`/events?after=${after.json.meta.cursor}`);
  expect(typesOf(later.json)).toEqual(["creation.updated"]);
});

test("types are read alone, also where a page of others lies between", async () => {
  const only = await author.get("/events?types=token.issued,token.leaked&per_page=1");
  expect([typesOf(only.json), only.json.meta.has_more]).toEqual([["token.issued"], false]);
});

test.each([
  ["after=tomorrow", "after"],
  ["after=", "after"],
  [`after=${"a".repeat(65)}`, "after"],
  ["after=0-01", "after"],
  ["types=creation.read", "types"],
  ["types=", "types"],
  ["types=creation.published,", "types"],
  ["by=me", "by"],
  ["by=", "by"],
  ["per_page=0", "per_page"],
  ["wait=soon", "wait"],
  ["wait=-1", "wait"],
  ["wait=1.5", "wait"],
  ["since=now", "since"],
])("%s is refused on %s", async (query, field) => {
  const reply = await author.get(`/events?${query}`);
  expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, [field]]);
});

test("larger pages and longer waits than allowed are cut, and a cursor with one digit changed is none", async () => {
  expect((await author.get("/events?per_page=1000&wait=0")).status).toBe(200);
  const cursor = await now(author);
  const last = cursor.at(-1) === "0" ? "1" : "0";
  expect((await author.get(`/events?after=${cursor.slice(0, -1)}${last}`)).status).toBe(422);
});

test("a waiting request is answered when something comes, and two of an agent may wait", async () => {
  const cursor = await now(author);
  const waits = [1, 2].map(() => author.get(`/events?after=${cursor}&wait=25`));
  const waiting = async () => (await service.deps.metrics.waitingForEvents.get()).values[0]?.value;
  await until(async () => (await waiting()) === 2, 10_000);
  const third = await author.get(`/events?after=${cursor}&wait=25`);
  expect([third.status, third.json.code, third.headers["retry-after"]]).toEqual([429, "rate_limited", "5"]);
  expect((await author.get(`/events?after=${cursor}`)).status).toBe(200);
  await update();
  await sequence();
  for (const reply of await Promise.all(waits)) expect(typesOf(reply.json)).toEqual(["creation.updated"]);
  expect(await waiting()).toBe(0);
});

test("a waiting request whose token is ended is refused", async () => {
  const agent = await connectAgent(service, { ownerId: author.ownerId });
  await sequence();
  const waiting = agent.get(`/events?after=${await now(agent)}&wait=25`);
  await until(async () => (await service.deps.metrics.waitingForEvents.get()).values[0]?.value === 1, 10_000);
  const [{ id }] = await runSql(service, "SELECT id FROM tokens WHERE agent_id = $1", [agent.id]);
  await endToken(service.deps, COMMAND_LINE, agent.id, id);
  await sequence();
  expect((await waiting).status).toBe(401);
});

test("a watch tells of a work and of an agent's public works, until it ends", async () => {
  const path = `/watches/creations/${work.id}`;
  for (const _ of [1, 2]) {
    expect((await reader.send("PUT", path, undefined, { key: null })).status).toBe(204);
  }
  const byAgent = `/watches/agents/${author.id}`;
  expect((await reader.send("PUT", byAgent, {}, { key: null })).status).toBe(204);
  const list = await reader.get("/watches");
  expect(list.json.data.map(({ kind, target_id }: Json) => [kind, target_id])).toEqual([
    ["creation", work.id],
    ["agent", author.id],
  ]);
  const cursor = await now(reader);
  await update();
  const unlisted = await publishNew(author, {}, { visibility: "unlisted" });
  await sequence();
  const told = await reader.get(`/events?after=${cursor}`);
  expect(told.json.data.map((event: Json) => [event.type, event.reason, event.creation_id])).toEqual([
    ["creation.updated", "watch", work.id],
  ]);
  expect((await reader.send("PUT", `/watches/creations/${unlisted.id}`, undefined)).status).toBe(204);
  const full = await reader.send("PUT", `/watches/agents/${reader.id}`, undefined);
  expect([full.status, full.json.code]).toEqual([404, "not_found"]);
  for (const _ of [1, 2]) expect((await reader.send("DELETE", path, undefined)).status).toBe(204);
  expect((await reader.send("DELETE", byAgent, undefined)).status).toBe(204);
  await update();
  await sequence();
  expect((await reader.get(`/events?after=${told.json.meta.cursor}`)).json.data).toEqual([]);
});

test("drafts and unknown ids cannot be watched, one watch too many is refused, and a pause refuses all", async () => {
  const agent = await connectAgent(service);
  const draft = await makeCreation(author);
  for (const target of [draft.id, "nothing", "01M7WVCCXGEVQM8BZ45NSYPBF2"]) {
    const reply = await agent.send("PUT", `/watches/creations/${target}`, undefined);
    expect([reply.status, reply.json.code]).toEqual([404, "not_found"]);
  }
  for (const [number, expected] of [204, 204, 204, 409].entries()) {
    const { id } = await publishNew(author, { slug: `watched-${number}` });
    // Who is muted counts as well.
    const target = number === 1 ? `muted/${author.id}` : `creations/${id}`;
    const reply = await agent.send("PUT", `/watches/${target}`, undefined);
    expect([reply.status, reply.json?.code]).toEqual([
      expected,
      expected === 409 ? "quota_exhausted" : undefined,
    ]);
  }
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "pause");
  const paused = await agent.send("DELETE", `/watches/creations/${work.id}`, undefined);
  expect([paused.status, paused.json.code]).toEqual([403, "agent_paused"]);
  expect((await agent.get("/watches")).json.meta.total).toBe(3);
  await sequence();
  expect(typesOf((await agent.get("/events")).json)).toEqual(["token.issued", "agent.paused"]);
});

test("events are deleted after their days, and a cursor from before says that something is missing", async () => {
  const agent = await connectAgent(service);
  await sequence();
  const before = (await agent.get("/events")).json;
  expect(typesOf(before)).toEqual(["token.issued"]);
  service.clock.nowMs += 30 * DAY_MS;
  expect((await sweepExpiredRows(service.deps)).deleted_events).toBe(0);
  service.clock.nowMs += 1_000;
  expect((await sweepExpiredRows(service.deps)).deleted_events).toBeGreaterThan(0);
  const first = (await agent.get("/events")).json;
  expect([first.data, first.meta.gap]).toEqual([[], false]);
  expect((await agent.get(`/events?after=${before.meta.cursor}`)).json.meta.gap).toBe(false);
  expect((await agent.get("/events?after=1-01")).json.meta.gap).toBe(true);
  expect(await runSql(service, "SELECT 1 FROM events")).toEqual([]);
});

test("positions go on after the time, so that readers miss nothing after a restore", async () => {
  const agent = await connectAgent(service);
  await sequence();
  const cursor = (await agent.get("/events")).json.meta.cursor;
  await runSql(service, "UPDATE event_positions SET last = 1");
  service.clock.nowMs += 1_000;
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "pause");
  await sequence();
  expect(typesOf((await agent.get(`/events?after=${cursor}`)).json)).toEqual(["agent.paused"]);
});
