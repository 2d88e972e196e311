import { collectDefaultMetrics, Gauge } from "prom-client";
import { measureOutboxes } from "../../../sql/platform/outbox.ts";
import { BACKED_UP_AT, findServiceSetting } from "../../../sql/platform/service-settings.ts";
import { listWitnesses } from "../../../sql/trust/log-witnesses.ts";
import { findCurrentLog } from "../../../sql/trust/logs.ts";
import { findLongestWaitingDelivery } from "../../../sql/trust/webhook-claims.ts";
import { findLongestDue } from "../../../sql/works/schedules.ts";
import { secondsSince } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { WORKERS } from "../../platform/jobs/catalogue.ts";
import { listLiveProcesses } from "../../platform/process/live-processes.ts";
import { listClosedPaths } from "../doctor/closed-paths.ts";

/** What each figure about work that waits tells, and by which label it is told apart. */
const WAIT_GAUGES = {
  outbox_rows: { help: "Committed changes that wait for a sequencer.", labels: ["sequencer"] },
  outbox_oldest_seconds: { help: "Age of the change that waits longest.", labels: ["sequencer"] },
  schedule_overdue_seconds: { help: "How long the longest due schedule has waited.", labels: [] },
  webhook_overdue_seconds: {
    help: "How long the longest due delivery to a webhook has waited of which none is under way.",
    labels: [],
  },
  log_size: { help: "Entries of the transparency log that goes on; none without a log.", labels: [] },
  log_witness_size: {
    help: "Entries of the newest checkpoint of the transparency log that a witness signed.",
    labels: ["witness"],
  },
  backup_age_seconds: { help: "Age of the newest backup that misses nothing; none without one.", labels: [] },
} as const;

/** One figure of a scrape. */
interface WaitFigure {
  name: keyof typeof WAIT_GAUGES;
  labels: { sequencer?: string; witness?: string };
  figure: number;
}

/**
 * Reads how long work of the clock and of outboxes has waited, how far the transparency log has come, and how old the
 * newest backup is: each table once for a scrape.
 */
export async function readWaits(deps: Pick<Deps, "pool" | "now">): Promise<WaitFigure[]> {
  const { pool } = deps;
  const backlogs = await measureOutboxes(pool);
  const dueMs = await findLongestDue(pool, deps.now());
  const deliveryMs = await findLongestWaitingDelivery(pool, deps.now());
  const log = await findCurrentLog(pool);
  const backupAt = await findServiceSetting(pool, BACKED_UP_AT);
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
  const witnesses = log?.asked_size == null ? [] : await listWitnesses(pool);
  for (const { name, last_log, last_size } of witnesses) {
    const figure = last_log === log?.number ? (last_size ?? 0) : 0;
    figures.push({ name: "log_witness_size", labels: { witness: name }, figure });
  }
  if (backupAt !== null) {
    const figure = secondsSince(Date.parse(backupAt), nowMs);
    figures.push({ name: "backup_age_seconds", labels: {}, figure });
  }
  return figures;
}

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
  const closed = gauge(
    "closed_paths",
    "Files and folders of its own that this process cannot read or write.",
  );
  const pool = gauge("pool_connections", "Connections of this process by state.", ["state"]);
  return async () => {
    setPool(deps, pool);
    closed.set((await listClosedPaths(deps.config)).length);
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
      for (const shown of waits.values()) forget(shown);
      for (const { name, labels, figure } of figures) waits.get(name)?.set(labels, figure);
      up.set(1);
    } catch {
      // Old figures may be wrong, so none are shown.
      for (const known of [jobs, oldest, workers, ...waits.values()]) forget(known);
      up.set(0);
    }
  };
}

/** Has a gauge show nothing; reset alone leaves 0 where there are no labels. */
function forget(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}

function setPool(deps: Deps, pool: Gauge<"state">): void {
  const state = deps.pool.state();
  pool.set({ state: "in_use" }, state.acquiredConnections);
  pool.set({ state: "idle" }, state.idleConnections);
  pool.set({ state: "waited_for" }, state.waitingClients);
}
