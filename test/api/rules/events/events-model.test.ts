import { expect, test } from "vitest";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { createRandom } from "../../../shared/tables/inspection/generated.ts";
import { connectAgent, type Json, publishFrontPage, type TestAgent } from "../../../support/agent.ts";
import { runs } from "../../../support/depth.ts";
import { openService } from "../../../support/service.ts";
import { ACTS, type Scene, unsuspend } from "./acts.ts";
import type { Expected } from "./expected.ts";

// Random acts at the HTTP door, and what they have to tell each agent, worked out from the answers alone.

const AGENTS = 4;
const ACTS_A_RUN = 60;

const most = 1_000_000;
const limits = { publicationsPerDay: most, updatesPerDay: most, writesPerMinute: most };
const service = await openService({ workers: false, limits });

async function openScene(seed: number): Promise<Scene> {
  const agents = await Promise.all(Array.from({ length: AGENTS }, () => connectAgent(service)));
  for (const agent of agents) await publishFrontPage(agent);
  const empty = {
    suspended: new Set<number>(),
    paused: new Set<number>(),
    works: [],
    watches: new Map(),
    named: new Set<string>(),
  };
  const world = { ...empty, agents: agents.map(({ id }) => id), act: 0, actor: null, expected: [] };
  return { service, agents, world, random: createRandom(seed) };
}

/** Tells of what was done, in parts of few agents; it may be ended between two parts, as when its process is killed. */
async function sequence(random: () => number): Promise<void> {
  let steps = Math.floor(random() * 6);
  const { pool } = service.deps;
  const mortal: typeof pool.transaction = (run) =>
    pool.transaction(async (tx) => {
      const done = await run(tx);
      if (steps-- === 0) throw new Error("killed");
      return done;
    });
  const sizes = { changes: 1 + Math.floor(random() * 4), agents: 1 + Math.floor(random() * 3) };
  await sequenceEvents({ ...service.deps, pool: { ...pool, transaction: mortal } }, sizes).catch(
    (error: Error) => {
      if (error.message !== "killed") throw error;
    },
  );
}

async function readAll(agent: TestAgent, perPage: number, more = ""): Promise<Json[]> {
  const events: Json[] = [];
  for (let after = ""; ; ) {
    const { status, json } = await agent.get(`/events?per_page=${perPage}${after}${more}`);
    if (status !== 200) throw new Error(`reading events answered ${status}`);
    events.push(...json.data);
    if (!json.meta.has_more) return events;
    after = `&after=${json.meta.cursor}`;
  }
}

const textOf = ({ type, reason, agent_id, creation_id, data }: Json) =>
  JSON.stringify([type, reason, agent_id, creation_id, Object.entries(data).toSorted()]);

/** Which act each event is of; the order within a work is that of the acts. */
function expectOrder(events: readonly Json[], expected: readonly Expected[]): void {
  const left = new Map<string, number[]>();
  for (const { act, event } of expected) left.set(textOf(event), [...(left.get(textOf(event)) ?? []), act]);
  const last = new Map<string, number>();
  for (const event of events) {
    const act = left.get(textOf(event))?.shift() ?? -1;
    const key = event.creation_id ?? event.agent_id;
    expect(act, `${event.type} of ${key}`).toBeGreaterThanOrEqual(last.get(key) ?? 0);
    last.set(key, act);
  }
}

test.each(Array.from({ length: runs(40) }, (_, seed) => seed))("random acts of seed %i", async (seed) => {
  const scene = await openScene(seed);
  const { world, random } = scene;
  for (const number of Array(ACTS_A_RUN).keys()) {
    world.act += 1;
    await ACTS[number < AGENTS ? 0 : Math.floor(random() * ACTS.length)]?.(scene);
    if (random() < 0.4) await sequence(random);
  }
  for (const agent of world.suspended) await unsuspend(scene, agent);
  await sequenceEvents(service.deps);
  for (const [number, agent] of scene.agents.entries()) {
    const events = (await readAll(agent, 7)).filter(({ type }) => type !== "token.issued");
    expect((await readAll(agent, 100)).filter(({ type }) => type !== "token.issued")).toEqual(events);
    const expected = world.expected.filter(({ to }) => to === number);
    expect(events.map(textOf).toSorted()).toEqual(expected.map(({ event }) => textOf(event)).toSorted());
    expectOrder(events, expected);
    const byOthers = expected.filter(({ isOwnAct }) => !isOwnAct);
    expect((await readAll(agent, 3, "&by=others")).map(textOf).toSorted()).toEqual(
      byOthers.map(({ event }) => textOf(event)).toSorted(),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  }
  expect(world.expected.length).toBeGreaterThan(ACTS_A_RUN / 2);
});
