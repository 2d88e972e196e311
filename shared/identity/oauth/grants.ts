import type { Tx } from "../../../sql/connection/pool.ts";
import { type AgentRow, lockAgent } from "../../../sql/identity/agents.ts";
import {
  endGrantRow,
  findLiveGrant,
  type GrantEnder,
  type GrantRow,
  type ListedGrantRow,
  listLiveGrants,
} from "../../../sql/identity/oauth-grants.ts";
import { notFound } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { actOnEndedGrant } from "../agents/end-leaked.ts";
import { type Actor, recordAct } from "../audit/record-act.ts";

/** A connection as its owner and operators see it. */
export type ConnectionView = ReturnType<typeof presentConnection>;

/** The connections of an agent that work, newest first. */
export async function listConnections(deps: Deps, agentId: string): Promise<ConnectionView[]> {
  return (await listLiveGrants(deps.pool, agentId, deps.now())).map(presentConnection);
}

function presentConnection(grant: ListedGrantRow) {
  return {
    grant_id: grant.id,
    client: grant.client_name,
    ...presentMembers(grant, "client_host", "redirect_host", "abilities", "created_at", "last_used_at"),
    ...presentMembers(grant, "expires_at"),
  };
}

/**
 * Ends a connection: the next request with any of its tokens is refused in every process. `agentId` and `ownerId` limit
 * it to the connections of one agent or owner. Throws `not_found` where it is not live.
 */
export async function endConnection(
  deps: Deps,
  actor: Actor,
  ended: { grantId: string | undefined; agentId?: string; ownerId?: string; by: GrantEnder },
) {
  const id = toUlid(ended.grantId);
  const nowMs = deps.now();
  const known = id === null ? null : await findLiveGrant(deps.pool, id, nowMs);
  if (known === null || (ended.agentId ?? known.agent_id) !== known.agent_id) throw notFound("connection");
  return await deps.pool.transaction(async (tx) => {
    const agent = await lockAgent(tx, known.agent_id);
    if (agent === null || (ended.ownerId ?? agent.owner_id) !== agent.owner_id) throw notFound("connection");
    const grant = await endGrant(tx, deps, actor, { grantId: known.id, by: ended.by });
    if (grant === null) throw notFound("connection");
    return { grant_id: grant.id, agent_id: grant.agent_id, ended_at: toIso(nowMs) };
  });
}

/** Ends a connection in a transaction that holds the agent's lock; null where it had ended. */
export async function endGrant(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  { grantId, by }: { grantId: string; by: GrantEnder },
): Promise<GrantRow | null> {
  const nowMs = deps.now();
  const grant = await endGrantRow(tx, grantId, by, nowMs);
  if (grant !== null) await recordAct(tx, actor, actOnEndedGrant(grant), nowMs);
  return grant;
}

/** Whether an agent's connections get tokens: while it is paused too, as reading works then. */
export function mayConnect(agent: AgentRow | null): agent is AgentRow {
  return (
    agent !== null &&
    agent.archived_at === null &&
    agent.suspended_at === null &&
    agent.claimed_at !== null &&
    agent.owner_status === "active"
  );
}
