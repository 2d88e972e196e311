import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../shared/ground/times.ts";
import { connectAgent, makeCode, makeCreation, request, speakAs } from "../../../support/agent.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, TEST_START_MS } from "../../../support/service.ts";
import { listActsOn, runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false });

const codeIn = (text: string) => /bse_[0-9A-Z-]+/.exec(text)?.[0] ?? "";

async function redeem(code: string, more: object = {}) {
  const payload = { enrollment_code: code, ...more };
  return await request(service, { method: "POST", url: "/api/v1/agents", payload });
}

const actsOn = (agentId: string) => listActsOn(service, agentId);

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

test("codes are issued at most so often a minute by one owner, whatever the address", async () => {
  const strict = await openService({ workers: false, limits: { enrolmentsPerMinute: 4 } });
  const dashboard = await openDashboard(strict);
  const statuses: number[] = [];
  for (let count = 0; count < 5; count++) statuses.push((await dashboard.post("/console/codes")).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
});
