import { measureOutboxes } from "../../../sql/platform/outbox.ts";
import { findCurrentLog } from "../../../sql/trust/logs.ts";
import { findLongestWaitingDelivery } from "../../../sql/trust/webhook-claims.ts";
import { findLongestDue } from "../../../sql/works/schedules.ts";
import { secondsSince } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";

/** What each figure about work that waits tells, and by which label it is told apart. */
export const WAIT_GAUGES = {
  outbox_rows: { help: "Committed changes that wait for a sequencer.", labels: ["sequencer"] },
  outbox_oldest_seconds: { help: "Age of the change that waits longest.", labels: ["sequencer"] },
  schedule_overdue_seconds: { help: "How long the longest due schedule has waited.", labels: [] },
  webhook_overdue_seconds: {
    help: "How long the longest due delivery to a webhook has waited of which none is under way.",
    labels: [],
  },
  log_size: { help: "Entries of the transparency log that goes on; none without a log.", labels: [] },
} as const;

/** One figure of a scrape. */
export interface WaitFigure {
  name: keyof typeof WAIT_GAUGES;
  labels: { sequencer?: string };
  figure: number;
}

/**
 * Reads how long work of the clock and of outboxes has waited, and how far the transparency log has come: each table
 * once for a scrape.
 */
export async function readWaits(deps: Pick<Deps, "pool" | "now">): Promise<WaitFigure[]> {
  const { pool } = deps;
  const backlogs = await measureOutboxes(pool);
  const dueMs = await findLongestDue(pool, deps.now());
  const deliveryMs = await findLongestWaitingDelivery(pool, deps.now());
  const log = await findCurrentLog(pool);
  const nowMs = deps.now();
  const figures: WaitFigure[] = backlogs.flatMap(({ sequencer, rows, oldest_at }) => [
    { name: "outbox_rows", labels: { sequencer }, figure: rows },
    { name: "outbox_oldest_seconds", labels: { sequencer }, figure: secondsSince(oldest_at, nowMs) },
  ]);
  figures.push(
    { name: "schedule_overdue_seconds", labels: {}, figure: secondsSince(dueMs, nowMs) },
    { name: "webhook_overdue_seconds", labels: {}, figure: secondsSince(deliveryMs, nowMs) },
  );
  if (log !== null) figures.push({ name: "log_size", labels: {}, figure: log.size });
  return figures;
}
