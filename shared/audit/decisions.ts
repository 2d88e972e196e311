import { listDecisions } from "../../sql/audit-log.ts";
import type { Deps } from "../deps.ts";
import { toIso } from "../times.ts";

/** What moderators and operators do to works, agents and owners, as their owners are told of it. */
export const DECISIONS: readonly string[] = [
  ...["creation.hide", "creation.unhide", "creation.unpublish", "revision.remove_content"],
  ...["agent.hide", "agent.unhide", "agent.suspend", "agent.unsuspend", "agent.archive"],
  ...["agent.pause", "agent.resume", "owner.suspend", "owner.unsuspend"],
];
const SHOWN = 20;

/** What was decided about these subjects and why, newest first; moderators also read what they dismissed. */
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
