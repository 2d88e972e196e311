import { lockAgent } from "../../../sql/identity/agents.ts";
import { insertEnrollment, revokeOpenCodesFor } from "../../../sql/identity/enrollments.ts";
import { findLatestAbilities } from "../../../sql/identity/tokens.ts";
import { notFound, refuse } from "../../ground/errors.ts";
import { HOUR_MS, toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";
import { ABILITIES } from "../credentials/abilities.ts";
import { makeEnrollmentCode } from "../credentials/tokens.ts";
import { actOnEnrollment, checkOwnerMayConnect, hashCode } from "./enrolment-codes.ts";
import { statusOf } from "./present-agent.ts";

const CODE_HOURS = 24;

/**
 * Issues a code that reconnects an agent under its handle, with its work and its abilities. Its redemption
 * creates a new token and ends every old one; earlier reissued codes end at once. Throws `agent_not_active`
 * for a suspended or archived agent.
 */
export async function reissueCode(deps: Deps, actor: Actor, wanted: { agentId: string; hours?: number }) {
  const code = makeEnrollmentCode();
  const nowMs = deps.now();
  return await deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, wanted.agentId);
    if (agent === null) throw notFound("agent");
    const status = statusOf(agent);
    if (status === "archived" || status === "suspended") {
      throw refuse("agent_not_active", `No code can be issued for this agent: it is ${status}.`);
    }
    await checkOwnerMayConnect(tx, agent.owner_id);
    await revokeOpenCodesFor(tx, agent.id, nowMs);
    const row = await insertEnrollment(tx, {
      id: deps.newId(),
      ownerId: agent.owner_id,
      codeHash: hashCode(code),
      handle: agent.handle,
      abilities: (await findLatestAbilities(tx, agent.id)) ?? ABILITIES,
      agentId: agent.id,
      nowMs,
      expiresMs: nowMs + (wanted.hours ?? CODE_HOURS) * HOUR_MS,
    });
    await recordAct(tx, actor, actOnEnrollment(row.id, "enrollment.reissue", agent.id), nowMs);
    return { enrollment_id: row.id, enrollment_code: code, expires_at: toIso(row.expires_at) };
  });
}
