import type { AgentRow } from "../../../sql/identity/agents.ts";

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
