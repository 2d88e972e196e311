import type { Tx } from "../../../sql/connection/pool.ts";
import { isHandleTaken, lockAgent } from "../../../sql/identity/agents.ts";
import {
  type EnrollmentRow,
  insertEnrollment,
  revokeOpenCodesFor,
  revokeOpenEnrollment,
} from "../../../sql/identity/enrollments.ts";
import { lockOwnerForShare, type OwnerRow } from "../../../sql/identity/owners.ts";
import { findLatestAbilities } from "../../../sql/identity/tokens.ts";
import { orNotFound, refuse, refuseField } from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { HOUR_MS, toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { findHandleFault } from "../../requests/ids.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";
import { ABILITIES, type Ability } from "../credentials/abilities.ts";
import { hashSecret, makeEnrollmentCode, normalizeEnrollmentCode } from "../credentials/tokens.ts";
import { statusOf } from "./present-agent.ts";

const CODE_HOURS = 24;

/** Issues a code for one agent of an owner. The code is returned once; only its hash is stored. */
export async function issueCode(
  deps: Deps,
  actor: Actor,
  wanted: { ownerId: string; handle: string | null; hours?: number; abilities?: readonly string[] },
) {
  const { ownerId, handle, hours } = wanted;
  const fault = handle === null ? null : findHandleFault(handle);
  if (fault !== null) throw refuseField("handle", fault);
  return await deps.pool.transaction(async (tx) => {
    await checkOwnerMayConnect(tx, ownerId);
    if (handle !== null && (await isHandleTaken(tx, handle))) throw handleTaken(handle);
    const abilities = readAbilities(wanted.abilities);
    return await addCode(tx, deps, actor, { owner_id: ownerId, handle, abilities, agent_id: null }, hours);
  });
}

async function addCode(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  enrollment: Pick<EnrollmentRow, "owner_id" | "handle" | "abilities" | "agent_id">,
  hours = CODE_HOURS,
) {
  const code = makeEnrollmentCode();
  const nowMs = deps.now();
  const expires_at = nowMs + hours * HOUR_MS;
  const code_hash = hashSecret(normalizeEnrollmentCode(code) ?? "");
  const row = { id: deps.newId(), ...enrollment, code_hash, created_at: nowMs, expires_at };
  const { id, agent_id } = await insertEnrollment(tx, row);
  const action = agent_id === null ? "enrollment.issue" : "enrollment.reissue";
  await recordAct(tx, actor, actOnEnrollment(id, action, agent_id), nowMs);
  return { enrollment_id: id, enrollment_code: code, expires_at: toIso(expires_at) };
}

/** Cancels a code that nobody has redeemed; throws `not_found` otherwise. */
export async function revokeCode(deps: Deps, actor: Actor, enrollmentId: string) {
  return await deps.pool.transaction(async (tx) => {
    const row = orNotFound("open enrolment code", await revokeOpenEnrollment(tx, enrollmentId, deps.now()));
    await recordAct(tx, actor, actOnEnrollment(row.id, "enrollment.revoke", row.agent_id), deps.now());
    return { enrollment_id: row.id, status: "revoked" };
  });
}

function readAbilities(wanted: readonly string[] = ABILITIES): Ability[] {
  const unknown = wanted.filter((ability) => !(ABILITIES as readonly string[]).includes(ability));
  if (unknown.length > 0 || wanted.length === 0) {
    const meant = askWhetherMeant(unknown[0] ?? "", ABILITIES);
    throw refuseField("abilities", `The abilities must be among ${ABILITIES.join(", ")}.${meant}`);
  }
  return ABILITIES.filter((ability) => wanted.includes(ability));
}

/** An audit act on an enrolment. */
export function actOnEnrollment(enrollmentId: string, action: string, agentId: string | null) {
  return { action, subjectKind: "enrollment", subjectId: enrollmentId, agentId };
}

/** 422: another agent has this handle. */
export function handleTaken(handle: string) {
  return refuseField("handle", `The handle ${handle} is taken; choose another one.`);
}

/** Refuses an owner whose account is suspended or deleted; locks its row until the transaction ends. */
export async function checkOwnerMayConnect(tx: Tx, ownerId: string): Promise<OwnerRow> {
  const owner = orNotFound("owner", await lockOwnerForShare(tx, ownerId));
  if (owner.status !== "active") {
    throw refuse(
      "owner_inactive",
      "The owner's account cannot connect agents.",
      "Your owner can write to the operators.",
    );
  }
  return owner;
}

/**
 * Issues a code that reconnects an agent under its handle, with its work and its abilities. Its redemption
 * creates a new token and ends every old one; earlier reissued codes end at once. Throws `agent_not_active`
 * for a suspended or archived agent.
 */
export async function reissueCode(deps: Deps, actor: Actor, wanted: { agentId: string; hours?: number }) {
  return await deps.pool.transaction(async (tx) => {
    const agent = orNotFound("agent", await lockAgent(tx, wanted.agentId));
    const status = statusOf(agent);
    if (status === "archived" || status === "suspended") {
      throw refuse("agent_not_active", `No code can be issued for this agent: it is ${status}.`);
    }
    const { id: agent_id, owner_id, handle } = agent;
    await checkOwnerMayConnect(tx, owner_id);
    await revokeOpenCodesFor(tx, agent_id, deps.now());
    const abilities = [...((await findLatestAbilities(tx, agent_id)) ?? ABILITIES)];
    return await addCode(tx, deps, actor, { owner_id, handle, abilities, agent_id }, wanted.hours);
  });
}
