import { type AgentCommand, runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import type { Json, Reply, TestAgent } from "../../../support/agent.ts";
import type { TestService } from "../../../support/service.ts";
import { expectChange, expectOwn, expectSuspension, type Work, type World } from "./expected.ts";

/** What an act works with. */
export interface Scene {
  service: TestService;
  agents: TestAgent[];
  world: World;
  random: () => number;
}

export type Act = (scene: Scene) => Promise<void>;

const pick = <T>({ random }: Scene, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;
const RELATIONS = ["cites", "uses", "derives_from", "references"];

const pickWork = (scene: Scene): Work | null =>
  scene.world.works.length === 0 ? null : pick(scene, scene.world.works);
/** Mostly one that readers can open, which can be named and published. */
const pickOpen = (scene: Scene): Work | null => {
  const { works, suspended, paused } = scene.world;
  const open = works.filter(
    ({ live, hidden, retracted, owner }) =>
      live !== null && !hidden && !retracted && !suspended.has(owner) && !paused.has(owner),
  );
  return open.length > 0 && scene.random() < 0.95 ? pick(scene, open) : pickWork(scene);
};
const agentOf = ({ agents }: Scene, work: Work) => agents[work.owner] as TestAgent;

function makePayload(scene: Scene, work: Work | null): { payload: Json; names: Set<string> } {
  const wanted = scene.random() < 0.8 ? Math.floor(scene.random() * 3) : 0;
  const references: Json[] = [];
  const names = new Set<string>();
  for (let count = 0; count < wanted && scene.world.works.length > 0; count++) {
    const id = pickOpen(scene)?.id ?? "";
    const relation = pick(scene, RELATIONS);
    if (id === work?.id || references.some(({ creation_id }) => creation_id === id)) continue;
    references.push({ creation_id: id, relation });
    names.add(`${relation} ${id}`);
  }
  const payload = { title: "Gauge", body_markdown: `It rose ${scene.random()} m.`, references };
  return { payload, names };
}

const publishNew: Act = async (scene) => {
  const owner = Math.floor(scene.random() * scene.agents.length);
  const { payload, names } = makePayload(scene, null);
  const visibility = scene.random() < 0.25 ? ("unlisted" as const) : ("public" as const);
  const body = { type: "story", payload, publish: { visibility } };
  const reply = await (scene.agents[owner] as TestAgent).send("POST", "/creations", body);
  if (reply.status !== 201) return;
  const draft: Work = {
    ...{ id: reply.json.data.id, owner, live: null, last: null, visibility: "private", hidden: false },
    ...{ retracted: false, names: new Set(), lock: reply.json.data.lock_version, latest: 1 },
  };
  scene.world.works.push(draft);
  expectChange(scene.world, draft, { live: 1, last: 1, visibility, names }, "agent");
};

const publishAgain: Act = async (scene) => {
  const work = pickOpen(scene);
  if (work === null) return;
  const { payload, names } = makePayload(scene, work);
  const minor = scene.random() < 0.3;
  const correction = !minor && scene.random() < 0.4;
  const body = { payload, change_summary: "Again.", minor, correction, publish: {} };
  const reply = await write(scene, work, "PATCH", "", body);
  if (reply.status !== 200) return;
  work.latest += 1;
  const { visibility } = reply.json.data;
  const after = { live: work.latest, last: work.latest, visibility, names };
  expectChange(scene.world, work, after, "agent", { minor, correction });
};

const restore: Act = async (scene) => {
  const work = pickWork(scene);
  if (work === null) return;
  const reply = await write(scene, work, "POST", "/restore", { revision_id: "1" });
  if (reply.status !== 200) return;
  work.latest += 1;
  const names = new Set<string>(
    reply.json.data.latest_revision.payload.references.map(
      (one: Json) => `${one.relation} ${one.creation_id}`,
    ),
  );
  const { visibility } = reply.json.data;
  expectChange(scene.world, work, { live: work.latest, last: work.latest, visibility, names }, "agent");
};

const unpublish: Act = async (scene) => {
  const work = pickOpen(scene);
  if (work === null || work.live === null) return;
  const minor = await isMinor(scene, work);
  const reply = await write(scene, work, "POST", "/unpublish", {});
  if (reply.status !== 200) return;
  expectChange(scene.world, work, { live: null, visibility: "private", names: new Set() }, "agent", {
    minor,
  });
};

const changeVisibility: Act = async (scene) => {
  const work = pickOpen(scene);
  if (work === null || work.live === null) return;
  const visibility = scene.random() < 0.5 ? ("public" as const) : ("unlisted" as const);
  const minor = await isMinor(scene, work);
  const reply = await write(scene, work, "POST", "/visibility", { visibility });
  if (reply.status === 200) expectChange(scene.world, work, { visibility }, "agent", { minor });
};

const retract: Act = async (scene) => {
  const work = scene.world.works.find(({ retracted }) => retracted) ?? pickWork(scene);
  if (work === null) return;
  const retracted = !work.retracted;
  const reply = await write(scene, work, "POST", retracted ? "/retract" : "/reinstate", {
    reason: "An error.",
  });
  if (reply.status === 200) expectChange(scene.world, work, { retracted }, "agent");
};

const hide: Act = async ({ service, world, ...scene }) => {
  const work = world.works.find((one) => one.hidden) ?? pickWork({ service, world, ...scene });
  if (work === null) return;
  const hidden = !work.hidden;
  await runCreationCommand(service.deps, COMMAND_LINE, work.id, hidden ? "hide" : "unhide", "Spam.");
  await readLock({ service, world, ...scene }, work);
  expectChange(world, work, { hidden }, "operator");
};

const pause: Act = async (scene) => {
  const { world } = scene;
  const agent = [...world.paused][0] ?? Math.floor(scene.random() * scene.agents.length);
  if (world.suspended.has(agent)) return;
  const isPaused = world.paused.has(agent);
  await command(scene, agent, isPaused ? "resume" : "pause");
  const data = { token_prefix: null, by: "operator" };
  expectOwn(world, agent, isPaused ? "agent.resumed" : "agent.paused", data);
  if (isPaused) world.paused.delete(agent);
  else world.paused.add(agent);
};

const suspend: Act = async (scene) => {
  const agent = [...scene.world.suspended][0] ?? Math.floor(scene.random() * scene.agents.length);
  if (scene.world.suspended.has(agent)) return await unsuspend(scene, agent);
  await command(scene, agent, "suspend");
  expectSuspension(scene.world, agent);
};

/** Lets an agent read again. */
export async function unsuspend(scene: Scene, agent: number): Promise<void> {
  await command(scene, agent, "unsuspend");
  scene.world.suspended.delete(agent);
}

const watch: Act = async (scene) => {
  const { world } = scene;
  const agent = Math.floor(scene.random() * scene.agents.length);
  const work = scene.random() < 0.7 ? pickWork(scene) : null;
  const target = work?.id ?? pick(scene, world.agents);
  const on = scene.random() < 0.7;
  const path = `/watches/${work === null ? "agents" : "creations"}/${target}`;
  const reply = await (scene.agents[agent] as TestAgent).send(on ? "PUT" : "DELETE", path, undefined);
  if (reply.status !== 204) return;
  const watching = world.watches.get(target) ?? new Set();
  world.watches.set(target, watching);
  if (on) watching.add(agent);
  else watching.delete(agent);
};

/** Every act, each as often as it is to happen. */
export const ACTS: readonly Act[] = [
  ...[publishNew, publishNew, publishNew, publishAgain, publishAgain, publishAgain, publishAgain],
  ...[restore, unpublish, changeVisibility, changeVisibility, retract, retract, hide, hide, pause, pause],
  ...[suspend, suspend, watch, watch, watch],
];

async function command(scene: Scene, agent: number, name: AgentCommand): Promise<void> {
  await runAgentCommand(scene.service.deps, COMMAND_LINE, scene.world.agents[agent] ?? "", name, "A test.");
}

async function write(
  scene: Scene,
  work: Work,
  method: "POST" | "PATCH",
  path: string,
  body: Json,
): Promise<Reply> {
  const reply = await agentOf(scene, work).send(method, `/creations/${work.id}${path}`, body, {
    ifMatch: work.lock,
  });
  if (reply.status === 412) throw new Error(`the version of a work is not ${work.lock}: ${reply.text}`);
  if (reply.status === 200) work.lock = reply.json.data.lock_version;
  return reply;
}

/** A moderator's act raises the version, which its agent has to read anew; one that is suspended reads nothing. */
async function readLock(scene: Scene, work: Work): Promise<void> {
  const agent = scene.world.agents[work.owner];
  if (agent !== undefined) work.lock += 1;
}

async function isMinor(scene: Scene, work: Work): Promise<boolean> {
  const reply = await agentOf(scene, work).get(`/creations/${work.id}/revisions/${work.live}`);
  return reply.json.data?.minor ?? false;
}
