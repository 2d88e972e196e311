import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { findAgentById } from "../../sql/identity/agents.ts";
import { aSequence, play } from "../api/rules/model/play.ts";
import { openSystem, type Player, type System } from "../api/rules/model/system.ts";
import type { Reply } from "../support/agent.ts";
import { DEEP } from "../support/depth.ts";
import { enrolAgent, type HttpRequest, send } from "../support/http-agent.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";

const RUNS = Number(process.env.MODEL_HTTP_RUNS ?? (DEEP ? 50 : 4));
// npm test plays the same sequences each time; the deep run plays new ones.
const SEED = Number(process.env.MODEL_SEED ?? (DEEP ? Date.now() % 2 ** 31 : 20_260_711));
const DAY_MS = 86_400_000;
/** The processes' clocks run, so no step waits: the daily limits are met less often and are a little higher. */
const LIMITS = { creations: 5, revisions: 6, publications: 4, updates: 4 };
// From nine o'clock on: midnight never falls into this test.
const OFFSET_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS + 9 * 3_600_000 - Date.now();

let service: RealService;
let apis: ApiProcess[];
let foreignId: string;

beforeAll(async () => {
  service = await openRealService({
    cluster: inject("cluster"),
    env: {
      NODE_ENV: "test",
      CLOCK_OFFSET_MS: String(OFFSET_MS),
      LIMIT_CREATIONS: String(LIMITS.creations),
      LIMIT_REVISIONS_PER_CREATION: String(LIMITS.revisions),
      LIMIT_PUBLICATIONS_PER_DAY: String(LIMITS.publications),
      LIMIT_UPDATES_PER_DAY: String(LIMITS.updates),
    },
  });
  apis = [await service.startApi(), await service.startApi()];
  const { client } = await connect("foreign-agent");
  const story = { type: "story", payload: { title: "t", body_markdown: "b" } };
  foreignId = (await client.send("POST", "/creations", story)).json.data.id;
});
afterAll(async () => {
  expect(await service.close()).toEqual([]);
});

/** An agent whose calls go to the two processes in turn. */
async function connect(handle: string): Promise<{ client: Player["agent"] }> {
  const { id, token, ownerId } = await enrol(handle);
  let turn = 0;
  const next = () => apis[turn++ % apis.length]?.url ?? "";
  const ask = async (request: HttpRequest): Promise<Reply> => {
    const { headers, ...reply } = await send(next(), { ...request, token });
    return { ...reply, headers: Object.fromEntries(headers) };
  };
  return {
    client: {
      id,
      ownerId,
      get: (path) => ask({ path: `/api/v1${path}` }),
      send: (method, path, body, { key, ifMatch } = {}) =>
        ask({
          method,
          path: `/api/v1${path}`,
          ...(body === undefined ? {} : { body: body as object }),
          headers: {
            ...(key === null ? {} : { "idempotency-key": key ?? crypto.randomUUID() }),
            ...(ifMatch === undefined || ifMatch === null ? {} : { "if-match": String(ifMatch) }),
          },
        }),
    },
  };
}

async function enrol(handle: string): Promise<{ id: string; token: string; ownerId: string }> {
  const { id, token } = await enrolAgent(service.deps, apis[0]?.url ?? "", handle);
  const agent = await findAgentById(service.deps.pool, id);
  if (agent === null) throw new Error("the agent that was just enrolled is missing");
  return { id, token, ownerId: agent.owner_id };
}

let count = 0;
async function openForNewAgent(): Promise<System> {
  const { client: agent } = await connect(`player-${count++}`);
  const system = openSystem({ agent, deps: service.deps, foreignId, wait: async () => undefined });
  return {
    ...system,
    blur,
    call: async (request) => blur(await system.call(request)),
    lookAt: async (place) => blur(await system.lookAt(place)),
    lookAtRevisions: async (place) => blur(await system.lookAtRevisions(place)),
  };
}

const MOMENTS = new Set(["firstMs", "updatedMs", "replacedMs"]);
function blur<Value>(view: Value): Value {
  return JSON.parse(
    JSON.stringify(view, (name, value) => (MOMENTS.has(name) && value !== null ? "a moment" : value)),
  );
}

test(`two processes on one database do what the model does, over ${RUNS} sequences of 30 steps`, {
  timeout: 600_000,
}, async () => {
  console.info(`model over HTTP: seed ${SEED}, ${RUNS} sequences (MODEL_SEED, MODEL_HTTP_RUNS)`);
  const aStandingSequence = aSequence.map(({ withFrontPage, draws }) => ({
    withFrontPage,
    draws: draws.map((draw) => (draw.kind === "wait" ? { ...draw, kind: "nothing" } : draw)),
  }));
  const property = fc.asyncProperty(aStandingSequence, async (sequence) => {
    const nowMs = Math.floor((Date.now() + OFFSET_MS) / 1000) * 1000;
    await play(await openForNewAgent(), sequence, nowMs, LIMITS);
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
});
