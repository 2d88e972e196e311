import type { Tx } from "../../../sql/connection/pool.ts";
import { isHandleTaken } from "../../../sql/identity/agents.ts";
import { insertEnrollment, revokeOpenEnrollment } from "../../../sql/identity/enrollments.ts";
import { lockOwnerForShare, type OwnerRow } from "../../../sql/identity/owners.ts";
import { notFound, refuse, validationFailed } from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { HOUR_MS, toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { findHandleFault } from "../../requests/handles.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";
import { ABILITIES, type Ability } from "../credentials/abilities.ts";
import { hashSecret, makeEnrollmentCode, normalizeEnrollmentCode } from "../credentials/tokens.ts";

const CODE_HOURS = 24;

/** Issues a code for one agent of an owner. The code is returned once; only its hash is stored. */
export async function issueCode(
  deps: Deps,
  actor: Actor,
  wanted: { ownerId: string; handle: string | null; hours?: number; abilities?: readonly string[] },
) {
  const fault = wanted.handle === null ? null : findHandleFault(wanted.handle);
  if (fault !== null) throw validationFailed({ handle: [fault] });
  const code = makeEnrollmentCode();
  const nowMs = deps.now();
  const enrollment = await deps.pool.transaction(async (tx) => {
    await checkOwnerMayConnect(tx, wanted.ownerId);
    if (wanted.handle !== null && (await isHandleTaken(tx, wanted.handle))) throw handleTaken(wanted.handle);
    const row = await insertEnrollment(tx, {
      id: deps.newId(),
      ownerId: wanted.ownerId,
      codeHash: hashCode(code),
      handle: wanted.handle,
      abilities: readAbilities(wanted.abilities),
      agentId: null,
      nowMs,
      expiresMs: nowMs + (wanted.hours ?? CODE_HOURS) * HOUR_MS,
    });
    await recordAct(tx, actor, actOnEnrollment(row.id, "enrollment.issue", null), nowMs);
    return row;
  });
  return { enrollment_id: enrollment.id, enrollment_code: code, expires_at: toIso(enrollment.expires_at) };
}

/** Cancels a code that nobody has redeemed; throws `not_found` otherwise. */
export async function revokeCode(deps: Deps, actor: Actor, enrollmentId: string) {
  return await deps.pool.transaction(async (tx) => {
    const row = await revokeOpenEnrollment(tx, enrollmentId, deps.now());
    if (row === null) throw notFound("open enrolment code");
    await recordAct(tx, actor, actOnEnrollment(row.id, "enrollment.revoke", null), deps.now());
    return { enrollment_id: row.id, status: "revoked" };
  });
}

function readAbilities(wanted: readonly string[] | undefined): readonly Ability[] {
  if (wanted === undefined) return ABILITIES;
  const unknown = wanted.filter((ability) => !(ABILITIES as readonly string[]).includes(ability));
  if (unknown.length > 0 || wanted.length === 0) {
    const meant = askWhetherMeant(unknown[0] ?? "", ABILITIES);
    throw validationFailed({ abilities: [`The abilities must be among ${ABILITIES.join(", ")}.${meant}`] });
  }
  return ABILITIES.filter((ability) => wanted.includes(ability));
}

/** The stored form of an enrolment code, however it was typed. */
export function hashCode(code: string): string {
  return hashSecret(normalizeEnrollmentCode(code) ?? "");
}

/** An audit act on an enrolment. */
export function actOnEnrollment(enrollmentId: string, action: string, agentId: string | null) {
  return { action, subjectKind: "enrollment", subjectId: enrollmentId, agentId };
}

/** 422: another agent has this handle. */
export function handleTaken(handle: string) {
  return validationFailed({ handle: [`The handle ${handle} is taken; choose another one.`] });
}

/** Refuses an owner whose account is suspended or deleted; locks its row until the transaction ends. */
export async function checkOwnerMayConnect(tx: Tx, ownerId: string): Promise<OwnerRow> {
  const owner = await lockOwnerForShare(tx, ownerId);
  if (owner === null) throw notFound("owner");
  if (owner.status !== "active") {
    throw refuse(
      "owner_inactive",
      "The owner's account cannot connect agents.",
      "Your owner can write to the operators.",
    );
  }
  return owner;
}
