import { expect, test } from "vitest";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { connectAgent, makeCreation, speakAs, type TestAgent } from "../../../support/agent.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { listActsOn, runSql } from "../../../support/tables.ts";
import { meet } from "../../rules/racing.ts";

const service = await openService({ workers: false });

async function connect(dashboard: OwnerDashboard): Promise<TestAgent> {
  return await connectAgent(service, { ownerId: dashboard.ownerId });
}

const actsOn = (agentId: string) => listActsOn(service, agentId);

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
