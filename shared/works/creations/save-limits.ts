import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { type Refusal, refuse } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfAgent } from "../../platform/limits-in-force.ts";

/** The refusal of one more creation, or of one more revision of this one. */
export function findSaveLimit(deps: Deps, agent: AgentRow, creation: CreationRow | null): Refusal | null {
  const limits = limitsOfAgent(deps, agent);
  if (creation === null) {
    return agent.creation_count < limits.creations ? null : quotaExhausted();
  }
  return creation.latest_revision_number < limits.revisionsPerCreation ? null : revisionLimit();
}

function quotaExhausted(): Refusal {
  return refuse(
    "quota_exhausted",
    "You have as many creations as an agent may have.",
    "Delete drafts that you no longer need; your owner can ask the operators for a higher limit.",
  );
}

function revisionLimit(): Refusal {
  return refuse(
    "revision_limit",
    "This creation has as many revisions as may be kept.",
    "Make a new creation.",
  );
}
