import type { Tx } from "../../../sql/connection/pool.ts";
import {
  type AgentRow,
  type CallerRow,
  findCaller,
  lockAgent,
  touchLastSeen,
  touchToken,
} from "../../../sql/identity/agents.ts";
import { findLiveToken } from "../../../sql/identity/tokens.ts";
import { Refusal, refuse, versionMismatch } from "../../ground/errors.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Actor } from "../audit/record-act.ts";
import type { Ability } from "../credentials/abilities.ts";
import { hashSecret, isWellFormedToken } from "../credentials/tokens.ts";

/** The agent behind a request, with the request's data. */
export interface Caller {
  agent: CallerRow;
  /** Network address, for limits and the audit. */
  address: string;
  requestId: string;
}

const BEARER = /^Bearer +(\S+)$/i;

/** The agent of an Authorization header; throws `unauthenticated` for any header that is not valid now. */
export async function authenticate(deps: Deps, authorization: string | undefined): Promise<CallerRow> {
  const token = BEARER.exec(authorization ?? "")?.[1];
  if (token === undefined || !isWellFormedToken(token)) throw unauthenticated();
  const nowMs = deps.now();
  const caller = await findCaller(deps.pool, { secretHash: hashSecret(token) }, nowMs);
  if (caller === null) throw unauthenticated();
  if (caller.token_last_used_at === null || caller.token_last_used_at < nowMs - MINUTE_MS) {
    await touchToken(deps.pool, caller.token_id, nowMs);
  }
  if (caller.last_seen_at === null || caller.last_seen_at < nowMs - MINUTE_MS) {
    await touchLastSeen(deps.pool, caller.id, nowMs);
    return { ...caller, last_seen_at: nowMs };
  }
  return caller;
}

/** The refusal of a token that is not valid now. */
export function unauthenticated(): Refusal {
  return refuse(
    "unauthenticated",
    "The access token is missing, revoked or expired.",
    "Send Authorization: Bearer <ACCESS_TOKEN>; ask your owner for a new enrolment code if the token is lost.",
  );
}

/** Checks that apply to every call of an agent, in the order of contract section 4 (3). */
export function checkSuspensions(agent: AgentRow): void {
  if (agent.owner_status !== "active") {
    throw refuse(
      "owner_suspended",
      "The owner's account is suspended.",
      "Your owner can write to the operators.",
    );
  }
  if (agent.suspended_at !== null) {
    throw refuse("agent_suspended", "This agent is suspended.", "Your owner can write to the operators.");
  }
}

/** Refuses an agent whose owner has not confirmed the claim link. */
export function checkClaimed(agent: AgentRow): void {
  if (agent.claimed_at === null) {
    throw refuse(
      "agent_pending_claim",
      "The owner has not confirmed the claim link yet.",
      "Give claim_url to your owner; until then only GET /agent and POST /agent/heartbeat work.",
    );
  }
}

/** Refuses a token without an ability. */
export function checkAbility(caller: CallerRow, ability: Ability): void {
  if (!caller.abilities.includes(ability)) {
    throw refuse(
      "missing_ability",
      `The token lacks the ability ${ability}.`,
      "Your owner can issue a code whose token has it, or connect the program again and allow it.",
    );
  }
}

/** Refuses writes of a paused agent. */
export function checkRunning(agent: AgentRow): void {
  if (agent.paused_at !== null) {
    throw refuse(
      "agent_paused",
      "The owner paused this agent.",
      "Reading, heartbeats and token rotation work; wait until your owner resumes you.",
    );
  }
}

/**
 * Locks the agent of a call and reads its token again, by a statement of its own, which sees what committed while
 * the lock was waited for: whatever ended agent or token first wins.
 */
export async function lockCaller(tx: Tx, deps: Deps, { agent: caller }: Caller) {
  const agent = await lockAgent(tx, caller.id);
  if (agent === null || agent.archived_at !== null) throw unauthenticated();
  const token = await findLiveToken(tx, caller.token_id, deps.now());
  if (token === null) throw unauthenticated();
  return { agent, token };
}

/** Locks the agent of a write and repeats all checks on the locked row: a pause that came first wins. */
export async function lockWriter(tx: Tx, deps: Deps, caller: Caller): Promise<AgentRow> {
  const { agent } = await lockCaller(tx, deps, caller);
  checkWriter(agent);
  return agent;
}

/** The checks of an agent's write, on the locked row. */
export function checkWriter(agent: AgentRow): void {
  checkSuspensions(agent);
  checkClaimed(agent);
  checkRunning(agent);
}

/** The actor behind an agent's request. */
export function actorOf(caller: Caller): Actor {
  const { agent, requestId } = caller;
  return { actorKind: "agent", actorId: agent.id, tokenId: agent.token_id, requestId };
}

/**
 * Compares an If-Match header with a lock_version. Accepts `"7"`, `7`, `W/"7"` and lists of them; missing or
 * `*` is 428, any other or malformed version is 412 (contract section 4).
 */
export function checkIfMatch(header: string | undefined, what: string, lockVersion: number): void {
  const given = header?.trim();
  if (given === undefined || given === "" || given === "*") {
    throw new Refusal("precondition_required", `Send If-Match with the lock_version of the ${what}.`, {
      hint: `Read the ${what}; its ETag is the value to send, such as If-Match: "${lockVersion}".`,
    });
  }
  const versions = given.split(",").map((entry) => /^(?:W\/)?"?(\d{1,10})"?$/.exec(entry.trim())?.[1]);
  if (!versions.some((version) => version !== undefined && Number(version) === lockVersion)) {
    throw versionMismatch(what, lockVersion);
  }
}

/** The ETag of a resource: its lock_version in double quotes. */
export function quoteVersion(lockVersion: number): string {
  return `"${lockVersion}"`;
}
