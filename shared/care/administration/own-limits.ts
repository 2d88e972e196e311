import type { Db } from "../../../sql/connection/pool.ts";
import { type AgentRow, findAgentById, lockAgent } from "../../../sql/identity/agents.ts";
import {
  findOwnerById,
  lockOwner,
  type OwnerRow,
  type OwnLimits,
  updateOwnLimits,
} from "../../../sql/identity/owners.ts";
import { type FieldErrors, notFound, refuseFaults } from "../../ground/errors.ts";
import {
  AGENT_LIMITS,
  describeLimitValue,
  type Limits,
  OWNER_LIMITS,
  RATE_LIMITS,
  readLimitValue,
} from "../../ground/limits.ts";
import { refuseName } from "../../ground/nearest-name.ts";
import { type Actor, makeAct, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent, limitsOfOwner } from "../../platform/limits-in-force.ts";

/** Whose limits a command is about. */
export type LimitsSubject = "agent" | "owner";

/** The changes of limits as an operator writes them: `storageBytes=1GB`, and names. */
export interface LimitsWish {
  set?: readonly string[];
  unset?: readonly string[];
}

/** The new value of each limit; null where the limit of the owner or the service is to hold again. */
type LimitChanges = Record<string, number | null>;

const NAMES = { agent: AGENT_LIMITS, owner: OWNER_LIMITS } as const;

/** The limits of one agent or owner, each with its value and whose value it is. */
export async function showLimits(deps: Deps, subject: LimitsSubject, id: string, db: Db = deps.pool) {
  if (subject === "agent") {
    const agent = await findAgentById(db, id);
    if (agent !== null) return presentAgentLimits(deps, agent);
  } else {
    const owner = await findOwnerById(db, id);
    if (owner !== null) return presentOwnerLimits(deps, owner);
  }
  throw notFound(subject);
}

/**
 * Gives one agent or owner limits of its own, or takes them back. Once it returns, every write obeys them.
 */
export async function changeLimits(
  deps: Deps,
  actor: Actor,
  subject: LimitsSubject,
  id: string,
  changes: LimitChanges,
) {
  return await deps.pool.transaction(async (tx) => {
    const row = subject === "agent" ? await lockAgent(tx, id) : await lockOwner(tx, id);
    if (row === null) throw notFound(subject);
    await updateOwnLimits(tx, `${subject}s`, id, mergeLimits(row.own_limits, changes));
    const about = { detail: changes, ...(subject === "agent" && { agentId: id }) };
    await recordAct(tx, actor, makeAct(subject, id, `${subject}.limits`, about), deps.now());
    return await showLimits(deps, subject, id, tx);
  });
}

function mergeLimits(before: OwnLimits, changes: LimitChanges): OwnLimits {
  const merged = Object.entries({ ...before, ...changes }).filter((entry) => entry[1] !== null);
  return merged.length === 0 ? null : (Object.fromEntries(merged) as OwnLimits);
}

/** Reads the changes of limits; throws 422 on `set` and `unset` with the nearest name or the form of the value. */
export function readLimitChanges(subject: LimitsSubject, { set = [], unset = [] }: LimitsWish): LimitChanges {
  const changes: LimitChanges = {};
  const errors: FieldErrors = {};
  const take = (option: "set" | "unset", name: string, value: number | null, fault: string | null) => {
    const twice = name in changes ? `${name} stands there twice: once is enough.` : null;
    const sentence = findNameFault(subject, name) ?? fault ?? twice;
    if (sentence === null) changes[name] = value;
    else errors[option] = [...(errors[option] ?? []), sentence];
  };
  for (const given of set) {
    const [written = "", text = ""] = given.split("=", 2);
    const name = toName(written);
    const value = readLimitValue(name, text);
    const fault = `--set ${name} takes ${describeLimitValue(name)}, as in ${exampleOf(name)}.`;
    take("set", name, value, value === null ? fault : null);
  }
  for (const name of unset) take("unset", toName(name), null, null);
  refuseFaults(errors);
  return changes;
}

/** The name of a limit, which may be written as answers have it: `text_bytes`. */
function toName(written: string): string {
  return written.trim().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function exampleOf(name: string): string {
  return `${name}=${name.endsWith("Bytes") ? "1GB" : "50"}`;
}

function findNameFault(subject: LimitsSubject, name: string): string | null {
  const names: readonly string[] = NAMES[subject];
  if (names.includes(name)) return null;
  if ((RATE_LIMITS as readonly string[]).includes(name)) {
    return `${name} is counted outside the database and is the same for all: set it for the whole service by its LIMIT_ variable.`;
  }
  if (subject === "agent" && (OWNER_LIMITS as readonly string[]).includes(name)) {
    return `${name} is a limit of an owner: use owner limits.`;
  }
  return refuseName(name, { kind: "limit", taker: subject }, names);
}

/** A limit in force, and whose it is. */
interface LimitInForce {
  limit: number;
  of: LimitsSubject | "service";
}

function presentAgentLimits(deps: Deps, agent: AgentRow) {
  const sources = [
    ["agent", agent.own_limits],
    ["owner", agent.owner_limits],
  ] as const;
  const limits = presentLimits(AGENT_LIMITS, limitsOfAgent(deps, agent), sources);
  return { agent_id: agent.id, handle: agent.handle, limits };
}

function presentOwnerLimits(deps: Deps, owner: OwnerRow) {
  const sources = [["owner", owner.own_limits]] as const;
  const limits = presentLimits(OWNER_LIMITS, limitsOfOwner(deps, owner), sources);
  return { owner_id: owner.id, email: owner.email, limits };
}

function presentLimits(
  names: readonly (keyof Limits)[],
  inForce: Limits,
  sources: readonly (readonly [LimitsSubject, OwnLimits])[],
): Record<string, LimitInForce> {
  const sourceOf = (name: string) => sources.find(([, own]) => own?.[name] !== undefined)?.[0] ?? "service";
  return Object.fromEntries(names.map((name) => [name, { limit: inForce[name], of: sourceOf(name) }]));
}
