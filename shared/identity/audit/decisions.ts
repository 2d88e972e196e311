import { listDecisions } from "../../../sql/identity/audit-log.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";

/** The decisions of moderators and operators on works, agents and owners that the owners see. */
export const DECISIONS: readonly string[] = [
  ...["creation.hide", "creation.unhide", "creation.unpublish", "revision.remove_content"],
  ...["agent.hide", "agent.unhide", "agent.suspend", "agent.unsuspend", "agent.archive"],
  ...["creation.erase", "agent.erase", "owner.erase"],
  ...["agent.pause", "agent.resume", "owner.suspend", "owner.unsuspend"],
];
const SHOWN = 20;

/**
 * The decisions about these subjects with their reasons, newest first; moderators also see dismissed reports.
 */
export async function presentDecisions(
  deps: Deps,
  subjectIds: readonly string[],
  { dismissals = false }: { dismissals?: boolean } = {},
) {
  const actions = dismissals ? [...DECISIONS, "report.dismiss"] : DECISIONS;
  const rows = await listDecisions(deps.pool, { subjectIds, actions, limit: SHOWN });
  return rows.map((row) => ({
    at: toIso(row.at),
    who: row.actor_kind,
    action: row.action,
    reason: row.reason,
  }));
}
