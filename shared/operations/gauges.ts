import { collectDefaultMetrics, Gauge } from "prom-client";
import { measureOutbox } from "../../sql/event-outbox.ts";
import { findLongestDue } from "../../sql/schedules.ts";
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
  const outboxRows = gauge("outbox_rows", "Committed changes that wait for a sequencer.", ["sequencer"]);
  const outboxOldest = gauge("outbox_oldest_seconds", "Age of the change that waits longest.", ["sequencer"]);
  const workers = gauge("worker_processes", "Live processes that do the work of a worker.", ["worker"]);
  const pool = gauge("pool_connections", "Connections of this process by state.", ["state"]);
  return async () => {
    setPool(deps, pool);
    try {
      const queues = await deps.jobs.status();
      const { processes } = await listLiveProcesses(deps);
      const dueMs = await findLongestDue(deps.pool, deps.now());
      for (const row of queues) {
        for (const state of STATES) jobs.set({ queue: row.queue, state }, row[state]);
        oldest.set({ queue: row.queue }, row.oldest ?? 0);
      }
      for (const worker of WORKERS) {
        workers.set({ worker }, processes.filter((one) => one.workers.includes(worker)).length);
      }
      const outbox = await measureOutbox(deps.pool, deps.now());
      outboxRows.set({ sequencer: "events" }, outbox.rows);
      outboxOldest.set({ sequencer: "events" }, outbox.oldest);
      overdue.set(dueMs === null ? 0 : Math.max(0, deps.now() - dueMs) / 1000);
      up.set(1);
    } catch {
      // Old figures may be wrong, so none are shown.
      for (const known of [jobs, oldest, overdue, outboxRows, outboxOldest, workers]) known.reset();
      up.set(0);
    }
  };
}

function setPool(deps: Deps, pool: Gauge<"state">): void {
  const state = deps.pool.state();
  pool.set({ state: "in_use" }, state.acquiredConnections);
  pool.set({ state: "idle" }, state.idleConnections);
  pool.set({ state: "waited_for" }, state.waitingClients);
}
