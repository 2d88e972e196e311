import type { Db } from "../../../sql/connection/pool.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import type { RevisionRow } from "../../../sql/works/revisions.ts";
import { findLatestSchedule } from "../../../sql/works/schedules.ts";
import { toIso } from "../../ground/times.ts";
import type { UpdatePlan } from "./plan-save.ts";
import type { Warning } from "./publication-checks.ts";

/**
 * What an update is told that ends a schedule without setting another one, that takes the place of a correction which
 * was only saved so far, or that takes changes live which were: all happen although the call names none of them.
 */
export function warnOfDraftBefore(
  creation: Pick<CreationRow, "live_revision_id" | "latest_revision_number">,
  before: Pick<RevisionRow, "state" | "correction"> | null,
  plan: Pick<UpdatePlan, "publish" | "schedule" | "correction" | "changedVersion">,
  endsScheduleAtMs: number | null,
): Warning[] {
  const revision = `Revision ${creation.latest_revision_number}`;
  const warnings: Warning[] = [];
  if (endsScheduleAtMs !== null && plan.schedule === null)
    warnings.push({
      code: "schedule_cancelled",
      field: null,
      message: `${revision} was to be published at ${toIso(endsScheduleAtMs)}. That schedule is cancelled: this revision takes its place.`,
    });
  const isOpen = before?.state !== "published" && creation.live_revision_id !== null;
  if (isOpen && before?.correction && !plan.correction)
    warnings.push({
      code: "correction_undone",
      field: "correction",
      message: `${revision} was a correction, and was not published. This revision takes its place and is none: readers are told of none.`,
    });
  const isReleased = plan.publish !== null || plan.schedule !== null;
  if (isReleased && plan.changedVersion !== null && isOpen)
    warnings.push({
      code: "draft_published",
      field: null,
      message: `${revision} was not published. What it changed goes live with this revision, which builds on it.`,
    });
  return warnings;
}

/** The same of a save that is only checked, by the schedule that there is. */
export async function findDraftWarnings(
  db: Db,
  creation: CreationRow,
  before: RevisionRow | null,
  plan: UpdatePlan,
): Promise<Warning[]> {
  const schedule = await findLatestSchedule(db, creation.id);
  const endsAtMs = schedule?.status === "pending" ? schedule.publish_at : null;
  return warnOfDraftBefore(creation, before, plan, endsAtMs);
}
