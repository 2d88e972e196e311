import {
  findAgentById,
  findClaim,
  lockAgent,
  renewClaim,
  updateAgentState,
} from "../../../sql/identity/agents.ts";
import { listTokenAbilities } from "../../../sql/identity/oauth-grants.ts";
import { notFound, refuse } from "../../ground/errors.ts";
import { DAY_MS } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Actor, makeAct, recordAct } from "../audit/record-act.ts";
import { hashSecret, makeLinkSecret } from "../credentials/tokens.ts";
import { statusOf } from "./present-agent.ts";

/** How long a claim link works. */
export const CLAIM_DAYS = 7;

/** Returns the claim behind a link to the owner who issued the code; throws `not_found` for anybody else. */
export async function findClaimOfOwner(deps: Deps, ownerId: string, secret: string) {
  const claim = await findClaim(deps.pool, { secretHash: hashSecret(secret) });
  const agent = claim && (await findAgentById(deps.pool, claim.agent_id));
  if (!claim || !agent || agent.owner_id !== ownerId || agent.archived_at !== null)
    throw notFound("claim link");
  return {
    agent,
    abilities: await listTokenAbilities(deps.pool, agent.id, deps.now()),
    redeemedFrom: claim.redeemed_from,
    redeemedMs: claim.created_at,
    expiresMs: claim.expires_at,
    expired: claim.expires_at <= deps.now(),
  };
}

/** Confirms the agent behind a link; confirming a claimed one again changes nothing. */
export async function confirmClaimByLink(deps: Deps, actor: Actor, ownerId: string, secret: string) {
  const { agent, expired } = await findClaimOfOwner(deps, ownerId, secret);
  if (expired && agent.claimed_at === null) {
    throw refuse(
      "enrollment_expired",
      "This claim link has expired.",
      "Renew it on the page of your agents.",
    );
  }
  return await confirmClaim(deps, actor, agent.id);
}

/** Makes a pending agent active. */
export async function confirmClaim(deps: Deps, actor: Actor, agentId: string) {
  return await deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, agentId);
    if (agent === null) throw notFound("agent");
    if (agent.archived_at !== null)
      throw refuse("agent_not_active", "An archived agent cannot be confirmed.");
    if (agent.claimed_at === null) {
      await updateAgentState(tx, agentId, "claimed_at", deps.now());
      await recordAct(tx, actor, makeAct("agent", agentId, "agent.claim", { agentId }), deps.now());
    }
    return { agent_id: agentId, status: statusOf({ ...agent, claimed_at: agent.claimed_at ?? deps.now() }) };
  });
}

/**
 * Returns a new claim link's secret for a pending agent, valid for seven days; the old link stops working.
 */
export async function renewClaimLink(deps: Deps, actor: Actor, agentId: string): Promise<string> {
  const secret = makeLinkSecret();
  const nowMs = deps.now();
  await deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, agentId);
    if (agent === null || agent.archived_at !== null) throw notFound("agent");
    if (agent.claimed_at !== null) throw refuse("validation_failed", "This agent is confirmed already.");
    await renewClaim(tx, agentId, { secretHash: hashSecret(secret), expiresMs: nowMs + CLAIM_DAYS * DAY_MS });
    await recordAct(tx, actor, makeAct("agent", agentId, "agent.renew_claim", { agentId }), nowMs);
  });
  return secret;
}
