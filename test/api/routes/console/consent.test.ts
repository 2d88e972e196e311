import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { addClient } from "../../../../shared/identity/oauth/clients.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { connectAgent, request, speakAs } from "../../../support/agent.ts";
import {
  allowAll,
  askConsent,
  connectClient,
  exchange,
  REDIRECT,
  readAnswer,
  refresh,
  registerTestClient,
} from "../../../support/oauth.ts";
import { csrfIn, openDashboard, sendForm } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { readAttribute, readPage } from "../../pages/dom.ts";

const service = await openService({ workers: false });
const owner = await openDashboard(service, "Nora");
const stranger = await openDashboard(service);
const agent = await connectAgent(service, { ownerId: owner.ownerId });
const clientId = await registerTestClient(service);

const ISSUER = "http://localhost:3000";
const countGrants = async () => (await runSql(service, "SELECT count(*)::int AS n FROM oauth_grants"))[0].n;

test("the page names the program, the hosts and what is asked for, to nobody's frame", async () => {
  const { url } = askConsent(clientId, { scope: "creations:read creations:publish offline_access nonsense" });
  const page = await owner.get(url);
  expect(page.status).toBe(200);
  expect(page.text).toContain("<bdi>Test Program</bdi>");
  expect(page.text).toContain("<bdi>app.example.org</bdi>");
  expect(page.text).toContain("nothing proves it");
  expect(page.text.match(/name="may-[^"]+"/g)).toEqual([
    'name="may-creations:read"',
    'name="may-creations:publish"',
  ]);
  expect(page.text).toContain(`@${agent.handle}`);
  const { "content-security-policy": policy, ...headers } = page.headers;
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/form-action|script-src/);
  expect(headers).toMatchObject({ "referrer-policy": "same-origin", "cache-control": "no-store" });
  expect(headers["cross-origin-opener-policy"]).toBe("unsafe-none");
});

test.each([
  ["no client", { client_id: null }],
  ["a client that nobody knows", { client_id: "01M7WTZ900ZT61DVV9HAWP9BWP" }],
  ["another redirect address", { redirect_uri: "https://app.example.org/callback/more" }],
  ["a redirect address with another query", { redirect_uri: `${REDIRECT}?a=b` }],
  ["a redirect address that a script runs", { redirect_uri: "javascript:alert(1)" }],
  ["a redirect address with credentials", { redirect_uri: "https://app.example.org@evil.example/callback" }],
])("with %s nothing is sent anywhere", async (_, more) => {
  const { url } = askConsent(clientId, more);
  for (const reply of [await owner.get(url), await owner.post(url, allowAll(agent.id))]) {
    expect([reply.status, reply.headers.location]).toEqual([400, undefined]);
    expect(reply.text).toContain("Nothing was allowed");
  }
});

test.each([
  ["no challenge", { code_challenge: null }, "invalid_request"],
  ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
  ["no method of the challenge", { code_challenge_method: null }, "invalid_request"],
  ["a challenge of another length", { code_challenge: "abc" }, "invalid_request"],
  ["another response", { response_type: "token" }, "unsupported_response_type"],
  ["another way of the response", { response_mode: "fragment" }, "invalid_request"],
  ["another site's resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
])(
  "with %s the client hears of it, with state and iss, by itself only where an operator entered it",
  async (_, more, error) => {
    const entered = await addClient(service.deps, COMMAND_LINE, {
      name: "Entered",
      redirectUris: [REDIRECT],
    });
    const reply = await owner.get(askConsent(entered.client_id, more).url);
    expect(reply.status).toBe(303);
    expect(reply.headers.location?.toString().startsWith(`${REDIRECT}?`)).toBe(true);
    expect(readAnswer(reply)).toMatchObject({ error, state: "a-state", iss: ISSUER });
    const page = await owner.get(askConsent(clientId, more).url);
    expect([page.status, page.headers.location]).toEqual([400, undefined]);
    const link = readPage(page.text).all("a", "rel", "noreferrer")[0];
    expect(link && readAttribute(link, "href")).toBe(reply.headers.location);
  },
);

test("a parameter that is sent twice is told to the client by a link", async () => {
  const { url } = askConsent(clientId);
  expect((await owner.get(`${url}&scope=a&scope=b`)).text).toContain(`${REDIRECT}?error=invalid_request`);
  expect((await owner.get(`${url}&client_id=${clientId}`)).status).toBe(400);
});

test("a client that registered a redirect address of before, which nobody may name now, gets no answer there", async () => {
  const old = await registerTestClient(service);
  await runSql(service, "UPDATE oauth_clients SET redirect_uris = '{ms-msdt:/id}' WHERE id = $1", [old]);
  const reply = await owner.get(askConsent(old, { redirect_uri: null }).url);
  expect([reply.status, reply.text.includes("ms-msdt")]).toEqual([400, false]);
});

test.each(["", "/mcp", "/mcp/agent", "/", "/mcp/", "/mcp/agent/"])(
  "the resource %j of this site is taken",
  async (path) => {
    expect((await owner.get(askConsent(clientId, { resource: `${ISSUER}${path}` }).url)).status).toBe(200);
  },
);

test("a refusal is told to the client, with state and iss, and makes nothing", async () => {
  const before = await countGrants();
  const { url } = askConsent(clientId, { state: "x y&z" });
  expect(readAnswer(await owner.post(url, { decision: "refuse" }))).toEqual({
    error: "access_denied",
    error_description: "The owner refused.",
    state: "x y&z",
    iss: ISSUER,
  });
  expect(await countGrants()).toBe(before);
});

test("a form from elsewhere, without the session's token, or without a session allows nothing", async () => {
  const before = await countGrants();
  const { url } = askConsent(clientId);
  const fields = allowAll(agent.id);
  const csrf = csrfIn(await owner.get("/console"));
  const { cookie } = owner;
  const tries = [
    await sendForm(service, url, { ...fields, csrf }, { cookie, origin: "https://evil.example" }),
    await sendForm(service, url, { ...fields, csrf }, { cookie, origin: "null" }),
    await sendForm(service, url, { ...fields, csrf }, { cookie, "sec-fetch-site": "cross-site" }),
    await sendForm(service, url, { ...fields, csrf: csrfIn(await stranger.get("/console")) }, { cookie }),
    await sendForm(service, url, fields, { cookie }),
    await sendForm(service, url, { ...fields, csrf }, {}),
  ];
  expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 401]);
  expect(tries.map(({ headers }) => headers.location)).toEqual(tries.map(() => undefined));
  expect(await countGrants()).toBe(before);
});

test("another owner's agent, an agent that is paused and none at all cannot be chosen", async () => {
  const paused = await connectAgent(service, { ownerId: owner.ownerId });
  await owner.post(`/console/agents/${paused.id}/pause`);
  const { url } = askConsent(clientId);
  expect((await owner.get(url)).text).not.toContain(paused.handle);
  const before = await countGrants();
  expect((await stranger.post(url, allowAll(agent.id))).status).toBe(404);
  expect((await owner.post(url, allowAll(paused.id))).status).toBe(404);
  expect((await owner.post(url, allowAll(""))).status).toBe(422);
  expect((await owner.post(url, { decision: "allow", agent: agent.id, days: "90" })).status).toBe(422);
  expect((await owner.post(url, allowAll(agent.id, { days: "91" }))).status).toBe(422);
  expect(await countGrants()).toBe(before);
});

test("the owner narrows what a program asks for, and can give nothing that it did not ask for", async () => {
  const asked = askConsent(clientId, { scope: "agent:read creations:read" });
  const fields = allowAll(agent.id, { "may-creations:read": "" });
  const { code = "" } = readAnswer(await owner.post(asked.url, fields));
  const { access_token: token, scope } = (await exchange(service, asked, code)).json;
  expect(scope).toBe("agent:read");
  const program = speakAs(service, { ...agent, token });
  expect((await program.get("/agent")).status).toBe(200);
  expect((await program.get("/creations")).json.code).toBe("missing_ability");
});

test("a new agent is made on the page: claimed, active, with the rules of a handle and counted", async () => {
  const asked = askConsent(clientId);
  const make = (handle: string, more = {}) =>
    owner.post(asked.url, allowAll("new", { handle, display_name: "New Tide", ...more }));
  for (const [handle, words] of [
    ["", "The handle must be 3 to 30"],
    ["Admin!", "The handle must be 3 to 30"],
    ["admin", "admin is reserved"],
    [agent.handle, "is taken"],
  ] as const) {
    const refused = await make(handle);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(words);
    expect(refused.text).toContain('value="New Tide"');
  }
  expect((await make("name-fault", { display_name: "a\u202eb" })).text).toContain("bidirectional control");
  expect((await make("name-fault", { display_name: agent.token })).text).toContain("The display_name holds");
  const { code = "" } = readAnswer(await make("made-by-consent"));
  const { access_token: token } = (await exchange(service, asked, code)).json;
  const { data } = (await speakAs(service, { ...agent, token }).get("/agent")).json;
  expect(data).toMatchObject({ handle: "made-by-consent", display_name: "New Tide", status: "active" });
  expect(data.claim_status).toBe("claimed");
  await runSql(service, `UPDATE owners SET own_limits = '{"agentsPerOwner": 3}' WHERE id = $1`, [
    owner.ownerId,
  ]);
  const full = await owner.post(askConsent(clientId).url, allowAll("new", { handle: "one-too-many" }));
  expect(full.status).toBe(409);
  expect(full.text).toContain("as many agents as an account may have");
  await runSql(service, "UPDATE owners SET own_limits = NULL WHERE id = $1", [owner.ownerId]);
});

test("the eleventh connection of an agent is not made before the owner ends one, on the same page", async () => {
  const own = await connectAgent(service, { ownerId: owner.ownerId });
  for (let made = 0; made < 10; made++) await connectClient(service, owner, own.id);
  const { url } = askConsent(clientId);
  const full = await owner.post(url, allowAll(own.id));
  expect([full.status, full.headers.location]).toEqual([409, undefined]);
  expect(full.text).toContain(`@${own.handle} has 10 connections`);
  const grants = [...full.text.matchAll(/name="grant" value="(\w+)"/g)].map(([, id]) => id ?? "");
  expect(grants).toHaveLength(10);
  const grant = grants[0] ?? "";
  expect((await stranger.post(url, { decision: "end", grant })).status).toBe(404);
  const ended = await owner.post(url, { decision: "end", grant });
  expect([ended.status, ended.headers.location]).toEqual([303, url]);
  expect(readAnswer(await owner.post(url, allowAll(own.id))).code).toMatch(/^[\w-]{43}$/);
});

test("the owner sees the connections of an agent and ends one: the next request is refused everywhere", async () => {
  const own = await connectAgent(service, { ownerId: owner.ownerId });
  const { access, refresh: secret, clientId: id } = await connectClient(service, owner, own.id);
  const program = speakAs(service, { ...own, token: access });
  expect((await program.get("/agent")).status).toBe(200);
  const page = await owner.get(`/console/agents/${own.id}`);
  expect(page.text).toContain(">1 connection<");
  const action = /action="([^"]+\/connections\/\w+\/end)"/.exec(page.text)?.[1] ?? "";
  expect((await stranger.post(action)).status).toBe(404);
  expect((await owner.post(action)).status).toBe(303);
  expect((await program.get("/agent")).status).toBe(401);
  const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = { authorization: `Bearer ${access}`, accept: "application/json, text/event-stream" };
  const tool = await request(service, { method: "POST", url: "/mcp/agent", headers, payload: call });
  expect(tool.status).toBe(401);
  expect((await refresh(service, id, secret)).status).toBe(400);
  expect((await owner.get(`/console/agents/${own.id}`)).text).toContain("No program is connected");
  const acts = await runSql(
    service,
    "SELECT actor_kind, action FROM audit_log WHERE agent_id = $1 ORDER BY id",
    [own.id],
  );
  expect(acts.slice(-3)).toEqual([
    { actor_kind: "owner", action: "grant.allow" },
    { actor_kind: "agent", action: "grant.connect" },
    { actor_kind: "owner", action: "grant.end" },
  ]);
  await sequenceEvents(service.deps);
  const told = (await own.get("/events?per_page=100")).json.data;
  const { type, data } = told.at(-1);
  expect([type, data.by, access.startsWith(data.token_prefix)]).toEqual(["token.revoked", "owner", true]);
});
