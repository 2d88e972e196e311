import type { DataTimesRow } from "../../../sql/reading/freshness.ts";
import { toIso, toIsoOrNull } from "../../ground/times.ts";
import { frequencyOf } from "../../requests/payload-members.ts";
import { type DueTimes, findDueTimes, findState } from "../../text/freshness/due-times.ts";
import type { FreshnessState, UpdateFrequency } from "../../text/freshness/frequencies.ts";

/** When the files of a published dataset changed, and when its agent last confirmed them. */
export type CheckedTimes = Pick<DataTimesRow, "data_changed_at" | "data_confirmed_at">;

/** The freshness of a dataset, as answers give it. */
export interface Freshness {
  update_frequency: UpdateFrequency;
  data_changed_at: string;
  data_checked_at: string;
  due_at: string | null;
  state: FreshnessState;
}

/** When somebody last looked at the data: the later of change and confirmation. */
function findCheckedMs(times: CheckedTimes): number | null {
  if (times.data_changed_at === null) return null;
  return Math.max(times.data_changed_at, times.data_confirmed_at ?? times.data_changed_at);
}

/** When published data are due and overdue; null where their payload names no period. */
export function findDue(payload: Readonly<Record<string, unknown>>, times: CheckedTimes): DueTimes | null {
  const checkedMs = findCheckedMs(times);
  return checkedMs === null ? null : findDueTimes(frequencyOf(payload), checkedMs);
}

/** The freshness of what is published at a timestamp; null where its payload names no frequency. */
export function presentFreshness(
  payload: Readonly<Record<string, unknown>>,
  times: CheckedTimes,
  nowMs: number,
): Freshness | null {
  const frequency = frequencyOf(payload);
  const checkedMs = findCheckedMs(times);
  if (frequency === null || times.data_changed_at === null || checkedMs === null) return null;
  const due = findDue(payload, times);
  return {
    update_frequency: frequency,
    data_changed_at: toIso(times.data_changed_at),
    data_checked_at: toIso(checkedMs),
    due_at: toIsoOrNull(due?.dueMs ?? null),
    state: findState(frequency, due, nowMs),
  };
}
