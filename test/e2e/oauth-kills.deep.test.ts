import pg from "pg";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { endConnection } from "../../shared/identity/oauth/grants.ts";
import type { Json } from "../support/agent.ts";
import { DEEP } from "../support/depth.ts";
import { enrolAgent } from "../support/http-agent.ts";
import { allowDirectly, REDIRECT } from "../support/oauth.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";

// Each moment of a request for tokens is held open by a lock on the table that it writes next, and the process is killed.
const REFRESH = ["oauth_refresh_tokens", "oauth_grants", "tokens"];
const EXCHANGE = ["oauth_codes", "oauth_grants", "tokens", "oauth_refresh_tokens", "audit_log"];
const chosen = (tables: readonly string[]) => (DEEP ? tables : tables.slice(-1));

const service = await openServiceOfRun();
let api = await service.startApi();
const { id } = await enrolAgent(service.deps, api.url, "oauth-kills");
const [{ owner_id }] = await runSql(service, "SELECT owner_id FROM agents WHERE id = $1", [id]);
const agent = { id, ownerId: owner_id };

async function ask(fields: Record<string, string>): Promise<{ status: number; json: Json }> {
  const response = await fetch(`${api.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  return { status: response.status, json: await response.json() };
}

const statusOf = async (token: string) =>
  (await fetch(`${api.url}/api/v1/agent`, { headers: { authorization: `Bearer ${token}` } })).status;

async function allow(): Promise<{ clientId: string; exchange: Record<string, string> }> {
  const { clientId, code, verifier } = await allowDirectly(service.deps, {
    agentId: agent.id,
    ownerId: agent.ownerId,
  });
  const fields = { grant_type: "authorization_code", client_id: clientId, code, redirect_uri: REDIRECT };
  return { clientId, exchange: { ...fields, code_verifier: verifier } };
}

/** Sends a request, kills the process once it waits to write into a table, and starts another one. */
async function killBefore(table: string, fields: Record<string, string>): Promise<void> {
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  const answer = ask(fields).catch(() => null);
  const waiting =
    "SELECT 1 FROM pg_locks WHERE relation = $1::regclass AND mode = 'RowExclusiveLock' AND NOT granted";
  await until(async () => (await holder.query(waiting, [table])).rowCount === 1, 10_000);
  api.child.kill("SIGKILL");
  await api.ended;
  await holder.query("ROLLBACK");
  await holder.end();
  expect(await answer).toBeNull();
  api = await service.startApi();
}

const countLive = async (clientId: string) =>
  (
    await runSql(
      service,
      `SELECT (SELECT count(*)::int FROM oauth_refresh_tokens r JOIN oauth_grants g ON g.id = r.grant_id
         WHERE g.client_id = $1 AND r.replaced_at IS NULL AND g.ended_at IS NULL) AS refresh,
       (SELECT count(*)::int FROM tokens t JOIN oauth_grants g ON g.id = t.grant_id
         WHERE g.client_id = $1 AND t.revoked_at IS NULL) AS access`,
      [clientId],
    )
  )[0];

test.each(chosen(EXCHANGE))(
  "a code whose exchange was killed before it wrote %s works once",
  async (table) => {
    const { clientId, exchange } = await allow();
    await killBefore(table, exchange);
    const { status, json } = await ask(exchange);
    expect([status, await statusOf(json.access_token)]).toEqual([200, 200]);
    expect(await countLive(clientId)).toEqual({ refresh: 1, access: 1 });
    expect((await ask(exchange)).status).toBe(400);
    expect(await countLive(clientId)).toEqual({ refresh: 0, access: 0 });
  },
);

test.each(chosen(REFRESH))(
  "a refresh that was killed before it wrote %s has one successor",
  async (table) => {
    const { clientId, exchange } = await allow();
    const first = (await ask(exchange)).json;
    const refresh = { grant_type: "refresh_token", client_id: clientId, refresh_token: first.refresh_token };
    await killBefore(table, refresh);
    const { status, json } = await ask(refresh);
    expect([status, await statusOf(json.access_token)]).toEqual([200, 200]);
    expect(await countLive(clientId)).toEqual({ refresh: 1, access: 2 });
    expect((await ask({ ...refresh, refresh_token: json.refresh_token })).status).toBe(200);
  },
);

test("two processes that are asked at once, and an answer that is lost, give the same successor", async () => {
  const { clientId, exchange } = await allow();
  const first = (await ask(exchange)).json;
  const fields = { grant_type: "refresh_token", client_id: clientId, refresh_token: first.refresh_token };
  const other = await service.startApi();
  const body = () => ({ method: "POST", body: new URLSearchParams(fields) });
  const replies = await Promise.all(
    [api, other].map(
      async ({ url }) =>
        (await (await fetch(`${url}/oauth/token`, body())).json()) as { access_token: string },
    ),
  );
  expect(new Set(replies.map(({ access_token }) => access_token)).size).toBe(1);
  expect(await countLive(clientId)).toEqual({ refresh: 1, access: 2 });
  const [{ id }] = await runSql(service, "SELECT id FROM oauth_grants WHERE client_id = $1", [clientId]);
  await endConnection(service.deps, COMMAND_LINE, { grantId: id, by: "command" });
  const token = replies[0]?.access_token ?? "";
  for (const { url } of [api, other]) {
    const reply = await fetch(`${url}/api/v1/agent`, { headers: { authorization: `Bearer ${token}` } });
    expect(reply.status).toBe(401);
  }
});
