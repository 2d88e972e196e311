import { listDueSchedules } from "../../../sql/works/schedules.ts";
import type { Deps } from "../../platform/deps.ts";
import { fireSchedule } from "./schedules.ts";

/** Publishes or fails every due schedule and returns the count; safe to run in many processes at once. */
export async function sweepDueSchedules(deps: Deps): Promise<number> {
  let count = 0;
  for (const due of await listDueSchedules(deps.pool, deps.now())) {
    if (!(await fireSchedule(deps, due))) continue;
    count++;
    deps.metrics.scheduleLateness.observe(Math.max(0, deps.now() - due.publish_at) / 1000);
  }
  return count;
}
