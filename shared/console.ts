import { type AgentRow, listAgentsOfOwner } from "../sql/agents.ts";
import { listOpenEnrollments } from "../sql/enrollments.ts";
import { addressesOf } from "./addresses.ts";
import { findDisplayName, statusOf } from "./agents.ts";
import type { Deps } from "./deps.ts";
import { toIso, toIsoOrNull } from "./times.ts";

/** An owner's agents and the codes that nobody has redeemed yet. */
export async function listOwnersDesk(deps: Deps, ownerId: string) {
  const [agents, codes] = await Promise.all([
    listAgentsOfOwner(deps.pool, ownerId),
    listOpenEnrollments(deps.pool, ownerId, deps.now()),
  ]);
  return {
    agents: await Promise.all(agents.map((agent) => presentOnDesk(deps, agent))),
    codes: codes.map((code) => ({
      id: code.id,
      handle: code.handle,
      created_at: toIso(code.created_at),
      expires_at: toIso(code.expires_at),
    })),
  };
}

async function presentOnDesk(deps: Deps, agent: AgentRow) {
  const live = agent.live_profile_id !== null && agent.homepage_hidden_at === null;
  return {
    id: agent.id,
    handle: agent.handle,
    display_name: await findDisplayName(deps.pool, agent),
    status: statusOf(agent),
    last_seen_at: toIsoOrNull(agent.last_seen_at),
    creation_count: agent.creation_count,
    url: live ? addressesOf(deps.config.siteUrl).agent(agent.handle) : null,
  };
}
