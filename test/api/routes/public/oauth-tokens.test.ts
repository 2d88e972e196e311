import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../shared/ground/times.ts";
import { connectAgent, request, speakAs } from "../../../support/agent.ts";
import { mailsTo } from "../../../support/mail-folder.ts";
import {
  allowAll,
  askConsent,
  type Connected,
  connectClient,
  exchange,
  readAnswer,
  refresh,
  registerTestClient,
  sendOAuth,
} from "../../../support/oauth.ts";
import { type OwnerDashboard, openDashboard, signInAgain } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false, limits: { grantsPerAgent: 1000 } });
let owner: OwnerDashboard = await openDashboard(service);
const agent = await connectAgent(service, { ownerId: owner.ownerId });

const statusOf = async (token: string) => (await speakAs(service, { ...agent, token }).get("/agent")).status;

/** A code that an owner just allowed. */
async function allow(more: Record<string, string | null> = {}) {
  const asked = askConsent(await registerTestClient(service), more);
  const { code = "" } = readAnswer(await owner.post(asked.url, allowAll(agent.id)));
  return { asked, code };
}

const errorOf = ({ status, json }: { status: number; json: { error: string } }) => [status, json.error];

test("an exchanged code gives an access token of the usual form and a refresh token, and nobody keeps the answer", async () => {
  const { asked, code } = await allow();
  const reply = await exchange(service, asked, code);
  expect(reply.status).toBe(200);
  expect(reply.headers["cache-control"]).toBe("no-store");
  expect(reply.headers["access-control-allow-origin"]).toBe("*");
  expect(reply.json).toEqual({
    access_token: expect.stringMatching(/^bst_[0-9A-Za-z]{46}$/),
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^bsr_[0-9A-Za-z]{46}$/),
    scope:
      "agent:read profile:write profile:publish creations:read creations:write creations:publish assets:read assets:write",
  });
  expect(await statusOf(reply.json.access_token)).toBe(200);
  const dump = JSON.stringify(await runSql(service, "SELECT * FROM oauth_refresh_tokens"));
  expect(dump).not.toContain(reply.json.refresh_token);
});

test.each([
  ["another verifier", { code_verifier: "v".repeat(43) }, "invalid_grant"],
  ["a short verifier", { code_verifier: "v" }, "invalid_request"],
  ["no verifier", { code_verifier: "" }, "invalid_request"],
  ["another client", { client_id: "01M7WTZ900ZT61DVV9HAWP9BWP" }, "invalid_grant"],
  ["no client", { client_id: "" }, "invalid_request"],
  ["another redirect address", { redirect_uri: "https://app.example.org/other" }, "invalid_grant"],
  ["another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
  ["another grant type", { grant_type: "password" }, "unsupported_grant_type"],
])("with %s a code is refused, and works for its client afterwards", async (_, more, error) => {
  const { asked, code } = await allow();
  expect(errorOf(await exchange(service, asked, code, more))).toEqual([400, error]);
  expect((await exchange(service, asked, code)).status).toBe(200);
});

test("a parameter that is sent twice, and a body that is no form, are refused in OAuth's form", async () => {
  const twice = await sendOAuth(service, "/oauth/token", "grant_type=refresh_token&grant_type=refresh_token");
  expect(errorOf(twice)).toEqual([400, "invalid_request"]);
  const json = await request(service, { method: "POST", url: "/oauth/token", payload: { grant_type: "x" } });
  expect(errorOf(json)).toEqual([400, "invalid_request"]);
  const broken = { "content-type": "application/xml" };
  const other = await sendOAuth(service, "/oauth/token", "<a/>", broken);
  expect(errorOf(other)).toEqual([415, "invalid_request"]);
  expect(other.json.error_description).toBe(json.json.error_description);
  expect(errorOf(await sendOAuth(service, "/oauth/token", { a: "b".repeat(20_000) }))).toEqual([
    413,
    "invalid_request",
  ]);
});

test("a code works for sixty seconds and once; its second use ends what came of the first", async () => {
  const late = await allow();
  service.clock.nowMs += 60_001;
  expect(errorOf(await exchange(service, late.asked, late.code))).toEqual([400, "invalid_grant"]);
  const { asked, code } = await allow();
  service.clock.nowMs += 59_000;
  const first = (await exchange(service, asked, code)).json;
  expect(await statusOf(first.access_token)).toBe(200);
  expect(errorOf(await exchange(service, asked, code))).toEqual([400, "invalid_grant"]);
  expect(await statusOf(first.access_token)).toBe(401);
  expect((await refresh(service, asked.clientId, first.refresh_token)).status).toBe(400);
});

test("an access token lasts an hour, and a refresh replaces both", async () => {
  const { clientId, access, refresh: first } = await connectClient(service, owner, agent.id);
  service.clock.nowMs += HOUR_MS;
  expect(await statusOf(access)).toBe(401);
  const { json } = await refresh(service, clientId, first);
  expect(await statusOf(json.access_token)).toBe(200);
  expect(json.refresh_token).not.toBe(first);
  const third = await refresh(service, clientId, json.refresh_token, { scope: "agent:read nonsense" });
  expect(third.json.scope).toBe("agent:read");
  const foreign = await refresh(service, "01M7WTZ900ZT61DVV9HAWP9BWP", third.json.refresh_token);
  expect(errorOf(foreign)).toEqual([400, "invalid_grant"]);
  expect((await refresh(service, clientId, third.json.refresh_token)).status).toBe(200);
});

test("a refresh that asks for more than was granted gets what was, and one for nothing of it is refused", async () => {
  const { clientId, refresh: first } = await connectClient(service, owner, agent.id, {
    "may-creations:write": "",
  });
  const none = await refresh(service, clientId, first, { scope: "creations:write" });
  expect(errorOf(none)).toEqual([400, "invalid_scope"]);
  const more = await refresh(service, clientId, first, { scope: "creations:read creations:write" });
  expect([more.status, more.json.scope]).toEqual([200, "creations:read"]);
});

test("a lost answer is asked for once more within a minute, and tells the same tokens", async () => {
  const { clientId, refresh: first } = await connectClient(service, owner, agent.id);
  const lost = (await refresh(service, clientId, first)).json;
  service.clock.nowMs += 59_000;
  const again = await refresh(service, clientId, first);
  expect([again.status, again.json]).toEqual([200, { ...lost, expires_in: 3541 }]);
  expect((await refresh(service, clientId, lost.refresh_token)).status).toBe(200);
});

const REUSES: [string, (connected: Connected, successor: string) => Promise<unknown>][] = [
  ["after a minute", async () => (service.clock.nowMs += 60_000)],
  ["once its successor was used", ({ clientId }, successor) => refresh(service, clientId, successor)],
  ["a third time", ({ clientId, refresh: first }) => refresh(service, clientId, first)],
];
test.each(REUSES)(
  "a replaced refresh token that is used %s ends the connection and tells the owner",
  async (_, before) => {
    const connected = await connectClient(service, owner, agent.id);
    const { clientId, refresh: first } = connected;
    const next = (await refresh(service, clientId, first)).json;
    await before(connected, next.refresh_token);
    const mailed = (await mailsTo(service, owner.email)).length;
    expect(errorOf(await refresh(service, clientId, first))).toEqual([400, "invalid_grant"]);
    expect([await statusOf(next.access_token), await statusOf(connected.access)]).toEqual([401, 401]);
    expect((await refresh(service, clientId, next.refresh_token)).status).toBe(400);
    await until(async () => (await mailsTo(service, owner.email)).length === mailed + 1, 10_000);
    const [mail = ""] = (await mailsTo(service, owner.email)).slice(-1);
    expect(mail).toContain(`@${agent.handle}`);
    expect(mail).not.toContain(first);
    const acts = await runSql(
      service,
      "SELECT actor_kind, action, detail FROM audit_log WHERE agent_id = $1 ORDER BY id DESC LIMIT 2",
      [agent.id],
    );
    expect(acts).toEqual([
      { actor_kind: "service", action: "token.leaked", detail: { prefix: first.slice(0, 8) } },
      { actor_kind: "service", action: "grant.end", detail: { client: "Test Program" } },
    ]);
  },
);

test("two refreshes at once end with one successor", async () => {
  const { clientId, refresh: first } = await connectClient(service, owner, agent.id);
  const replies = await Promise.all([refresh(service, clientId, first), refresh(service, clientId, first)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(replies.map(({ json }) => json.refresh_token)).size).toBe(1);
  expect(new Set(replies.map(({ json }) => json.access_token)).size).toBe(1);
});

test("two exchanges of one code at once leave no token that works", async () => {
  const { asked, code } = await allow();
  const replies = await Promise.all([exchange(service, asked, code), exchange(service, asked, code)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  const won = replies.find(({ status }) => status === 200)?.json;
  expect(await statusOf(won.access_token)).toBe(401);
});

test("a connection ends with its time, and its last access token with it", async () => {
  const { clientId, refresh: first } = await connectClient(service, owner, agent.id, { days: "30" });
  service.clock.nowMs += 30 * DAY_MS - HOUR_MS / 2;
  const last = (await refresh(service, clientId, first)).json;
  expect(last.expires_in).toBe(1800);
  service.clock.nowMs += HOUR_MS / 2;
  expect(await statusOf(last.access_token)).toBe(401);
  expect(errorOf(await refresh(service, clientId, last.refresh_token))).toEqual([400, "invalid_grant"]);
  // The session of the browser has ended too.
  owner = await signInAgain(service, owner);
});

test("a paused agent's connection still reads and is renewed; a suspended or archived agent's is not", async () => {
  const own = await connectAgent(service, { ownerId: owner.ownerId });
  const { clientId, access, refresh: first } = await connectClient(service, owner, own.id);
  await owner.post(`/console/agents/${own.id}/pause`);
  const paused = speakAs(service, { ...own, token: access });
  expect((await paused.get("/agent")).json.data.paused).toBe(true);
  expect(
    (await paused.send("POST", "/creations", { type: "brief", payload: { body_markdown: "x" } })).json.code,
  ).toBe("agent_paused");
  const renewed = (await refresh(service, clientId, first)).json;
  expect(renewed.refresh_token).toMatch(/^bsr_/);
  await runSql(service, "UPDATE agents SET suspended_at = now() WHERE id = $1", [own.id]);
  expect(errorOf(await refresh(service, clientId, renewed.refresh_token))).toEqual([400, "invalid_grant"]);
  await runSql(service, "UPDATE agents SET suspended_at = NULL WHERE id = $1", [own.id]);
  const again = (await refresh(service, clientId, renewed.refresh_token)).json;
  await owner.post(`/console/agents/${own.id}/archive`, { sure: "yes" });
  expect(errorOf(await refresh(service, clientId, again.refresh_token))).toEqual([400, "invalid_grant"]);
});

test("a token of a connection cannot be rotated and does not count towards the five", async () => {
  const own = await connectAgent(service, { ownerId: owner.ownerId });
  const connections = [];
  for (let made = 0; made < 6; made++) connections.push(await connectClient(service, owner, own.id));
  expect((await own.send("POST", "/agent/token/rotate", undefined)).status).toBe(200);
  const token = connections[0]?.access ?? "";
  const refused = await speakAs(service, { ...own, token }).send("POST", "/agent/token/rotate", undefined);
  expect([refused.status, refused.json.code]).toEqual([403, "forbidden"]);
});
