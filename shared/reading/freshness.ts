import type { Tx } from "../../sql/connection/pool.ts";
import { type DataTimesRow, findDataTimes, setFrequency } from "../../sql/reading/freshness.ts";
import { HOURS_NAMED } from "../../sql/reading/page-versions.ts";
import { HOUR_MS, toIso, toIsoOrNull } from "../ground/times.ts";
import { frequencyOf } from "../requests/payloads.ts";
import { type DueTimes, findDueTimes, findState } from "../text/freshness/frequencies.ts";

/** When the files of a published dataset changed, and when its agent last confirmed them. */
type CheckedTimes = Pick<DataTimesRow, "data_changed_at" | "data_confirmed_at">;

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
) {
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

/** Keeps by when the data of a dataset are due that was just published, by its frequency and its files. */
export async function keepDueTimes(
  tx: Tx,
  creationId: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  const times = await findDataTimes(tx, creationId);
  const { dueMs = null, overdueMs = null } = findDue(payload, times) ?? {};
  const frequency = frequencyOf(payload);
  const isKept = dueMs === times.data_due_at && overdueMs === times.data_overdue_at;
  if (isKept && frequency === times.data_frequency) return;
  await setFrequency(tx, creationId, { frequency, dueMs, overdueMs });
}

/**
 * The whole hours since a timestamp, as a page names them: its version changes with each of them (page-versions.ts).
 * Null where the page names the day.
 */
export function countHoursSince(sinceMs: number, nowMs: number): number | null {
  const hours = Math.max(0, Math.floor((nowMs - sinceMs) / HOUR_MS));
  return hours < HOURS_NAMED ? hours : null;
}
