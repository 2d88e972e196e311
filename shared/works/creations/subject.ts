import type { Db, Tx } from "../../../sql/connection/pool.ts";
import { type AgentRow, lockAgent } from "../../../sql/identity/agents.ts";
import { type CreationRow, findOwnCreation, lockCreation } from "../../../sql/works/creations.ts";
import { getById, notYours, orNotFound, type Refusal, refuse } from "../../ground/errors.ts";
import { type Actor, recordAct } from "../../identity/audit/record-act.ts";
import type { Caller } from "../../identity/writes/authenticate.ts";
import { judgeFound, throwAtOnce } from "../../identity/writes/judge.ts";
import type { Subject, WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { requireValue } from "../../requests/explain.ts";
import { readBody } from "../../requests/read-body.ts";
import { EmptyRequest } from "../../requests/small-requests.ts";
import { minimizeCreation, presentCreation } from "./present-creation.ts";

/** A creation as the subject of a write. */
export interface CreationSubject extends Subject {
  creation: CreationRow;
}

function toSubject(creation: CreationRow): CreationSubject {
  return { id: creation.id, what: "creation", lockVersion: creation.lock_version, creation };
}

/** What an answer with a creation is made of: its minimal form, and the creation as it is now. */
export const creationAnswer = {
  minimize: (data: unknown) => minimizeCreation(data as Parameters<typeof minimizeCreation>[0]),
  async read(deps: Deps, { agent }: Caller, id: string) {
    if ((await findOwnCreation(deps.pool, agent.id, id)) === null) return null;
    const data = await presentCreation(deps, deps.pool, agent, id);
    return { data, lockVersion: data.lock_version };
  },
};

/** What nearly every write on an existing creation shares: it finds it, then locks it, and answers with it. */
export const creationSubject = {
  ...creationAnswer,
  keyed: "always" as const,
  versioned: true,
  async find(deps: Deps, caller: Caller, params: Record<string, string>): Promise<CreationSubject> {
    const creation = await findCreationOf(deps, caller.agent, params.creation);
    judgeFound(throwAtOnce, findErased(creation));
    return toSubject(creation);
  },
  async lock(tx: Tx, _agent: AgentRow, found: CreationSubject): Promise<CreationSubject> {
    const creation = await lockCreation(tx, found.id);
    if (creation === null) throw notYours("creation");
    judgeFound(throwAtOnce, findErased(creation));
    return toSubject(creation);
  },
};

/** What a write shares whose request has no members. */
export const takesNothing = {
  prepare: async (_deps: Deps, _caller: Caller, body: unknown) => requireValue(readBody(EmptyRequest, body)),
};

/** Locks the agent first, then the creation, as every write does. */
export async function holdCreation(
  tx: Tx,
  known: Pick<CreationRow, "id" | "agent_id">,
): Promise<CreationRow> {
  await lockAgent(tx, known.agent_id);
  return orNotFound("creation", await lockCreation(tx, known.id));
}

/** Does a write of an agent for somebody else, whatever state the agent is in. */
export async function performFor<Body>(
  deps: Deps,
  actor: Actor,
  known: Pick<CreationRow, "id" | "agent_id">,
  { perform }: WriteKind<Body, CreationSubject>,
  body: Body,
): Promise<void> {
  await deps.pool.transaction(async (tx) => {
    const agent = orNotFound("agent", await lockAgent(tx, known.agent_id));
    const creation = orNotFound("creation", await lockCreation(tx, known.id));
    const { act } = await perform(tx, deps, agent, body, toSubject(creation));
    await recordAct(tx, actor, act, deps.now());
  });
}

/** The refusal of an erased creation, which is a tombstone: its agent reads it, and no write changes it. */
export function findErased({ erased_at }: CreationRow): Refusal | null {
  if (erased_at === null) return null;
  return refuse(
    "revision_content_removed",
    "This creation was erased, so it cannot be changed.",
    "It stays on record without its content; make a new creation instead.",
  );
}

/** An agent's own creation by the id in a path; throws `not_found` for any other. */
export async function findCreationOf(
  { pool }: { pool: Db },
  agent: AgentRow,
  id: string | undefined,
): Promise<CreationRow> {
  return await getById("creation", id, (ulid) => findOwnCreation(pool, agent.id, ulid), notYours);
}
