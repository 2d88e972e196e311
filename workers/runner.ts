import { setTimeout as delay } from "node:timers/promises";
import { type Counts, SWEEPS } from "../shared/care/sweeps.ts";
import {
  CATALOGUE,
  JOB_NAMES,
  type JobName,
  type JobPayload,
  type WorkerName,
} from "../shared/platform/jobs/catalogue.ts";
import type { JobRun } from "../shared/platform/jobs/queue.ts";
import { type OutboxWatch, watchOutbox } from "../shared/platform/outbox/run-sequencer.ts";
import { describeError } from "../shared/platform/telemetry/describe-error.ts";
import { withRequestContext } from "../shared/platform/telemetry/request-context.ts";
import { traceWork } from "../shared/platform/telemetry/tracing.ts";
import type { WorkerContext } from "./context.ts";
import { JOBS, type JobFunction } from "./jobs.ts";

/** The least time between the rounds of a sequencer, after one that failed too. */
const BETWEEN_ROUNDS_MS = 100;
const AFTER_FAILURE_MS = 1_000;
/** How long the same failure of a sweep, which goes on, is not told again. */
const TOLD_AGAIN_MS = 60_000;

// Sweeps that begin at once want a connection each, and PostgreSQL keeps those: one after the other they share one.
const FIRST_SWEEP_MS = 1_000;
const BETWEEN_SWEEPS_MS = 50;

/** Starts the jobs of the named workers; they end with the job engine. */
export async function startJobs(context: WorkerContext, names: readonly WorkerName[]): Promise<void> {
  for (const name of JOB_NAMES) {
    if (names.includes(CATALOGUE[name].worker)) await startJob(context, name);
  }
}

/** Starts the sweeps of the named workers; `stop` lets a running one end. */
export function startSweeps(context: WorkerContext, names: readonly WorkerName[]): { stop(): Promise<void> } {
  const sweeps = SWEEPS.filter((sweep) => names.includes(sweep.worker)).map((sweep, at) => {
    const isNews = rememberFailure();
    const run = () =>
      traceWork(sweep.name, undefined, () =>
        runLogged(context, sweep.name, {}, () => sweep.run(context.deps), isNews),
      );
    const { everyMs, wokenBy } = sweep;
    if (wokenBy !== undefined)
      return repeat(run, { everyMs, firstMs: 0, outbox: watchOutbox(context.deps, wokenBy) });
    return repeat(run, { everyMs, firstMs: FIRST_SWEEP_MS + at * BETWEEN_SWEEPS_MS, outbox: null });
  });
  return {
    async stop() {
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
    },
  };
}

/** Says of each failure whether it was not told within the last minute: a database that is away fails every round. */
function rememberFailure(): (error: unknown) => boolean {
  let last = { message: "", atMs: Number.NEGATIVE_INFINITY };
  return (error) => {
    const { message } = describeError(error);
    const atMs = performance.now();
    if (message === last.message && atMs - last.atMs < TOLD_AGAIN_MS) return false;
    last = { message, atMs };
    return true;
  };
}

async function startJob<Name extends JobName>(context: WorkerContext, name: Name): Promise<void> {
  const doJob: JobFunction<Name> = JOBS[name];
  const handler = async (payload: JobPayload<Name>, run: JobRun) => {
    const { request_id, traceparent, ...ids } = payload;
    const told = { payload: ids, job: run.id, attempt: run.attempt };
    // The log lines of the job, and the jobs that it enqueues, name the request that enqueued it.
    await withRequestContext(request_id === undefined ? null : { requestId: request_id }, () =>
      traceWork(name, traceparent, () =>
        runLogged(context, name, told, () => doJob(context, payload, run).then(() => undefined)),
      ),
    );
  };
  await context.deps.jobs.work(name, handler, context.deps.config.workerConcurrency);
}

/** The one wrapper around all work: run, time, log; a failure is thrown on, for the engine to try again. */
async function runLogged(
  { deps: { log, metrics } }: WorkerContext,
  name: string,
  told: object,
  work: () => Promise<Counts | undefined>,
  isNews: (error: unknown) => boolean = () => true,
): Promise<void> {
  const startedMs = performance.now();
  try {
    const outcome = await work();
    const took = Math.round(performance.now() - startedMs);
    metrics.workSeconds.observe({ work: name, outcome: "done" }, took / 1000);
    // A sweep that found nothing is not logged.
    if (outcome === undefined || Object.values(outcome).some((count) => count > 0))
      log.info({ ...told, work: name, took_ms: took, outcome }, "work done");
  } catch (error) {
    const took = Math.round(performance.now() - startedMs);
    metrics.workSeconds.observe({ work: name, outcome: "failed" }, took / 1000);
    log[isNews(error) ? "error" : "debug"]({ ...told, work: name, took_ms: took, err: error }, "work failed");
    throw error;
  }
}

/**
 * Calls work again and again, the first time after `firstMs` at most: with a pause between two calls, or as soon as
 * something was committed to the watched outbox.
 */
function repeat(
  work: () => Promise<void>,
  { everyMs, firstMs, outbox }: { everyMs: number; firstMs: number; outbox: Promise<OutboxWatch> | null },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  const run = async () => {
    const watch = await outbox;
    await pause(Math.min(firstMs, everyMs));
    while (!signal.aborted) {
      // The failure was logged; the next round tries again.
      const failed = await work().then(
        () => false,
        () => true,
      );
      if (watch === null) await pause(everyMs);
      else {
        // What is committed within a moment is one round's work: acts wait for the commits of rounds.
        await pause(failed ? AFTER_FAILURE_MS : BETWEEN_ROUNDS_MS);
        if (!signal.aborted) await watch.next(everyMs);
      }
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      (await outbox)?.close();
      await running;
    },
  };
}
