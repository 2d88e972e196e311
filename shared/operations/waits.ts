import { measureOutbox } from "../../sql/event-outbox.ts";
import { findBacklog } from "../../sql/log-outbox.ts";
import { findCurrentLog } from "../../sql/logs.ts";
import { findLongestDue } from "../../sql/schedules.ts";
import { findLongestWaitingDelivery } from "../../sql/webhook-claims.ts";
import type { Deps } from "../deps.ts";

/** A figure about work that waits, which each scrape reads from the database. */
export interface WaitGauge {
  name: string;
  help: string;
  labels?: Record<string, string>;
  /** The figure; null where there is none to show. */
  read(deps: Deps): Promise<number | null>;
}

const EVENTS = { sequencer: "events" };

/** How long work of the clock and of outboxes has waited, and how far the transparency log has come. */
export const WAIT_GAUGES: readonly WaitGauge[] = [
  {
    name: "outbox_rows",
    help: "Committed changes that wait for a sequencer.",
    labels: EVENTS,
    read: async (deps) => (await measureOutbox(deps.pool, deps.now())).rows,
  },
  {
    name: "outbox_oldest_seconds",
    help: "Age of the change that waits longest.",
    labels: EVENTS,
    read: async (deps) => (await measureOutbox(deps.pool, deps.now())).oldest,
  },
  {
    name: "schedule_overdue_seconds",
    help: "How long the longest due schedule has waited.",
    read: async (deps) => secondsSince(deps, await findLongestDue(deps.pool, deps.now())),
  },
  {
    name: "webhook_overdue_seconds",
    help: "How long the longest due delivery to a webhook has waited of which none is under way.",
    read: async (deps) => secondsSince(deps, await findLongestWaitingDelivery(deps.pool, deps.now())),
  },
  {
    name: "log_size",
    help: "Entries of the transparency log that goes on; none without a log.",
    read: async (deps) => (await findCurrentLog(deps.pool))?.size ?? null,
  },
  {
    name: "log_waiting_seconds",
    help: "How long the oldest publication has waited for the transparency log; 0 while it is off.",
    async read(deps) {
      if ((await findCurrentLog(deps.pool)) === null) return 0;
      return secondsSince(deps, (await findBacklog(deps.pool)).oldest_at);
    },
  },
];

/** How long ago a timestamp is, in seconds; 0 for none. */
function secondsSince({ now }: Pick<Deps, "now">, ms: number | null): number {
  return ms === null ? 0 : Math.max(0, now() - ms) / 1000;
}
