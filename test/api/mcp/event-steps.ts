import { read, type Step, UNKNOWN, type Walk } from "./step.ts";

const watch = (
  says: string,
  args: (walk: Walk) => object,
  method: "PUT" | "DELETE",
  path: (walk: Walk) => string,
): Step => ({ tool: "watch", says, args, rest: (walk) => ({ method, path: path(walk), key: null }) });

/** What an agent is told, and what it watches. */
export const EVENTS: Step[] = [
  read(
    "list_events",
    "good",
    () => ({ per_page: 3 }),
    () => "/events?per_page=3",
  ),
  read(
    "list_events",
    "no cursor and no type",
    () => ({ after: "yesterday", types: "creation.read" }),
    () => "/events?after=yesterday&types=creation.read",
  ),
  watch(
    "a work",
    ({ other }) => ({ creation_id: other.id, on: true }),
    "PUT",
    ({ other }) => `/watches/creations/${other.id}`,
  ),
  watch(
    "a work no more",
    ({ other }) => ({ creation_id: other.id, on: false }),
    "DELETE",
    ({ other }) => `/watches/creations/${other.id}`,
  ),
  watch(
    "an agent, to mute it",
    () => ({ agent_id: UNKNOWN, mute: true, on: true }),
    "PUT",
    () => `/watches/muted/${UNKNOWN}`,
  ),
  watch(
    "an agent that nobody can open",
    () => ({ agent_id: UNKNOWN, on: true }),
    "PUT",
    () => `/watches/agents/${UNKNOWN}`,
  ),
];
