import type { Tx } from "../../../sql/connection/pool.ts";
import { findDataTimes, setFrequency } from "../../../sql/reading/freshness.ts";
import { frequencyOf } from "../../requests/payload-members.ts";
import { findDue } from "./present-freshness.ts";

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
