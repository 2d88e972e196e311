import { collectDefaultMetrics, Gauge } from "prom-client";
import type { Deps } from "../../platform/deps.ts";
import { WORKERS } from "../../platform/jobs/catalogue.ts";
import { listLiveProcesses } from "../../platform/process/live-processes.ts";
import { readWaits, WAIT_GAUGES } from "./waits.ts";

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
  const waits = new Map(
    Object.entries(WAIT_GAUGES).map(([name, { help, labels }]) => [
      name,
      gauge<string>(name, help, [...labels]),
    ]),
  );
  const workers = gauge("worker_processes", "Live processes that do the work of a worker.", ["worker"]);
  const pool = gauge("pool_connections", "Connections of this process by state.", ["state"]);
  return async () => {
    setPool(deps, pool);
    try {
      const queues = await deps.jobs.status();
      const { processes } = await listLiveProcesses(deps);
      for (const row of queues) {
        for (const state of STATES) jobs.set({ queue: row.queue, state }, row[state]);
        oldest.set({ queue: row.queue }, row.oldest ?? 0);
      }
      for (const worker of WORKERS) {
        workers.set({ worker }, processes.filter((one) => one.workers.includes(worker)).length);
      }
      const figures = await readWaits(deps);
      // A figure of which there is none now is not shown as it was.
      for (const shown of waits.values()) shown.reset();
      for (const { name, labels, figure } of figures) waits.get(name)?.set(labels, figure);
      up.set(1);
    } catch {
      // Old figures may be wrong, so none are shown.
      for (const known of [jobs, oldest, workers, ...waits.values()]) known.reset();
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
