import { expect, test } from "vitest";
import { makeAccessToken } from "../../shared/identity/credentials/tokens.ts";
import { enrolAgent, send } from "../support/http-agent.ts";
import { openServiceOfRun } from "../support/real-service.ts";

// What one process did, another knows with its next request, whatever it had kept.

const TEXTS = 1_000;
const LIVE = 10;

const service = await openServiceOfRun();
const env = { LIMIT_REVOCATIONS_PER_HOUR: "1000" };
const apis = await Promise.all([service.startApi({ env }), service.startApi({ env })]);

const first = () => apis[0]?.url ?? "";

/** Sends something to every process. */
const toAll = async (request: Parameters<typeof send>[1]) =>
  await Promise.all(apis.map(async ({ url }) => await send(url, request)));

/** What every process answers to a token, by REST and by a tool. */
async function askWith(token: string): Promise<unknown[]> {
  const call = { name: "get_agent", arguments: {} };
  const tool = { method: "POST", path: "/mcp", token } as const;
  const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
  const [rest, tools] = [
    await toAll({ path: "/api/v1/agent", token }),
    await toAll({ ...tool, headers, body }),
  ];
  return [
    ...rest.map(({ status }) => status),
    ...tools.map(({ json }) => JSON.parse(json.result.content[0].text).status),
  ];
}

test(`after the 202 to ${TEXTS} texts no process takes any token among them, by REST or by tools`, async () => {
  const agents = await Promise.all(
    Array.from({ length: LIVE }, async (_, at) => await enrolAgent(service.deps, first(), `leaky-${at}`)),
  );
  const other = await enrolAgent(service.deps, first(), "safe");
  for (const { token } of [...agents, other]) expect(await askWith(token)).toEqual([200, 200, 200, 200]);
  const texts = Array.from({ length: TEXTS }, (_, at) => {
    const token = at % (TEXTS / LIVE) === 0 ? agents[at / (TEXTS / LIVE)]?.token : makeAccessToken();
    return [`${token}`, `export TOKEN=${token};`, `no token ${at}`][at % (TEXTS / LIVE) === 0 ? 1 : at % 3];
  });
  const body = { credentials: texts };
  const reply = await send(first(), { method: "POST", path: "/api/v1/tokens/revoke", body });
  expect([reply.status, reply.json]).toEqual([202, { data: { received: TEXTS } }]);
  for (const { token } of agents) expect(await askWith(token)).toEqual([401, 401, 401, 401]);
  expect(await askWith(other.token)).toEqual([200, 200, 200, 200]);
});
