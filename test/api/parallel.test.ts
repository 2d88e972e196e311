import { afterAll, beforeAll, expect, test } from "vitest";
import { orderAgent } from "../../shared/agent-orders.ts";
import { COMMAND_LINE } from "../../shared/audit.ts";
import { sweepAgedFiles } from "../../shared/file-purge.ts";
import { sweepDueSchedules } from "../../shared/schedules.ts";
import { sweepExpiredUploads } from "../../shared/sweeps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../shared/times.ts";
import {
  connectAgent,
  type Json,
  makeCode,
  makeCreation,
  makeOwner,
  publish,
  publishFrontPage,
  type Reply,
  request,
  speakAs,
  type TestAgent,
} from "../support/agent.ts";
import { uploadReady } from "../support/inspection.ts";
import { openService, type TestService } from "../support/service.ts";
import { listStoredFiles, runSql } from "../support/tables.ts";

const ROUNDS = 12;
let service: TestService;

beforeAll(async () => {
  const limits = { publicationsPerDay: 1000, updatesPerDay: 1000, processingUploads: 100 };
  service = await openService({ workers: false, limits });
});
afterAll(async () => {
  await service.close();
});

async function connectPublisher(): Promise<TestAgent> {
  const agent = await connectAgent(service);
  await publishFrontPage(agent);
  return agent;
}

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, n) => make(n));
const update = (number: number) => ({
  payload: { title: "Surge", body_markdown: `Version ${number}.` },
  change_summary: "Newer.",
});

function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) {
    const name = status < 300 ? String(status) : `${status} ${json.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const soon = () => new Date(service.clock.nowMs + MINUTE_MS).toISOString();
const WRITES: [name: string, write: (agent: TestAgent, creation: Json, number: number) => Promise<Reply>][] =
  [
    [
      "PATCH",
      (agent, one, n) =>
        agent.send("PATCH", `/creations/${one.id}`, update(n), { ifMatch: one.lock_version }),
    ],
    [
      "schedule",
      (agent, one) =>
        act(agent, one, "schedule", { revision_id: one.latest_revision.id, publish_at: soon() }),
    ],
    ["publish", (agent, one) => act(agent, one, "publish", { revision_id: one.latest_revision.id })],
  ];

async function act(agent: TestAgent, creation: Json, action: string, body?: object): Promise<Reply> {
  return await agent.send("POST", `/creations/${creation.id}/${action}`, body, {
    ifMatch: creation.lock_version,
  });
}

test.each(WRITES)("of twenty %s at once under one If-Match exactly one wins", async (_name, write) => {
  const agent = await connectPublisher();
  const creation = await makeCreation(agent);
  const replies = await Promise.all(times(20, (number) => write(agent, creation, number)));
  expect(tally(replies)).toEqual({ "200": 1, "412 version_mismatch": 19 });
  const now = (await agent.get(`/creations/${creation.id}`)).json.data;
  expect(now.lock_version).toBe(2);
  expect(replies.find((reply) => reply.status === 200)?.json.data.lock_version).toBe(2);
});

test("of twenty saves of a profile at once under one If-Match exactly one wins", async () => {
  const agent = await connectAgent(service);
  const save = (n: number) =>
    agent.send("PATCH", "/agent/profile", { tagline: `Tides ${n}` }, { ifMatch: 1 });
  expect(tally(await Promise.all(times(20, save)))).toEqual({ "200": 1, "412 version_mismatch": 19 });
  expect((await agent.get("/agent")).json.data.lock_version).toBe(2);
});

test("eight writers that read and write again and again leave no gap and no repeat in lock_version", async () => {
  const agent = await connectPublisher();
  const creation = await makeCreation(agent);
  const versions: number[] = [];
  async function writeFive(writer: number): Promise<void> {
    let wins = 0;
    while (wins < 5) {
      const { lock_version: ifMatch } = (await agent.get(`/creations/${creation.id}`)).json.data;
      const reply = await agent.send("PATCH", `/creations/${creation.id}`, update(writer), { ifMatch });
      expect([200, 412]).toContain(reply.status);
      if (reply.status !== 200) continue;
      versions.push(reply.json.data.lock_version);
      expect(reply.headers.etag).toBe(`"${reply.json.data.lock_version}"`);
      wins++;
    }
  }
  await Promise.all(times(8, writeFive));
  expect(versions.sort((one, two) => one - two)).toEqual(times(40, (n) => n + 2));
  const numbers = (await agent.get(`/creations/${creation.id}/revisions?per_page=100`)).json.data;
  expect(numbers.map((one: Json) => one.revision_number)).toEqual(times(41, (n) => 41 - n));
});

test("fifty redemptions of one code at once make one agent and one token", async () => {
  const ownerId = await makeOwner(service);
  const enrollment_code = await makeCode(service, ownerId);
  const redeem = (n: number) =>
    request(service, {
      method: "POST",
      url: "/api/v1/agents",
      payload: { enrollment_code, handle: `racer-${n}` },
    });
  const replies = await Promise.all(times(50, redeem));
  expect(tally(replies)).toEqual({ "201": 1, "409 enrollment_consumed": 49 });
  const agents = await runSql(service, "SELECT id, handle FROM agents WHERE owner_id = $1", [ownerId]);
  expect(agents).toHaveLength(1);
  const tokens = await runSql(service, "SELECT id FROM tokens WHERE agent_id = $1", [agents[0].id]);
  expect(tokens).toHaveLength(1);
});

test("two codes for one handle, redeemed at once, make one agent and keep the other code", async () => {
  const codes = await Promise.all(times(8, async () => await makeCode(service, await makeOwner(service))));
  const redeem = (enrollment_code: string, handle: string) =>
    request(service, { method: "POST", url: "/api/v1/agents", payload: { enrollment_code, handle } });
  const replies = await Promise.all(codes.map((code) => redeem(code, "wanted-by-all")));
  expect(tally(replies)).toEqual({ "201": 1, "422 validation_failed": 7 });
  const loser = replies.findIndex((reply) => reply.status === 422);
  expect(Object.keys(replies[loser]?.json.errors)).toEqual(["handle"]);
  expect((await redeem(codes[loser] ?? "", "another-one")).status).toBe(201);
});

test("a rotated token lives sixty minutes more to the millisecond, and may rotate again in that time", async () => {
  const agent = await connectAgent(service);
  const first = await agent.send("POST", "/agent/token/rotate", undefined);
  const { token, previous_token_expires_at } = first.json.data;
  expect(Date.parse(previous_token_expires_at)).toBe(service.clock.nowMs + 60 * MINUTE_MS);
  service.clock.nowMs += 30 * MINUTE_MS;
  const inTail = await agent.send("POST", "/agent/token/rotate", undefined);
  expect(inTail.status).toBe(200);
  // Rotating in the tail does not lengthen it.
  expect(inTail.json.data.previous_token_expires_at).toBe(previous_token_expires_at);
  service.clock.nowMs += 30 * MINUTE_MS - 1;
  expect((await agent.get("/agent")).status).toBe(200);
  service.clock.nowMs += 1;
  expect((await agent.get("/agent")).json.code).toBe("unauthenticated");
  for (const next of [token, inTail.json.data.token]) {
    expect((await speakAs(service, { ...agent, token: next }).get("/agent")).status).toBe(200);
  }
});

test("of ten rotations at once as many pass as tokens may be active, and time makes room again", async () => {
  const agent = await connectAgent(service);
  const replies = await Promise.all(times(10, () => agent.send("POST", "/agent/token/rotate", undefined)));
  expect(tally(replies)).toEqual({ "200": 4, "409 token_quota": 6 });
  const tokens = replies.filter((reply) => reply.status === 200).map((reply) => reply.json.data.token);
  expect(new Set(tokens).size).toBe(4);
  service.clock.nowMs += HOUR_MS;
  const next = speakAs(service, { ...agent, token: tokens[0] });
  expect((await next.send("POST", "/agent/token/rotate", undefined)).status).toBe(200);
});

test("a pause that has answered stands: no publication commits after it", async () => {
  const agent = await connectPublisher();
  const outcomes = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const creation = await makeCreation(agent);
    const pause = () => orderAgent(service.deps, COMMAND_LINE, agent.id, "pause");
    const [reply] = await Promise.all([
      act(agent, creation, "publish", { revision_id: creation.latest_revision.id }),
      round % 2 === 0 ? pause() : service.deps.pool.connect(() => pause()),
    ]);
    outcomes.add(reply.status);
    const acts = await runSql(
      service,
      "SELECT action FROM audit_log WHERE agent_id = $1 AND action IN ('agent.pause', 'creation.publish') ORDER BY id DESC LIMIT 2",
      [agent.id],
    );
    await orderAgent(service.deps, COMMAND_LINE, agent.id, "resume");
    const now = (await agent.get(`/creations/${creation.id}`)).json.data;
    // The audit tells the order of commits: both hold the agent's row.
    expect(acts[0].action).toBe("agent.pause");
    if (reply.status === 200)
      expect([now.visibility, acts[1].action]).toEqual(["public", "creation.publish"]);
    else expect([reply.json.code, now.visibility, now.lock_version]).toEqual(["agent_paused", "private", 1]);
  }
  expect([...outcomes].every((status) => status === 200 || status === 403)).toBe(true);
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

test.each(RACES)("%s racing a due schedule leaves one winner", async (_name, race, left) => {
  const agent = await connectPublisher();
  const winners = { schedule: 0, call: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const draft = await makeCreation(agent);
    const body = { revision_id: draft.latest_revision.id, publish_at: soon(), visibility: "unlisted" };
    const waiting = (await act(agent, draft, "schedule", body)).json.data;
    service.clock.nowMs += MINUTE_MS;
    // Three sweepers, as three processes have them.
    const sweeps = times(3, () => sweepDueSchedules(service.deps));
    const [reply] = await Promise.all([race(agent, waiting), ...sweeps]);
    const now = (await agent.get(`/creations/${draft.id}`)).json.data;
    expect(now.lock_version).toBe(waiting.lock_version + 1);
    if (reply.status === 200) {
      winners.call++;
      expect(now.scheduled_publication.status).toBe(left);
    } else {
      winners.schedule++;
      expect([reply.status, now.scheduled_publication.status, now.visibility]).toEqual([
        412,
        "published",
        "unlisted",
      ]);
      expect(now.published_revision.id).toBe(draft.latest_revision.id);
    }
    await settle(agent, now);
  }
  expect(winners.call + winners.schedule).toBe(ROUNDS);
});

/** What still waits is taken back, so that it does not come due in the next round. */
async function settle(
  agent: TestAgent,
  { id, lock_version: ifMatch, scheduled_publication }: Json,
): Promise<void> {
  if (scheduled_publication.status !== "pending") return;
  const reply = await agent.send("DELETE", `/creations/${id}/schedule`, undefined, { ifMatch });
  expect(reply.status).toBe(200);
}

test("five sweepers at once publish fifteen due schedules once each", async () => {
  const agent = await connectPublisher();
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

/** What the agent's quota says is what its rows and its files say. */
async function expectQuotaExact(agent: TestAgent): Promise<void> {
  const { usage } = (await agent.get("/agent")).json.data;
  const rows = await runSql(
    service,
    "SELECT id, bytes FROM assets WHERE agent_id = $1 AND file_deleted_at IS NULL",
    [agent.id],
  );
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  expect([usage.files, usage.storage_bytes]).toEqual([rows.length, bytes]);
  const stored = new Set(await listStoredFiles(service));
  expect(rows.filter((row) => !stored.has(row.id))).toEqual([]);
  const gone = await runSql(
    service,
    "SELECT id FROM assets WHERE agent_id = $1 AND file_deleted_at IS NOT NULL",
    [agent.id],
  );
  expect(gone.filter((row) => stored.has(row.id))).toEqual([]);
}

const attaching = (agent: TestAgent, id: string) =>
  agent.send("POST", "/creations", {
    type: "file",
    payload: { title: "Notes", attachments: [{ asset_id: id, label: "Notes" }] },
  });

test("attaching a file races its deletion: one of the two happens", async () => {
  const agent = await connectAgent(service);
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await uploadReady(service, agent, `n${round}.txt`, "words");
    const remove = () => agent.send("DELETE", `/assets/${id}`, undefined, { key: null });
    const [made, removed] = await Promise.all(
      round % 2 === 0
        ? [attaching(agent, id), remove()]
        : ([remove(), attaching(agent, id)].reverse() as [Promise<Reply>, Promise<Reply>]),
    );
    const told = `${made.status} ${removed.status}`;
    expect(["201 409", "422 204"]).toContain(told);
    expect((await agent.get(`/assets/${id}/content`)).status).toBe(made.status === 201 ? 200 : 404);
    await expectQuotaExact(agent);
  }
});

test("attaching a file races its expiry: it is attached and stays, or it is gone", async () => {
  const agent = await connectAgent(service);
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await uploadReady(service, agent, `n${round}.txt`, "words");
    service.clock.nowMs += 24 * HOUR_MS - 1;
    const saving = attaching(agent, id);
    // The request is under way when the file's time comes.
    for (let turn = 0; turn < round * 4; turn++) await new Promise(setImmediate);
    service.clock.nowMs += 1;
    const [made, count] = await Promise.all([saving, sweepExpiredUploads(service.deps)]);
    expect(["201 0", "422 1"]).toContain(`${made.status} ${count}`);
    const asset = await agent.get(`/assets/${id}`);
    expect(asset.status).toBe(made.status === 201 ? 200 : 404);
    if (made.status === 201) expect(asset.json.data).toMatchObject({ attached: true, expires_at: null });
    await expectQuotaExact(agent);
  }
});

test("restoring a revision races the purge of its files: it is live with its file, or it is refused", async () => {
  const agent = await connectPublisher();
  for (let round = 0; round < ROUNDS; round++) {
    const { old, creation } = await replaceFile(agent, round);
    service.clock.nowMs += 30 * DAY_MS;
    const restoring = act(agent, creation, "restore", { revision_id: old.latest_revision.id });
    for (let turn = 0; turn < round * 3; turn++) await new Promise(setImmediate);
    const [restored] = await Promise.all([
      restoring,
      sweepAgedFiles(service.deps),
      sweepAgedFiles(service.deps),
    ]);
    const address = `/media/${old.latest_revision.files[0].asset_id}/old${round}.txt`;
    const opened = await request(service, { method: "GET", url: address });
    expect(["200 200", "409 404"]).toContain(`${restored.status} ${opened.status}`);
    if (restored.status === 409) expect(restored.json.code).toBe("revision_files_deleted");
    await expectQuotaExact(agent);
  }
});

/** A creation whose first file was replaced by a second one just now. */
async function replaceFile(agent: TestAgent, round: number): Promise<{ old: Json; creation: Json }> {
  const payload = async (filename: string) => {
    const { id } = await uploadReady(service, agent, filename, filename);
    return { title: "Notes", attachments: [{ asset_id: id, label: "Notes" }] };
  };
  const first = await makeCreation(agent, { type: "file", payload: await payload(`old${round}.txt`) });
  const old = await publish(agent, first);
  const body = { payload: await payload(`new${round}.txt`), change_summary: "New file." };
  const saved = await agent.send("PATCH", `/creations/${old.id}`, body, { ifMatch: old.lock_version });
  return { old, creation: await publish(agent, saved.json.data) };
}
