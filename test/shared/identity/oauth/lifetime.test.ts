import { expect, test } from "vitest";
import { withClient } from "../../../../cli/embedded/database.ts";
import { sweepExpiredRows } from "../../../../shared/care/sweeps.ts";
import { DAY_MS, HOUR_MS } from "../../../../shared/ground/times.ts";
import { voidCredentials } from "../../../../sql/care/void-credentials.ts";
import { connectAgent, type Json, speakAs } from "../../../support/agent.ts";
import {
  allowAll,
  askConsent,
  connectClient,
  exchange,
  readAnswer,
  refresh,
  registerTestClient,
} from "../../../support/oauth.ts";
import { type OwnerDashboard, openDashboard, signInAgain } from "../../../support/owner-dashboard.ts";
import { runBeside } from "../../../support/run-here.ts";
import { openService } from "../../../support/service.ts";
import { dumpTables, runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false });
let owner: OwnerDashboard = await openDashboard(service);
const agent = await connectAgent(service, { ownerId: owner.ownerId });

const statusOf = async (token: string) => (await speakAs(service, { ...agent, token }).get("/agent")).status;

test("no table holds a secret, and so no backup does", async () => {
  const asked = askConsent(await registerTestClient(service));
  const { code = "" } = readAnswer(await owner.post(asked.url, allowAll(agent.id)));
  const first = (await exchange(service, asked, code)).json;
  const next = (await refresh(service, asked.clientId, first.refresh_token)).json;
  const dump = await dumpTables(service);
  for (const { access_token, refresh_token } of [first, next]) {
    expect(dump).not.toContain(access_token.slice(4));
    expect(dump).not.toContain(refresh_token.slice(4));
  }
  for (const secret of [code, asked.verifier]) expect(dump).not.toContain(secret);
});

test("what a connection leaves is swept: its tokens a day after their end, itself once it has none", async () => {
  const { clientId, access, refresh: secret } = await connectClient(service, owner, agent.id);
  const count = async () =>
    (
      await runSql(
        service,
        `SELECT (SELECT count(*)::int FROM oauth_codes c JOIN oauth_grants g ON g.id = c.grant_id WHERE g.client_id = $1) AS codes,
           (SELECT count(*)::int FROM tokens t JOIN oauth_grants g ON g.id = t.grant_id WHERE g.client_id = $1) AS tokens,
           (SELECT count(*)::int FROM oauth_refresh_tokens r JOIN oauth_grants g ON g.id = r.grant_id WHERE g.client_id = $1) AS refresh,
           (SELECT count(*)::int FROM oauth_grants WHERE client_id = $1) AS grants`,
        [clientId],
      )
    )[0];
  expect(await statusOf(access)).toBe(200);
  service.clock.nowMs += HOUR_MS;
  const next = (await refresh(service, clientId, secret)).json;
  service.clock.nowMs += DAY_MS - 1;
  await sweepExpiredRows(service.deps);
  expect(await count()).toEqual({ codes: 0, tokens: 2, refresh: 2, grants: 1 });
  service.clock.nowMs += 1;
  await sweepExpiredRows(service.deps);
  expect(await count()).toEqual({ codes: 0, tokens: 1, refresh: 2, grants: 1 });
  service.clock.nowMs += 29 * DAY_MS;
  owner = await signInAgain(service, owner);
  await sweepExpiredRows(service.deps);
  expect(await count()).toEqual({ codes: 0, tokens: 0, refresh: 1, grants: 1 });
  expect((await refresh(service, clientId, next.refresh_token)).status).toBe(200);
  service.clock.nowMs += 62 * DAY_MS;
  await sweepExpiredRows(service.deps);
  expect(await count()).toEqual({ codes: 0, tokens: 0, refresh: 0, grants: 0 });
  owner = await signInAgain(service, owner);
});

test("a consent that nobody exchanges is no connection a minute later, and gone a day later", async () => {
  const own = await connectAgent(service, { ownerId: owner.ownerId });
  const { url } = askConsent(await registerTestClient(service));
  await owner.post(url, allowAll(own.id));
  const listed = async () => (await owner.get(`/console/agents/${own.id}`)).text.includes("Test Program");
  expect(await listed()).toBe(true);
  service.clock.nowMs += 60_000;
  expect(await listed()).toBe(false);
  service.clock.nowMs += DAY_MS;
  await sweepExpiredRows(service.deps);
  expect(await runSql(service, "SELECT 1 FROM oauth_grants WHERE agent_id = $1", [own.id])).toEqual([]);
});

test("operators enter a client, list connections and end one", async () => {
  const cli = (...args: string[]) => runBeside(service, args);
  const redirects = ["https://bot.example.org/callback", "http://localhost/callback"];
  const added = await cli(
    "client",
    "add",
    "--name",
    "House Bot",
    ...redirects.flatMap((uri) => ["--redirect", uri]),
  );
  const { client_id } = added.json() as Json;
  expect(added.json()).toEqual({ client_id, name: "House Bot", redirect_uris: redirects });
  const page = await owner.get(askConsent(client_id, { redirect_uri: redirects[0] ?? "" }).url);
  expect(page.text).toContain("The operators of this site entered it.");
  const wrong = await cli("client", "add", "--name", "x", "--redirect", "javascript:alert(1)");
  expect(Object.keys(JSON.parse(wrong.stderr).error.errors)).toEqual(["redirect"]);
  const { access } = await connectClient(service, owner, agent.id, { days: "never" });
  const { grants } = (await cli("grant", "list", "--agent", agent.handle)).json() as Json;
  expect(grants[0]).toMatchObject({
    client: "Test Program",
    redirect_host: "app.example.org",
    expires_at: null,
  });
  const ended = (await cli("grant", "revoke", "--grant", grants[0].grant_id)).json();
  expect(ended).toMatchObject({ grant_id: grants[0].grant_id, agent_id: agent.id });
  expect(await statusOf(access)).toBe(401);
  expect(JSON.parse((await cli("grant", "revoke", "--grant", grants[0].grant_id)).stderr).error.code).toBe(
    "not_found",
  );
});

test("a new code for an agent ends what it enrolled with, and leaves its connections", async () => {
  const { access } = await connectClient(service, owner, agent.id);
  const page = await owner.post(`/console/agents/${agent.id}/codes`);
  const code = /bse_[0-9A-Z-]+/.exec(page.text)?.[0] ?? "";
  const payload = { enrollment_code: code };
  expect((await service.app.inject({ method: "POST", url: "/api/v1/agents", payload })).statusCode).toBe(201);
  expect([await statusOf(agent.token), await statusOf(access)]).toEqual([401, 200]);
});

test("a restore ends every connection, and so does the end of the account", async () => {
  const leaving = await openDashboard(service);
  const own = await connectAgent(service, { ownerId: leaving.ownerId });
  const gone = await connectClient(service, leaving, own.id);
  await leaving.post("/console/leave", { confirm: leaving.email });
  expect((await refresh(service, gone.clientId, gone.refresh)).status).toBe(400);
  const { clientId, access, refresh: secret } = await connectClient(service, owner, agent.id);
  await withClient(service.databaseUrl, (client) => voidCredentials(client, service.clock.nowMs));
  expect(await statusOf(access)).toBe(401);
  expect((await refresh(service, clientId, secret)).status).toBe(400);
  expect(await runSql(service, "SELECT 1 FROM oauth_grants WHERE ended_at IS NULL")).toEqual([]);
});
