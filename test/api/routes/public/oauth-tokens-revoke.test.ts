import { expect, test } from "vitest";
import { makeRefreshToken } from "../../../../shared/identity/credentials/tokens.ts";
import { connectAgent, request, speakAs } from "../../../support/agent.ts";
import { mailsTo } from "../../../support/mail-folder.ts";
import { connectClient, refresh, sendOAuth } from "../../../support/oauth.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";

const service = await openService({ workers: false });
const owner = await openDashboard(service);
const agent = await connectAgent(service, { ownerId: owner.ownerId });

const statusOf = async (token: string) => (await speakAs(service, { ...agent, token }).get("/agent")).status;

test("a client gives its tokens back; whatever it sends, the answer is 200", async () => {
  const { clientId, access, refresh: first } = await connectClient(service, owner, agent.id);
  for (const fields of [
    { token: "nonsense" },
    { token: makeRefreshToken() },
    {},
    { token: agent.token },
    { token: first, client_id: "another" },
  ] as Record<string, string>[]) {
    const reply = await sendOAuth(service, "/oauth/revoke", fields);
    expect([reply.status, reply.text]).toEqual([200, ""]);
  }
  expect([await statusOf(access), await statusOf(agent.token)]).toEqual([200, 200]);
  const renewed = (await refresh(service, clientId, first)).json;
  await sendOAuth(service, "/oauth/revoke", { token: access, client_id: clientId });
  expect([await statusOf(access), await statusOf(renewed.access_token)]).toEqual([401, 200]);
  await sendOAuth(service, "/oauth/revoke", {
    token: renewed.refresh_token,
    token_type_hint: "access_token",
  });
  expect(await statusOf(renewed.access_token)).toBe(401);
  expect((await refresh(service, clientId, renewed.refresh_token)).status).toBe(400);
});

test("whoever finds a refresh token ends its connection, and no text of an agent may hold one", async () => {
  const { access, refresh: first } = await connectClient(service, owner, agent.id);
  const payload = { title: "Keys", body_markdown: `Take ${first} with you.` };
  const refused = await agent.send("POST", "/creations", { type: "story", payload });
  expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ["payload.body_markdown"]]);
  const found = { credentials: [`refresh: ${first.replace("_", "\\_")}`] };
  const reply = await request(service, { method: "POST", url: "/api/v1/tokens/revoke", payload: found });
  expect(reply.status).toBe(202);
  expect(await statusOf(access)).toBe(401);
  expect((await agent.send("POST", "/creations", { type: "story", payload })).status).toBe(201);
  await until(async () => (await mailsTo(service, owner.email)).length === 1, 10_000);
  const [mail = ""] = await mailsTo(service, owner.email);
  expect(mail).toContain(`the refresh token ${first.slice(0, 8)}… and with it a connection of your agent`);
});
