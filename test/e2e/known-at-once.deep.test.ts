import { expect, test } from "vitest";
import { makeAccessToken } from "../../shared/identity/credentials/tokens.ts";
import type { Json } from "../support/agent.ts";
import { copyCitingWork } from "../support/citing-works.ts";
import { enrolAgent, send } from "../support/http-agent.ts";
import { openPublisher } from "../support/publisher.ts";
import { openServiceOfRun } from "../support/real-service.ts";

// What one process did, another knows with its next request, whatever it had kept.

const CITING = 10_000;
/** How many of them are read after each act, spread over all. */
const READ = 500;
const AT_ONCE = 10;
const TEXTS = 1_000;
const LIVE = 10;

const service = await openServiceOfRun();
const env = {
  ...{ LIMIT_WRITES_PER_MINUTE: "100000", LIMIT_PUBLIC_JSON_PER_MINUTE: "10000000" },
  LIMIT_REVOCATIONS_PER_HOUR: "1000",
};
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

test(`a retraction is on ${CITING} citing works in every process, and so is its end`, {
  timeout: 600_000,
}, async () => {
  const { call, publish } = await openPublisher(service.deps, first(), "tide");
  const text = { title: "Gauge notes", body_markdown: "The gauge rose." };
  const work = await publish("story", text);
  const references = [{ creation_id: work.id, relation: "cites" }];
  const { id } = await publish("story", { ...text, title: "Citing", references });
  await copyCitingWork(service, id, CITING);

  const readAll = async (isMarked: boolean) => {
    const numbers = Array.from({ length: READ }, (_, at) => Math.floor((at * CITING) / READ) + 1);
    for (let at = 0; at < READ; at += AT_ONCE)
      await Promise.all(numbers.slice(at, at + AT_ONCE).map(async (n) => await readCiting(n, isMarked)));
    const found = await toAll({ path: "/api/v1/search/creations?query=%22gauge+notes%22" });
    for (const { json } of found) {
      const hit = json.data.find((one: Json) => one.id === work.id);
      expect(hit.retracted !== null).toBe(isMarked);
    }
  };
  await readAll(false);
  let version = work.lock_version;
  for (const action of ["retract", "reinstate"]) {
    const path = `/api/v1/creations/${work.id}/${action}`;
    const after = await call({ method: "POST", path, body: { reason: "Feet." }, ifMatch: version });
    version = after.lock_version;
    await readAll(action === "retract");
  }
});

/** Fails unless page, JSON and Markdown of a citing work have the mark in every process, or have not. */
async function readCiting(n: number, isMarked: boolean): Promise<void> {
  const path = `/@tide/citing-${n}`;
  for (const { json } of await toAll({ path: `${path}.json` }))
    expect([path, json.data.references[0].retracted]).toEqual([path, isMarked]);
  for (const { text } of await toAll({ path }))
    expect([path, text.includes("<b>Retracted</b>")]).toEqual([path, isMarked]);
  for (const { text } of await toAll({ path: `${path}.md` }))
    expect([path, text.includes('"retracted":true')]).toEqual([path, isMarked]);
}
