import { collectDefaultMetrics, Gauge } from "prom-client";
import { findBacklog } from "../../sql/log-outbox.ts";
import { findCurrentLog } from "../../sql/logs.ts";
import { findLongestDue } from "../../sql/schedules.ts";
import { findLongestWaitingDelivery } from "../../sql/webhook-deliveries.ts";
import type { Deps } from "../deps.ts";
import { WORKERS } from "../jobs/catalogue.ts";
import { listLiveProcesses } from "../process/live-processes.ts";

const STATES = ["waiting", "active", "delayed", "failed"] as const;

/**
 * Adds the gauges that each scrape reads: queues, schedules, the pool, and the process with its event loop.
 * Returns the function that reads them; an unavailable database fails no scrape.
 */
export function addGauges(deps: Deps): () => Promise<void> {
  const { registry } = deps.metrics;
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `broadsheet_${name}`, help, labelNames, registers });
  const up = gauge("database_up", "1 while the database answers a scrape.");
  const jobs = gauge("queue_jobs", "Jobs of a queue by state, the same in every process.", [
    "queue",
    "state",
  ]);
  const oldest = gauge("queue_oldest_seconds", "Age of the job that waits longest.", ["queue"]);
  const overdue = gauge("schedule_overdue_seconds", "How long the longest due schedule has waited.");
  const logged = gauge("log_size", "Entries of the transparency log that goes on; none without a log.");
  const unlogged = gauge(
    "log_waiting_seconds",
    "How long the oldest publication has waited for the transparency log; 0 while it is off.",
  );
  const undelivered = gauge(
    "webhook_overdue_seconds",
    "How long the longest due delivery to a webhook has waited of which none is under way.",
  );
  const workers = gauge("worker_processes", "Live processes that do the work of a worker.", ["worker"]);
  const pool = gauge("pool_connections", "Connections of this process by state.", ["state"]);
  return async () => {
    setPool(deps, pool);
    try {
      const queues = await deps.jobs.status();
      const { processes } = await listLiveProcesses(deps);
      const dueMs = await findLongestDue(deps.pool, deps.now());
      const waitingMs = await findLongestWaitingDelivery(deps.pool, deps.now());
      for (const row of queues) {
        for (const state of STATES) jobs.set({ queue: row.queue, state }, row[state]);
        oldest.set({ queue: row.queue }, row.oldest ?? 0);
      }
      for (const worker of WORKERS) {
        workers.set({ worker }, processes.filter((one) => one.workers.includes(worker)).length);
      }
      overdue.set(secondsSince(deps, dueMs));
      undelivered.set(secondsSince(deps, waitingMs));
      const log = await findCurrentLog(deps.pool);
      if (log !== null) logged.set(log.size);
      unlogged.set(log === null ? 0 : secondsSince(deps, (await findBacklog(deps.pool)).oldest_at));
      up.set(1);
    } catch {
      // Old figures may be wrong, so none are shown.
      for (const known of [jobs, oldest, overdue, undelivered, logged, unlogged, workers]) known.reset();
      up.set(0);
    }
  };
}

/** How long ago a timestamp is, in seconds. */
function secondsSince({ now }: Pick<Deps, "now">, ms: number | null): number {
  return ms === null ? 0 : Math.max(0, now() - ms) / 1000;
}

function setPool(deps: Deps, pool: Gauge<"state">): void {
  const state = deps.pool.state();
  pool.set({ state: "in_use" }, state.acquiredConnections);
  pool.set({ state: "idle" }, state.idleConnections);
  pool.set({ state: "waited_for" }, state.waitingClients);
}
