import { type ExpiringRows, listExpiringRows } from "../../sql/care/expired-rows.ts";
import { DAY_MS, HOUR_MS } from "../ground/times.ts";
import { COUNTED_MS } from "../identity/sign-in/counted-invitations.ts";
import type { Deps } from "../platform/deps.ts";

const BATCH = 1_000;
/** A run takes seconds, not minutes; the next run deletes the rest. */
const MOST_BATCHES = 500;

/** Deletes all rows that are past their time; returns the count of each kind. */
export async function sweepExpiredRows(deps: Deps): Promise<Record<string, number>> {
  const { idempotencyHours, eventDays } = deps.config.limits;
  const kept = {
    answersMs: idempotencyHours * HOUR_MS,
    eventsMs: eventDays * DAY_MS,
    invitationsMs: COUNTED_MS,
  };
  const nowMs = deps.now();
  const counted: Record<string, number> = {};
  for (const rows of listExpiringRows(kept)) {
    counted[rows.counts] = (counted[rows.counts] ?? 0) + (await deleteInBatches(deps, rows, nowMs));
  }
  return counted;
}

/** A thousand in a transaction: none locks many rows or meets the statement timeout, and the work of a killed run stays. */
async function deleteInBatches(deps: Deps, { keptMs, forget }: ExpiringRows, nowMs: number): Promise<number> {
  let count = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const forgotten = await deps.pool.transaction((tx) => forget(tx, nowMs - keptMs, BATCH));
    count += forgotten;
    if (forgotten < BATCH) break;
  }
  return count;
}
