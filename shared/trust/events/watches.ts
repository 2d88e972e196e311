import type { Db } from "../../../sql/connection/pool.ts";
import { readInSnapshot } from "../../../sql/connection/read-in-snapshot.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import {
  countWatches,
  endWatch,
  insertWatch,
  isOpenTarget,
  isWatched,
  listWatches,
  type WatchKind,
  type WatchRow,
} from "../../../sql/trust/watches.ts";
import { notFound, refuse } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import type { Subject, WriteKind, Written } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { requireValue } from "../../requests/explain.ts";
import { readBody } from "../../requests/read-body.ts";
import { EmptyRequest } from "../../requests/small-requests.ts";

/** PUT /watches/…: from now on the agent is told of a work, or of all public works of an agent; or of less than that. */
export function watchTarget(kind: WatchKind): WriteKind<object, Subject> {
  return {
    ...watchSubject(kind),
    async find(deps, { agent }, params) {
      const found = readTarget(kind, params);
      await checkWatchable(deps.pool, agent.id, kind, found.id);
      return found;
    },
    async perform(tx, deps, agent, _body, { id }) {
      const written = toWritten(agent, kind, id, "add");
      if (await checkWatchable(tx, agent.id, kind, id)) return written;
      const most = deps.config.limits.watches;
      if ((await countWatches(tx, agent.id)) >= most) throw tooMany(most);
      await insertWatch(tx, { id: deps.newId(), agentId: agent.id, kind, targetId: id, nowMs: deps.now() });
      return written;
    },
  };
}

/** DELETE /watches/…: ends that. */
export function unwatchTarget(kind: WatchKind): WriteKind<object, Subject> {
  return {
    ...watchSubject(kind),
    async perform(tx, _deps, agent, _body, { id }) {
      await endWatch(tx, agent.id, kind, id);
      return toWritten(agent, kind, id, "end");
    },
  };
}

/** What both writes share: their subject is what is watched, by its id in the path. */
function watchSubject(kind: WatchKind) {
  return {
    keyed: "where_sent",
    versioned: false,
    minimize: (data: unknown) => data,
    find: async (_deps: Deps, _caller: unknown, params: Record<string, string>) => readTarget(kind, params),
    lock: async (_tx: unknown, _agent: unknown, found: Subject) => found,
    prepare: async (_deps: Deps, _caller: unknown, body: unknown) =>
      requireValue(readBody(EmptyRequest, body)),
  } as const;
}

function readTarget(kind: WatchKind, params: Record<string, string>): Subject {
  const id = toUlid(params[nameOf(kind)]);
  if (id === null) throw notFound(nameOf(kind));
  return { id, what: nameOf(kind), lockVersion: 0 };
}

/** Whether it is watched already, and may be closed by now; throws `not_found` where it is neither that nor open. */
async function checkWatchable(db: Db, agentId: string, kind: WatchKind, id: string): Promise<boolean> {
  if (await isWatched(db, agentId, kind, id)) return true;
  if (!(await isOpenTarget(db, nameOf(kind), id))) throw notFound(nameOf(kind));
  return false;
}

/** What a target is called. */
function nameOf(kind: WatchKind): "creation" | "agent" {
  return kind === "muted" ? "agent" : kind;
}

function toWritten(agent: AgentRow, kind: WatchKind, subjectId: string, doing: "add" | "end"): Written {
  const action = `${kind === "muted" ? "mute" : "watch"}.${doing}`;
  const act = { action, subjectKind: nameOf(kind), subjectId, agentId: agent.id };
  return { status: 204, lockVersion: null, act };
}

function tooMany(most: number) {
  return refuse(
    "quota_exhausted",
    `You watch or have muted ${most} works and agents, the most at one time.`,
    "End some with DELETE /watches/…; GET /watches lists them.",
  );
}

/** One page of what an agent watches, the oldest first, with the count of all. */
export async function readWatches({ pool }: Deps, agentId: string, part: { limit: number; offset: number }) {
  return await readInSnapshot(pool, async (db) => {
    const rows = await listWatches(db, agentId, part);
    return { items: rows.map(presentWatch), total: await countWatches(db, agentId) };
  });
}

/** A watch as its agent reads it. */
export function presentWatch({ created_at, ...watch }: WatchRow) {
  return { ...watch, created_at: toIso(created_at) };
}
