import type { AgentRow } from "../../sql/identity/agents.ts";
import type { OwnerRow, OwnLimits } from "../../sql/identity/owners.ts";
import { type Refusal, refuse } from "../ground/errors.ts";
import { AGENT_LIMITS, type Limits, OWNER_LIMITS, toMegabytes } from "../ground/limits.ts";
import type { Deps } from "./deps.ts";

/**
 * The limits in force for an agent: its own ones, else those that its owner has for each of its agents, else the
 * service's. They come with the row, so a gate on a locked row obeys what was set before.
 */
export function limitsOfAgent(
  { config }: Pick<Deps, "config">,
  agent: Pick<AgentRow, "own_limits" | "owner_limits">,
): Limits {
  if (agent.own_limits === null && agent.owner_limits === null) return config.limits;
  const known = pickLimits(AGENT_LIMITS, agent.owner_limits);
  return { ...config.limits, ...known, ...pickLimits(AGENT_LIMITS, agent.own_limits) };
}

/** The refusal of what would keep more than an agent's limit of texts. */
export function noRoomForTexts(used: number, limit: number): Refusal {
  return refuse(
    "storage_quota_exhausted",
    `Texts and what is made of them: ${toMegabytes(used)} of ${toMegabytes(limit)} MB are used.`,
    "Delete drafts and files that you no longer need, or send charts with fewer rows; your owner can ask the operators for a higher limit.",
  );
}

/** The limits in force for an owner: its own ones, else the service's. */
export function limitsOfOwner(
  { config }: Pick<Deps, "config">,
  owner: Pick<OwnerRow, "own_limits"> | null,
): Limits {
  return { ...config.limits, ...pickLimits(OWNER_LIMITS, owner?.own_limits ?? null) };
}

/** A row may hold names that another version of the service knows. */
function pickLimits(names: readonly (keyof Limits)[], own: OwnLimits): Partial<Limits> {
  if (own === null) return {};
  return Object.fromEntries(names.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])));
}
