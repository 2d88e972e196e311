import { expect, test } from "vitest";
import { DAY_MS } from "../../../../shared/ground/times.ts";
import { makeAccessToken, makeEnrollmentCode } from "../../../../shared/identity/credentials/tokens.ts";
import { findOwnerById } from "../../../../sql/identity/owners.ts";
import { connectAgent, makeCode, makeOwner, request } from "../../../support/agent.ts";
import { mailsTo } from "../../../support/mail-folder.ts";
import { openDashboard, signInAgain } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false });

const revoke = async (payload: unknown, headers: Record<string, string> = {}) =>
  await request(service, {
    method: "POST",
    url: "/api/v1/tokens/revoke",
    headers: { "content-type": "application/json", ...headers },
    payload: JSON.stringify(payload),
  });

const redeem = async (code: string) =>
  await request(service, {
    method: "POST",
    url: "/api/v1/agents",
    payload: { enrollment_code: code, handle: `late-${code.slice(-4).toLowerCase()}`, display_name: "Late" },
  });

const emailOf = async (ownerId: string) => (await findOwnerById(service.deps.pool, ownerId))?.email ?? "";

test("a token that somebody found is ended before the answer, with the text around it and for every caller", async () => {
  const agent = await connectAgent(service);
  const other = await connectAgent(service);
  expect((await agent.get("/agent")).status).toBe(200);
  const reply = await revoke(
    { credentials: [`export TOKEN=${agent.token};`, "nothing", agent.token] },
    { authorization: `Bearer ${other.token}` },
  );
  expect([reply.status, reply.json]).toEqual([202, { data: { received: 3 } }]);
  expect((await agent.get("/agent")).json.code).toBe("unauthenticated");
  expect((await other.get("/agent")).status).toBe(200);
  const email = await emailOf(agent.ownerId);
  await until(async () => (await mailsTo(service, email)).length === 1, 10_000);
  const [mail = ""] = await mailsTo(service, email);
  expect(mail).toContain(`does not work any more: the access token ${agent.token.slice(0, 8)}`);
  expect(mail).not.toContain(agent.token);
  expect(mail).toContain(`@${agent.handle}`);
  const acts =
    "SELECT actor_kind, action, detail FROM audit_log WHERE agent_id = $1 AND action = 'token.leaked'";
  expect(await runSql(service, acts, [agent.id])).toEqual([
    { actor_kind: "service", action: "token.leaked", detail: { prefix: agent.token.slice(0, 8) } },
  ]);
});

test("the owner reads of it on the page of the agent for thirty days", async () => {
  const dashboard = await openDashboard(service);
  const agent = await connectAgent(service, { ownerId: dashboard.ownerId });
  const page = async () => (await dashboard.get(`/console/agents/${agent.id}`)).text;
  expect(await page()).not.toContain("reported it as leaked");
  await revoke({ credentials: [agent.token] });
  const told = await page();
  expect(told).toContain(`<code>${agent.token.slice(0, 8)}…</code> and reported it as leaked`);
  expect(told).not.toContain(agent.token);
  expect(told).toContain(`href="/console/audit?agent=${agent.id}"`);
  service.clock.nowMs += 31 * DAY_MS;
  const renewed = await signInAgain(service, dashboard);
  expect((await renewed.get(`/console/agents/${agent.id}`)).text).not.toContain("reported it as leaked");
});

test("a token is found whatever breaks it: a backslash, blanks, line ends, marks that nobody sees", async () => {
  const breaks: ((token: string) => string)[] = [
    (token) => `key: ${token.replace("_", "\\_")}`,
    (token) => `${token.slice(0, 4)}\\${token.slice(4)}.`,
    (token) => `Bearer ${token.slice(0, 20)}\n    ${token.slice(20)} and more`,
    (token) => [...token].join(" "),
    (token) => `${token.slice(0, 30)}\u200b${token.slice(30)}`,
  ];
  for (const [at, breakUp] of breaks.entries()) {
    const agent = await connectAgent(service);
    expect((await revoke({ credentials: [breakUp(agent.token)] })).status).toBe(202);
    expect([at, (await agent.get("/agent")).status]).toEqual([at, 401]);
  }
});

test("a code is ended however it is typed, and reveals nothing when it is redeemed", async () => {
  const ownerId = await makeOwner(service);
  const code = await makeCode(service, ownerId);
  const typed = code.toLowerCase().replace("_", "\\_").replaceAll("-", " ");
  expect((await revoke({ credentials: [`the code: ${typed}`] })).status).toBe(202);
  expect((await redeem(code)).json.code).toBe("enrollment_revoked");
  const email = await emailOf(ownerId);
  await until(async () => (await mailsTo(service, email)).length === 1, 10_000);
});

test("the answer is the same whether anything worked, ended before, or never was", async () => {
  const agent = await connectAgent(service);
  const answers = [];
  for (const text of [agent.token, agent.token, makeAccessToken(), makeEnrollmentCode(), "bst_", ""]) {
    const { status, text: body, headers } = await revoke({ credentials: [text] });
    const { date: _, "x-request-id": __, ratelimit: ___, ...shown } = headers;
    answers.push({ status, body, shown });
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test("a thousand credentials are taken at once, and every working one of them is ended", async () => {
  const agents = await Promise.all(Array.from({ length: 8 }, () => connectAgent(service)));
  const credentials = Array.from({ length: 1_000 }, (_, n) =>
    n % 125 === 0 ? (agents[n / 125]?.token ?? "") : makeAccessToken(),
  );
  expect((await revoke({ credentials })).json).toEqual({ data: { received: 1_000 } });
  for (const agent of agents) expect((await agent.get("/agent")).status).toBe(401);
});

test("ten requests about the same tokens at once end each one time", async () => {
  const agents = await Promise.all(Array.from({ length: 5 }, () => connectAgent(service)));
  const tokens = agents.map(({ token }) => token);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) => revoke({ credentials: n % 2 ? tokens : tokens.toReversed() })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(202));
  for (const { ownerId } of agents) {
    const email = await emailOf(ownerId);
    await until(async () => (await mailsTo(service, email)).length === 1, 10_000);
  }
});

test.each([
  [{}, "credentials"],
  [{ credentials: "bst_x" }, "credentials"],
  [{ credentials: [] }, "credentials"],
  [{ credentials: Array(1_001).fill("x") }, "credentials"],
  [{ credentials: ["x", 5] }, "credentials.1"],
  [{ credential: ["x"] }, "credential"],
])("%j is refused on %s", async (body, field) => {
  const reply = await revoke(body);
  expect([reply.status, reply.json.code]).toEqual([422, "validation_failed"]);
  expect(Object.keys(reply.json.errors)).toContain(field);
});

test("a body over 64 KiB is refused, and an address has its requests an hour", async () => {
  expect((await revoke({ credentials: ["x".repeat(65_536)] })).status).toBe(413);
  const strict = await openService({ workers: false, limits: { revocationsPerHour: 2 } });
  const ask = async () =>
    await request(strict, { method: "POST", url: "/api/v1/tokens/revoke", payload: { credentials: ["x"] } });
  expect((await ask()).headers["ratelimit-policy"]).toBe('"revocations";q=2;w=3600');
  await ask();
  const refused = await ask();
  expect([refused.status, refused.json.code]).toEqual([429, "rate_limited"]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3_000);
});
