import { expect, test } from "vitest";
import { sweepAgedFiles } from "../../../shared/datasets/uploads/discard-files.ts";
import { sweepExpiredUploads } from "../../../shared/datasets/uploads/sweeps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../shared/ground/times.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  type Reply,
  request,
  speakAs,
  type TestAgent,
} from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService } from "../../support/service.ts";
import { listStoredFiles, runSql } from "../../support/tables.ts";
import { revise } from "../../support/work-acts.ts";
import { act, meet, tally, times, update } from "./racing.ts";

const limits = { publicationsPerDay: 1000, updatesPerDay: 1000, processingUploads: 100 };
const service = await openService({ workers: false, limits });

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

test.each(WRITES)("of twenty %s at once under one If-Match exactly one wins", async (_name, write) => {
  const agent = await connectAuthor(service);
  const creation = await makeCreation(agent);
  const replies = await Promise.all(times(20, (number) => write(agent, creation, number)));
  expect(tally(replies)).toEqual({ "200": 1, "412 version_mismatch": 19 });
  const now = (await agent.get(`/creations/${creation.id}`)).json.data;
  expect(now.lock_version).toBe(2);
  expect(replies.find((reply) => reply.status === 200)?.json.data.lock_version).toBe(2);
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

const removing = (agent: TestAgent, id: string) =>
  agent.send("DELETE", `/assets/${id}`, undefined, { key: null });

test("a file that was attached a moment before its deletion stays", async () => {
  const agent = await connectAgent(service);
  const { id } = await uploadReady(service, agent, "notes.txt", "words");
  const [made, refused] = await meet(
    service,
    agent.id,
    () => attaching(agent, id),
    () => removing(agent, id),
  );
  expect([made.status, refused.json.code]).toEqual([201, "asset_in_use"]);
  expect((await agent.get(`/assets/${id}/content`)).text).toBe("words");
  await expectQuotaExact(agent);
});

test("a file that was deleted a moment before it is attached is gone, and nothing is saved", async () => {
  const agent = await connectAgent(service);
  const { id } = await uploadReady(service, agent, "notes.txt", "words");
  const [removed, refused] = await meet(
    service,
    agent.id,
    () => removing(agent, id),
    () => attaching(agent, id),
  );
  expect([removed.status, refused.status, Object.keys(refused.json.errors)]).toEqual([
    204,
    422,
    ["payload.attachments.0.asset_id"],
  ]);
  expect((await agent.get("/creations")).json.meta.total).toBe(0);
  await expectQuotaExact(agent);
});

test.each(["attached", "expired"])(
  "a file that is %s first stays so, whichever sweeper comes",
  async (first) => {
    const agent = await connectAgent(service);
    const { id } = await uploadReady(service, agent, "notes.txt", "words");
    service.clock.nowMs += 24 * HOUR_MS - 1;
    // The sweeper's clock is a millisecond ahead, as two machines' clocks are.
    const ahead = { ...service.deps, now: () => service.clock.nowMs + 1 };
    const expiring = () => sweepExpiredUploads(ahead);
    const saving = () => attaching(agent, id);
    if (first === "attached") {
      const [made, count] = await meet(service, agent.id, saving, expiring);
      expect([made.status, count]).toEqual([201, 0]);
      expect((await agent.get(`/assets/${id}`)).json.data).toMatchObject({
        attached: true,
        expires_at: null,
      });
    } else {
      const [count, refused] = await meet(service, agent.id, expiring, saving);
      expect([count, refused.status]).toEqual([1, 422]);
      expect((await agent.get(`/assets/${id}`)).status).toBe(404);
    }
    await expectQuotaExact(agent);
  },
);

test.each(["restored", "purged"])(
  "a revision that is %s first is live with its file, or refused without it",
  async (first) => {
    const agent = await connectAuthor(service);
    const { old, creation } = await replaceFile(agent);
    service.clock.nowMs += 30 * DAY_MS;
    const restoring = () => act(agent, creation, "restore", { revision_id: old.latest_revision.id });
    const purging = () => sweepAgedFiles(service.deps);
    const address = `/media/${old.latest_revision.files[0].asset_id}/old.txt`;
    const open = async () => (await request(service, { method: "GET", url: address })).status;
    if (first === "restored") {
      const [restored] = await meet(service, agent.id, restoring, purging);
      expect([restored.status, await open()]).toEqual([200, 200]);
    } else {
      const [count, refused] = await meet(service, agent.id, purging, restoring);
      expect([count, refused.json.code, await open()]).toEqual([1, "revision_files_deleted", 404]);
    }
    await expectQuotaExact(agent);
  },
);

test("five purges and a restore at once leave the quota exact", async () => {
  const agent = await connectAuthor(service);
  const { old, creation } = await replaceFile(agent);
  service.clock.nowMs += 30 * DAY_MS;
  const restoring = act(agent, creation, "restore", { revision_id: old.latest_revision.id });
  await Promise.all([restoring, ...times(5, () => sweepAgedFiles(service.deps))]);
  await expectQuotaExact(agent);
});

/** A creation whose first file was replaced by a second one just now. */
async function replaceFile(agent: TestAgent): Promise<{ old: Json; creation: Json }> {
  // What other tests left to be purged goes first.
  service.clock.nowMs += 31 * DAY_MS;
  await sweepAgedFiles(service.deps);
  const payload = async (filename: string) => {
    const { id } = await uploadReady(service, agent, filename, filename);
    return { title: "Notes", attachments: [{ asset_id: id, label: "Notes" }] };
  };
  const first = await makeCreation(agent, { type: "file", payload: await payload("old.txt") });
  const old = await publish(agent, first);
  const body = { payload: await payload("new.txt"), change_summary: "New file." };
  return { old, creation: await revise(agent, old, body) };
}
