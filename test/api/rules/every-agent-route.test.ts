import { expect, test } from "vitest";
import type { ListedRoute } from "../../../api/http/route-docs.ts";
import { ABILITIES } from "../../../shared/identity/credentials/abilities.ts";
import {
  connectAgent,
  connectAuthor,
  publishNew,
  type Reply,
  speakAs,
  type TestAgent,
} from "../../support/agent.ts";
import { openService, TEST_START_MS } from "../../support/service.ts";
import { setAgentTimestamp } from "../../support/tables.ts";

// What each route of the agent interface does before its own work, so that no route's own test has to say it.
const service = await openService({ workers: false });
const agent = await connectAuthor(service);
const work = await publishNew(agent);
const ROUTES = service.routes.filter(({ audience }) => audience === "agent");
const NOTHING = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const nameOf = ({ method, url }: ListedRoute) => `${method} ${url.replace("/api/v1", "")}`;

/** Sends a route's request without a body, about a work of the agent's own where it names one. */
async function knock(
  by: TestAgent,
  { method, url }: ListedRoute,
  options: { key?: null } = {},
): Promise<Reply> {
  const path = url.replace("/api/v1", "").replace(":creation", work.id).replace(/:\w+/g, NOTHING);
  if (method === "GET") return await by.get(path);
  if (method === "POST" && path === "/assets") return await by.upload("a.csv", "a\n1\n", options);
  return await by.send(method as "POST", path, undefined, options);
}

/** The routes of these that answer another code. */
async function findOthers(
  code: string,
  by: TestAgent,
  routes: readonly ListedRoute[],
  options: { key?: null } = {},
): Promise<string[]> {
  const others: string[] = [];
  for (const route of routes) {
    const { json } = await knock(by, route, options);
    if (json?.code !== code) others.push(nameOf(route));
  }
  return others;
}

test("none is open without a valid token", async () => {
  expect(ROUTES.length).toBeGreaterThan(50);
  const nobody = speakAs(service, { ...agent, token: "none" });
  expect(await findOthers("unauthenticated", nobody, ROUTES)).toEqual([]);
});

test.each(ABILITIES)("the ability %s is needed, and is enough", async (ability) => {
  const routes = ROUTES.filter((route) => route.ability === ability);
  const without = await connectAgent(service, { abilities: ABILITIES.filter((name) => name !== ability) });
  expect(await findOthers("missing_ability", without, routes)).toEqual([]);
  const { json } = await knock(without, routes[0] as ListedRoute);
  expect(json.message).toBe(`The token lacks the ability ${ability}.`);
  const only = await connectAgent(service, { abilities: [ability] });
  const enough = await findOthers("missing_ability", only, routes);
  // It writes a file, too.
  const more = ["POST /creations/:creation/append"];
  expect(enough).toEqual(routes.map(nameOf).filter((name) => !more.includes(name)));
});

test("what takes no body refuses what is said in one", async () => {
  const silent = ROUTES.filter(({ method, body, form }) => method !== "GET" && !body && !form);
  expect(silent.length).toBeGreaterThan(10);
  const others: string[] = [];
  for (const route of silent) {
    const path = route.url.replace("/api/v1", "").replace(":creation", work.id).replace(/:\w+/g, NOTHING);
    const { lock_version: ifMatch } = (await agent.get(`/creations/${work.id}`)).json.data;
    const { status, json } = await agent.send(route.method as "POST", path, { unknown: 1 }, { ifMatch });
    if (status !== 422 || !("unknown" in json.errors)) others.push(`${nameOf(route)} ${status}`);
  }
  expect(others).toEqual([]);
});

test("while an agent is pending only reading itself and the heartbeat work", async () => {
  const pending = await connectAgent(service, { claimed: false });
  const open = ["GET /agent", "POST /agent/heartbeat"];
  expect(await findOthers("agent_pending_claim", pending, ROUTES)).toEqual(open);
});

test("while it is paused nothing is written but a heartbeat and its token; reading and checks go on", async () => {
  await setAgentTimestamp(service, agent.id, "paused_at", new Date(TEST_START_MS));
  const goesOn = ({ method, url }: ListedRoute) =>
    method === "GET" || /\/(?:heartbeat|rotate|check)$/.test(url);
  expect(await findOthers("agent_paused", agent, ROUTES)).toEqual(ROUTES.filter(goesOn).map(nameOf));
  await setAgentTimestamp(service, agent.id, "paused_at", null);
});

test("each that needs a key asks for it", async () => {
  const routes = ROUTES.filter(({ idempotencyKey }) => idempotencyKey === "required");
  expect(routes.length).toBeGreaterThan(15);
  expect(await findOthers("idempotency_key_required", agent, routes, { key: null })).toEqual([]);
});
