import { expect, test } from "vitest";
import { withClient } from "../../../../cli/embedded/database.ts";
import { connectAgent, publishFrontPage, publishNew } from "../../../support/agent.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { runSql, setAgentTimestamp } from "../../../support/tables.ts";

const now = new Date(TEST_START_MS);

const service = await openService({ workers: false });
const agent = await connectAgent(service, { handle: "tidewatch" });

test("an agent sees itself, its limits and what is left, with every member there", async () => {
  const fresh = await connectAgent(service, { handle: "fresh-one" });
  const reply = await fresh.get("/agent");
  expect([reply.status, reply.headers.etag]).toEqual([200, '"1"']);
  expect(reply.json.data).toEqual({
    id: fresh.id,
    handle: "fresh-one",
    display_name: "Tide Watch",
    status: "active",
    claim_status: "claimed",
    claimed_at: "2026-11-20T09:00:00Z",
    homepage_status: "none",
    homepage_url: null,
    pause_status: "running",
    paused: false,
    paused_at: null,
    limits: {
      creations: 2000,
      revisions_per_creation: 1000,
      files: 2000,
      storage_bytes: 104857600,
      text_bytes: 200_000_000,
      file_bytes: 10485760,
      reads_per_minute: 1_000_000,
      writes_per_minute: 1_000_000,
      checks_per_minute: 1_000_000,
      publications_per_day: 20,
      updates_per_day: 50,
    },
    usage: { creations: 0, files: 0, storage_bytes: 0, text_bytes: 0 },
    remaining: { publications_today: 20, updates_today: 50, resets_at: "2026-11-21T00:00:00Z" },
    abilities: expect.arrayContaining(["agent:read", "assets:write"]),
    token_expires_at: null,
    last_seen_at: "2026-11-20T09:00:00Z",
    created_at: "2026-11-20T09:00:00Z",
    lock_version: 1,
  });
});

test("status, homepage and pause follow the agent's state", async () => {
  const shown = async () => {
    const { status, homepage_status, homepage_url, paused, pause_status } = (await agent.get("/agent")).json
      .data;
    return { status, homepage_status, homepage_url, paused, pause_status };
  };
  const running = { paused: false, pause_status: "running" };
  expect(await shown()).toEqual({
    status: "active",
    homepage_status: "none",
    homepage_url: null,
    ...running,
  });
  await agent.send("PATCH", "/agent/profile", { display_name: "T" }, { ifMatch: 1 });
  expect(await shown()).toMatchObject({ homepage_status: "draft", homepage_url: null });
  await publishFrontPage(agent);
  const homepage_url = "http://localhost:3000/@tidewatch";
  expect(await shown()).toMatchObject({ homepage_status: "published", homepage_url });
  await setAgentTimestamp(service, agent.id, "paused_at", now);
  expect(await shown()).toMatchObject({ status: "paused", paused: true, pause_status: "paused" });
  await setAgentTimestamp(service, agent.id, "paused_at", null);
});

test("a heartbeat answers 204 without a body, moves last_seen_at only, and counts once a minute", async () => {
  const alive = await connectAgent(service);
  const before = (await alive.get("/agent")).json.data;
  service.clock.nowMs = TEST_START_MS + 30_000;
  const first = await alive.send("POST", "/agent/heartbeat", undefined, { key: null });
  expect([first.status, first.text, first.headers["cache-control"]]).toEqual([204, "", "no-store"]);
  const after = (await alive.get("/agent")).json.data;
  expect(after).toEqual({ ...before, last_seen_at: "2026-11-20T09:00:30Z" });
  service.clock.nowMs = TEST_START_MS + 30_000 + 59_000;
  const second = await alive.send("POST", "/agent/heartbeat", undefined);
  expect([second.status, second.json.code, second.headers["retry-after"]]).toEqual([
    429,
    "rate_limited",
    "1",
  ]);
  expect((await alive.get("/agent")).json.data.last_seen_at).toBe("2026-11-20T09:00:30Z");
  service.clock.nowMs = TEST_START_MS + 90_000;
  expect((await alive.send("POST", "/agent/heartbeat", undefined)).status).toBe(204);
  service.clock.nowMs = TEST_START_MS;
});

test("of ten heartbeats at once one counts", async () => {
  const alive = await connectAgent(service);
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => alive.send("POST", "/agent/heartbeat", undefined)),
  );
  expect(replies.map((reply) => reply.status).sort()).toEqual([204, ...Array.from({ length: 9 }, () => 429)]);
});

test("a heartbeat is not held up by a write that holds the agent", async () => {
  const alive = await connectAgent(service);
  const reply = await withClient(service.databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT id FROM agents WHERE id = $1 FOR NO KEY UPDATE", [alive.id]);
    return await alive.send("POST", "/agent/heartbeat", undefined);
  });
  expect(reply.status).toBe(204);
});

test("one counter serves agent and profile: both ETags move with a profile's save and publication only", async () => {
  const counted = await connectAgent(service);
  const etags = async () => [
    (await counted.get("/agent")).headers.etag,
    (await counted.get("/agent/profile")).headers.etag,
  ];
  expect(await etags()).toEqual(['"1"', '"1"']);
  await publishFrontPage(counted);
  expect(await etags()).toEqual(['"3"', '"3"']);
  await publishNew(counted);
  await counted.send("POST", "/agent/heartbeat", undefined);
  expect(await etags()).toEqual(['"3"', '"3"']);
});

test("a token that expired or was revoked is 401 at that moment", async () => {
  const brief = await connectAgent(service);
  const set = (column: string, moment: Date | null) =>
    runSql(service, `UPDATE tokens SET ${column} = $2 WHERE agent_id = $1`, [brief.id, moment]);
  await set("expires_at", new Date(TEST_START_MS + 1000));
  expect((await brief.get("/agent")).json.data.token_expires_at).toBe("2026-11-20T09:00:01Z");
  service.clock.nowMs = TEST_START_MS + 1000;
  expect((await brief.get("/agent")).status).toBe(401);
  service.clock.nowMs = TEST_START_MS;
  await set("expires_at", null);
  await set("revoked_at", now);
  expect((await brief.get("/agent")).status).toBe(401);
});
