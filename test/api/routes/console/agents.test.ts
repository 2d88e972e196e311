import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../shared/times.ts";
import {
  connectAgent,
  makeCode,
  makeCreation,
  request,
  speakAs,
  type TestAgent,
} from "../../../support/agent.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS, type TestService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { meet } from "../../rules/racing.ts";

let service: TestService;

beforeAll(async () => {
  service = await openService({ workers: false });
});
afterAll(async () => {
  await service.close();
});

const codeIn = (text: string) => /bse_[0-9A-Z-]+/.exec(text)?.[0] ?? "";

async function redeem(code: string, more: object = {}) {
  const payload = { enrollment_code: code, ...more };
  return await request(service, { method: "POST", url: "/api/v1/agents", payload });
}

async function connect(dashboard: OwnerDashboard): Promise<TestAgent> {
  return await connectAgent(service, { ownerId: dashboard.ownerId });
}

async function actsOn(agentId: string): Promise<string[]> {
  const text = "SELECT actor_kind || ' ' || action AS act FROM audit_log WHERE agent_id = $1 ORDER BY id";
  return (await runSql(service, text, [agentId])).map(({ act }) => act);
}

test("a new account reads in words what its lists will hold, and its agent's pages what they lack", async () => {
  const dashboard = await openDashboard(service);
  const agent = await connect(dashboard);
  const nobody = await openDashboard(service);
  const read = async (owner: OwnerDashboard, path: string) =>
    (await owner.get(path)).text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  const first = await read(nobody, "/console");
  expect(first).toContain("You have no agents yet. Issue a code below");
  expect(first).toContain("No code waits for its agent.");
  const account = await read(nobody, "/console/account");
  for (const words of ["no passkey yet", "named no domain yet", "no archive to download"])
    expect(account).toContain(words);
  expect(await read(nobody, "/console/audit?about=creation")).toContain("Nothing was done that fits.");
  const page = await read(dashboard, `/console/agents/${agent.id}`);
  expect(page).toContain("0 of 20 publications and 0 of 50 updates");
  expect(page).toContain("0 bytes of 100 MiB");
  expect(page).toContain("No moderator and no operator has done anything here.");
  expect(await read(dashboard, `/console/agents/${agent.id}/works`)).toContain("Nothing is written yet.");
});

test("a code carries the chosen life and abilities, with instructions to paste, and can be cancelled", async () => {
  const dashboard = await openDashboard(service);
  const fields = {
    handle: "",
    hours: "1",
    choose: "yes",
    "may-agent:read": "yes",
    "may-creations:read": "yes",
  };
  const page = await dashboard.post("/console/codes", fields);
  const code = codeIn(page.text);
  expect(page.text).toContain("http://localhost:3000/skill.md");
  expect(page.text).toContain("Paste this to your agent");
  const enrolled = await redeem(code, { handle: `narrow-${randomUUID().slice(0, 8)}` });
  expect(enrolled.json.data.abilities).toEqual(["agent:read", "creations:read"]);
  const late = codeIn((await dashboard.post("/console/codes", { hours: "1" })).text);
  service.clock.nowMs = TEST_START_MS + HOUR_MS;
  expect((await redeem(late, { handle: "too-late" })).json.code).toBe("enrollment_expired");
  service.clock.nowMs = TEST_START_MS;
  const third = codeIn((await dashboard.post("/console/codes")).text);
  const [row] = await runSql(
    service,
    "SELECT id FROM enrollments WHERE owner_id = $1 ORDER BY id DESC LIMIT 1",
    [dashboard.ownerId],
  );
  expect((await dashboard.post(`/console/codes/${row?.id}/cancel`)).status).toBe(303);
  expect((await redeem(third, { handle: "cancelled" })).json.code).toBe("enrollment_revoked");
  const wrongs: Record<string, string>[] = [
    { hours: "0" },
    { hours: "169" },
    { hours: "x" },
    { choose: "yes" },
  ];
  for (const wrong of wrongs) {
    expect((await dashboard.post("/console/codes", wrong)).status).toBe(422);
  }
});

test("a claim link that has run out is renewed; the one before it is void", async () => {
  const dashboard = await openDashboard(service);
  const enrolled = await redeem(await makeCode(service, dashboard.ownerId), { handle: "late-claim" });
  const { agent, claim_url } = enrolled.json.data;
  const old = new URL(claim_url).pathname;
  service.clock.nowMs = TEST_START_MS + 8 * DAY_MS;
  const page = await dashboard.get(`/console/agents/${agent.id}`);
  expect(page.text).toContain("Until you confirm it, it can do nothing");
  const renewed = await dashboard.post(`/console/agents/${agent.id}/claim-link`);
  const path = String(renewed.headers.location);
  expect(path).toMatch(/^\/claim\/[\w-]{43}$/);
  expect((await dashboard.get(old)).status).toBe(404);
  expect((await dashboard.get(path)).text).toContain("@late-claim");
  expect((await dashboard.post(path)).headers.location).toBe("/console");
  expect((await dashboard.post(`/console/agents/${agent.id}/claim-link`)).status).toBe(422);
  expect(await actsOn(agent.id)).toEqual([
    "agent enrollment.redeem",
    "owner agent.renew_claim",
    "owner agent.claim",
  ]);
  service.clock.nowMs = TEST_START_MS;
});

test("an agent whose first answer was lost gets a new code for its handle; the new token replaces the lost one", async () => {
  const dashboard = await openDashboard(service);
  const code = await makeCode(service, dashboard.ownerId);
  const lost = (await redeem(code, { handle: "lost-answer" })).json.data;
  expect((await redeem(code, { handle: "lost-answer" })).json.code).toBe("enrollment_consumed");
  const first = codeIn((await dashboard.post(`/console/agents/${lost.agent.id}/codes`)).text);
  const second = codeIn((await dashboard.post(`/console/agents/${lost.agent.id}/codes`)).text);
  expect((await redeem(first)).json.code).toBe("enrollment_revoked");
  expect((await redeem(second, { handle: "another-name" })).json.errors.handle).toBeDefined();
  const found = (await redeem(second)).json.data;
  expect([found.agent.id, found.agent.handle, found.agent.status]).toEqual([
    lost.agent.id,
    "lost-answer",
    "pending_claim",
  ]);
  const as = (token: string) =>
    speakAs(service, { ...lost.agent, ownerId: dashboard.ownerId, token }).get("/agent");
  expect([(await as(lost.token)).status, (await as(found.token)).status]).toEqual([401, 200]);
  expect((await dashboard.get(new URL(lost.claim_url).pathname)).status).toBe(404);
  await dashboard.post(new URL(found.claim_url).pathname);
  expect((await as(found.token)).json.data.status).toBe("active");
});

test("a known agent reconnects with its work, its handle and its narrower abilities", async () => {
  const dashboard = await openDashboard(service);
  const abilities = ["agent:read", "creations:read", "creations:write"];
  const agent = await connectAgent(service, { ownerId: dashboard.ownerId, abilities });
  const draft = await makeCreation(agent);
  const code = codeIn((await dashboard.post(`/console/agents/${agent.id}/codes`, { hours: "72" })).text);
  expect((await agent.get("/agent")).status).toBe(200);
  const { token, abilities: kept } = (await redeem(code)).json.data;
  expect(kept).toEqual(abilities);
  expect((await agent.get("/agent")).status).toBe(401);
  const again = speakAs(service, { ...agent, token });
  expect((await again.get(`/creations/${draft.id}`)).json.data.title).toBe("November surge");
  expect((await again.get("/agent")).json.data.status).toBe("active");
  await dashboard.post(`/console/agents/${agent.id}/archive`, { sure: "yes" });
  const refused = await dashboard.post(`/console/agents/${agent.id}/codes`);
  expect([refused.status, refused.json.code]).toEqual([403, "agent_not_active"]);
});

test("a rotated token ends when the owner said that the one before it ends, and not with its last hour", async () => {
  const dashboard = await openDashboard(service);
  const agent = await connect(dashboard);
  const [{ id }] = await runSql(service, "SELECT id FROM tokens WHERE agent_id = $1", [agent.id]);
  await dashboard.post(`/console/agents/${agent.id}/tokens/${id}/expiry`, { days: "1" });
  const rotate = async () => (await agent.send("POST", "/agent/token/rotate", undefined)).json.data;
  const end = "2026-11-21T09:00:00Z";
  expect(await rotate()).toMatchObject({
    expires_at: end,
    previous_token_expires_at: "2026-11-20T10:00:00Z",
  });
  // Once more with the old token, in the hour that is left to it.
  const { token, expires_at } = await rotate();
  expect(expires_at).toBe(end);
  const newest = speakAs(service, { ...agent, token });
  expect((await newest.get("/agent")).json.data.token_expires_at).toBe(end);
  service.clock.nowMs = TEST_START_MS + DAY_MS;
  expect((await newest.get("/agent")).status).toBe(401);
  service.clock.nowMs = TEST_START_MS;
});

test("tokens are listed with their use, given an end and revoked at once", async () => {
  const dashboard = await openDashboard(service);
  const agent = await connect(dashboard);
  const rotated = (await agent.send("POST", "/agent/token/rotate", undefined)).json.data.token;
  const newer = speakAs(service, { ...agent, token: rotated });
  const page = await dashboard.get(`/console/agents/${agent.id}`);
  expect(page.text).toContain(agent.token.slice(0, 8));
  expect(page.text).not.toContain(agent.token.slice(0, 12));
  expect(page.text).toContain("not used yet");
  await newer.get("/agent");
  expect((await dashboard.get(`/console/agents/${agent.id}`)).text).not.toContain("not used yet");
  const ids = (
    await runSql(service, "SELECT id FROM tokens WHERE agent_id = $1 ORDER BY id", [agent.id])
  ).map(({ id }) => id);
  const path = (n: number, act: string) => `/console/agents/${agent.id}/tokens/${ids[n]}/${act}`;
  await dashboard.post(path(1, "expiry"), { days: "1" });
  expect((await newer.get("/agent")).json.data.token_expires_at).toBe("2026-11-21T09:00:00Z");
  service.clock.nowMs = TEST_START_MS + DAY_MS;
  expect((await newer.get("/agent")).status).toBe(401);
  expect((await dashboard.post(path(1, "expiry"), { days: "7" })).status).toBe(404);
  service.clock.nowMs = TEST_START_MS;
  await dashboard.post(path(1, "expiry"), { days: "never" });
  expect((await newer.get("/agent")).json.data.token_expires_at).toBeNull();
  for (const days of ["0", "366", "1.5", "x", ""]) {
    expect((await dashboard.post(path(1, "expiry"), { days })).status).toBe(422);
  }
  expect((await dashboard.post(path(1, "revoke"))).status).toBe(303);
  expect((await newer.get("/agent")).status).toBe(401);
  expect((await dashboard.post(path(1, "revoke"))).status).toBe(404);
  expect((await agent.get("/agent")).status).toBe(200);
  expect((await dashboard.post(`/console/agents/${agent.id}/tokens/junk/revoke`)).status).toBe(404);
});

test("one click pauses and resumes; a write that was under way when the pause came is refused", async () => {
  const dashboard = await openDashboard(service);
  const agent = await connect(dashboard);
  const draft = await makeCreation(agent);
  const saving = () =>
    agent.send(
      "PATCH",
      `/creations/${draft.id}`,
      { payload: { title: "Late", body_markdown: "x" } },
      { ifMatch: 1 },
    );
  const [paused, refused] = await meet(
    service,
    agent.id,
    () => dashboard.post(`/console/agents/${agent.id}/pause`),
    saving,
  );
  expect([paused.status, refused.json.code]).toEqual([303, "agent_paused"]);
  expect((await dashboard.get("/console")).text).toContain(`Resume @${agent.handle}`);
  await dashboard.post(`/console/agents/${agent.id}/resume`);
  expect((await saving()).status).toBe(200);
});

test("pausing all stops every agent while all of them write: nothing commits after the answer", async () => {
  const dashboard = await openDashboard(service);
  const agents = [await connect(dashboard), await connect(dashboard), await connect(dashboard)];
  const pending = await connectAgent(service, { ownerId: dashboard.ownerId, claimed: false });
  let stopped = false;
  const writers = agents.map(async (agent) => {
    while (!stopped) {
      const reply = await agent.send("POST", "/creations", {
        type: "brief",
        payload: { body_markdown: "The gauge rose." },
      });
      if (reply.status !== 201) return reply.json.code;
    }
  });
  const answer = await dashboard.post("/console/pause-all");
  const counts = () => runSql(service, "SELECT agent_id, count(*)::int FROM creations GROUP BY 1 ORDER BY 1");
  const atAnswer = await counts();
  expect(await Promise.all(writers)).toEqual(["agent_paused", "agent_paused", "agent_paused"]);
  stopped = true;
  expect([answer.status, await counts()]).toEqual([303, atAnswer]);
  expect((await pending.get("/agent")).json.data.status).toBe("pending_claim");
  for (const agent of agents) expect((await actsOn(agent.id)).at(-1)).toBe("owner agent.pause");
});

test("archiving asks first, ends the agent for good and makes room for another", async () => {
  const dashboard = await openDashboard(service);
  const agent = await connect(dashboard);
  const path = `/console/agents/${agent.id}/archive`;
  const unsure = await dashboard.post(path, {}, { accept: "text/html" });
  expect([unsure.status, unsure.text.includes('/console">Your agents')]).toEqual([422, true]);
  expect((await agent.get("/agent")).status).toBe(200);
  expect((await dashboard.post(path, { sure: "yes" })).status).toBe(303);
  expect((await agent.get("/agent")).status).toBe(401);
  const page = await dashboard.get(`/console/agents/${agent.id}`);
  expect([page.text.includes("Archived"), page.text.includes("/pause")]).toEqual([true, false]);
});

test("codes are issued at most so often a minute by one owner, whatever the address", async () => {
  const strict = await openService({ workers: false, limits: { enrolmentsPerMinute: 4 } });
  try {
    const dashboard = await openDashboard(strict);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await dashboard.post("/console/codes")).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  } finally {
    await strict.close();
  }
});
