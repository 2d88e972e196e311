import type { Json } from "../../../support/agent.ts";

/** A work as the tests know it from the answers. */
export interface Work {
  id: string;
  owner: number;
  /** The number of the live revision; null while it is off the site. */
  live: number | null;
  /** That of the last published one. */
  last: number | null;
  visibility: "private" | "unlisted" | "public";
  hidden: boolean;
  retracted: boolean;
  /** The works that the live revision names: relation and id. */
  names: ReadonlySet<string>;
  lock: number;
  latest: number;
}

/** What the tests know of everything. */
export interface World {
  agents: string[];
  suspended: Set<number>;
  paused: Set<number>;
  works: Work[];
  /** Who watches what, by the id of the target. */
  watches: Map<string, Set<number>>;
  /** The pairs of works, each with the relation, of which somebody was told. */
  named: Set<string>;
  /** The number of the act. */
  act: number;
  /** The agent that did it; null where somebody else did. */
  actor: number | null;
  expected: Expected[];
}

/** An event that an agent has to be told, and the act that it is of. */
export interface Expected {
  act: number;
  to: number;
  isOwnAct: boolean;
  event: { type: string; reason: string; agent_id: string; creation_id: string | null; data: Json };
}

const isOpen = (world: World, work: Work) =>
  work.live !== null && work.visibility !== "private" && !work.hidden && !world.suspended.has(work.owner);

function add(world: World, to: number, reason: string, type: string, about: Work | number, data: Json): void {
  const owner = typeof about === "number" ? about : about.owner;
  const creation_id = typeof about === "number" ? null : about.id;
  const agent_id = world.agents[owner] ?? "";
  const isOwnAct = world.actor === to;
  world.expected.push({ act: world.act, to, isOwnAct, event: { type, reason, agent_id, creation_id, data } });
}

/** An event that concerns an agent alone. */
export function expectOwn(world: World, agent: number, type: string, data: Json): void {
  world.actor = null;
  add(world, agent, "own", type, agent, data);
}

/** What a publication says of its revision. */
interface Said {
  minor?: boolean;
  correction?: boolean;
}

/** What an act that changed a work tells everybody. The works are as they were before it. */
export function expectChange(
  world: World,
  work: Work,
  after: Partial<Work>,
  by: string,
  said: Said = {},
): void {
  world.actor = by === "agent" ? work.owner : null;
  const next = { ...work, ...after };
  const wasOpen = isOpen(world, work);
  const opens = isOpen(world, next);
  const own = describeOwn(work, next, by, said);
  const corrected = said.correction && work.last !== null ? { revision_number: next.live } : null;
  if (own !== null) add(world, work.owner, "own", own.type, work, own.data);
  const shown = own?.type === "creation.unpublished" ? work : next;
  const isReadable = own?.type === "creation.unpublished" ? wasOpen : opens;
  for (const agent of isReadable ? listWatching(world, shown) : []) {
    if (own?.type.startsWith("creation.")) add(world, agent, "watch", own.type, work, own.data);
    if (corrected) add(world, agent, "watch", "creation.corrected", work, corrected);
  }
  expectNamed(world, work, next);
  expectReferring(world, work, next, { wasOpen, opens, minor: said.minor === true });
  if (corrected && opens) expectUsersTold(world, work, { type: "creation.corrected", data: corrected });
  Object.assign(work, after);
}

function listWatching(world: World, work: Work): ReadonlySet<number> {
  const byAgent =
    work.visibility === "public" ? world.watches.get(world.agents[work.owner] ?? "") : undefined;
  return new Set([...(world.watches.get(work.id) ?? []), ...(byAgent ?? [])]);
}

function describeOwn(
  work: Work,
  next: Work,
  by: string,
  { minor = false, correction = false }: Said,
): { type: string; data: Json } | null {
  const revision_number = next.live ?? work.live ?? work.latest;
  if (work.hidden !== next.hidden) {
    return { type: `moderation.${next.hidden ? "hidden" : "unhidden"}`, data: { revision_number, by } };
  }
  const data = { revision_number, minor, visibility: next.visibility, by };
  if (next.live !== work.live) {
    if (next.live === null) return { type: "creation.unpublished", data };
    if (work.last === null) return { type: "creation.published", data };
    return { type: "creation.updated", data: { ...data, correction } };
  }
  if (next.retracted !== work.retracted) {
    return { type: `creation.${next.retracted ? "retracted" : "reinstated"}`, data: { by } };
  }
  return next.visibility === work.visibility ? null : { type: "creation.visibility", data };
}

/** Whoever is named by a public work since, or no longer, is told. */
function expectNamed(world: World, work: Work, next: Work): void {
  const from = { from_creation_id: work.id, from_agent_id: world.agents[work.owner] };
  const before = work.visibility === "public" ? work.names : new Set<string>();
  const since = next.visibility === "public" ? next.names : new Set<string>();
  for (const [one, other, type] of [
    [since, before, "reference.added"],
    [before, since, "reference.removed"],
  ] as const) {
    for (const name of one) {
      if (other.has(name)) continue;
      const [relation = "", id = ""] = name.split(" ");
      const target = world.works.find((known) => known.id === id);
      // One event for each pair of works and relation: all acts are of one day.
      const pair = `${work.id} ${name}`;
      if (target === undefined || world.named.has(pair)) continue;
      world.named.add(pair);
      add(world, target.owner, "own", type, target, { ...from, relation });
    }
  }
}

function expectReferring(
  world: World,
  work: Work,
  next: Work,
  { wasOpen, opens, minor }: { wasOpen: boolean; opens: boolean; minor: boolean },
): void {
  const isUpdate = next.live !== null && next.live !== work.live && work.last !== null && !minor;
  const told =
    wasOpen && !opens
      ? { type: "reference.gone", data: {} }
      : opens && next.retracted !== work.retracted
        ? { type: `reference.${next.retracted ? "retracted" : "reinstated"}`, data: {} }
        : opens && isUpdate
          ? { type: "reference.changed", data: { from_revision: work.last, to_revision: next.live } }
          : null;
  if (told !== null) expectUsersTold(world, work, told);
}

function expectUsersTold(world: World, work: Work, { type, data }: { type: string; data: Json }): void {
  for (const agent of world.agents.keys()) {
    const used_by = world.works
      .filter(({ owner, live, names }) => owner === agent && live !== null && namesWork(names, work.id))
      .map(({ id }) => id)
      .toSorted();
    if (used_by.length > 0)
      add(world, agent, "reference", type, work, { ...data, used_by: used_by.slice(0, 20) });
  }
}

function namesWork(names: ReadonlySet<string>, id: string): boolean {
  return [...names].some((name) => name.endsWith(` ${id}`));
}

/** What a suspension tells: each open work of the agent is gone for who names it. */
export function expectSuspension(world: World, agent: number): void {
  world.actor = null;
  for (const work of world.works) {
    if (work.owner === agent && isOpen(world, work))
      expectUsersTold(world, work, { type: "reference.gone", data: {} });
  }
  world.suspended.add(agent);
}
