import { type Job, Queue, UnrecoverableError, Worker } from "bullmq";
import type { Logger } from "pino";
import { afterCommit } from "../../../sql/connection/after-commit.ts";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import type { QueueRow } from "../../../sql/platform/job-queues.ts";
import { ConfigError } from "../../ground/errors.ts";
import { waitWithoutPlace } from "../concurrency/places.ts";
import { CATALOGUE, JOB_NAMES, type JobName, type JobPayload } from "./catalogue.ts";
import type { FailedJob, JobHandler, Jobs } from "./queue.ts";
import { openRedis, type RedisConnection, readEvictionPolicy, waitUntilReady } from "./redis.ts";

/** Braces put all keys of a queue into one hash slot of a cluster. */
const PREFIX = "{broadsheet}";
/** How long an answer waits for its job to be added; the sweep finds a lost job. */
const ADD_MS = 50;
const COMMAND_MS = 5_000;
const STOP_MS = 8_000;
/** A killed worker's job restarts after about ten seconds; the engine's default is a minute. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
const KEPT = { completed: { count: 100, age: 3_600 }, failed: { count: 5_000 } };

/** Opens the engine on Redis; a worker process refuses to start where a full Redis may drop jobs. */
export async function openBullMq(url: string, options: { works: boolean; log: Logger }): Promise<Jobs> {
  const { works, log } = options;
  const connection = openRedis(url, { waits: false, timeoutMs: COMMAND_MS, log, purpose: "jobs" });
  const queues = openQueues(connection, log);
  if (works) await checkEviction(connection, log);
  const workers: Worker[] = [];
  const waiting: RedisConnection[] = [];
  return {
    async enqueue(_tx, jobs) {
      for (const { name, payload } of jobs) {
        afterCommit(() => enqueue(queues[name], connection, name, payload, log));
      }
    },
    async work(name, handler, concurrency) {
      const own = openRedis(url, { waits: true, log, purpose: `works-${name}` });
      waiting.push(own);
      workers.push(startWorker(own, name, handler, concurrency, log));
    },
    status: async () => {
      await expectRedis(connection);
      return await Promise.all(JOB_NAMES.map((name) => readStatus(queues[name], name)));
    },
    failures: async (most) => {
      await expectRedis(connection);
      const found = await Promise.all(JOB_NAMES.map((name) => readFailures(queues[name], name, most)));
      return found
        .flat()
        .toSorted((a, b) => b.failedAtMs - a.failedAtMs)
        .slice(0, most);
    },
    retryDead: async (name) => {
      await expectRedis(connection);
      return await retryFailed(queues[name]);
    },
    async close() {
      await Promise.all(workers.map(stopWorker));
      await Promise.all(Object.values(queues).map((queue) => queue.close().catch(() => undefined)));
      for (const one of [...waiting, connection]) one.disconnect();
    },
  };
}

function openQueues(connection: RedisConnection, log: Logger): Record<JobName, Queue> {
  const queues = JOB_NAMES.map((name) => [name, openQueue(connection, name, log)]);
  return Object.fromEntries(queues);
}

function openQueue(connection: RedisConnection, name: JobName, log: Logger): Queue {
  const queue = new Queue(name, { connection, prefix: PREFIX });
  // The connection logs its own errors; other errors are logged here instead of ending the process.
  queue.on("error", (error) =>
    log.debug({ reason: error.message, queue: name }, "job engine reports an error"),
  );
  return queue;
}

async function checkEviction(connection: RedisConnection, log: Logger): Promise<void> {
  if (!(await waitUntilReady(connection, 2_000))) return;
  const policy = await readEvictionPolicy(connection);
  if (policy === null || policy === "noeviction") return;
  log.error({ policy }, "Redis drops keys when its memory is full: set maxmemory-policy noeviction");
  throw new Error(`Redis has maxmemory-policy ${policy}, which may drop jobs: set it to noeviction.`);
}

/**
 * Adds a job after the commit, in at most 50 ms; an unavailable, full or slow Redis costs time and never the
 * work.
 */
async function enqueue<Name extends JobName>(
  queue: Queue,
  connection: RedisConnection,
  name: Name,
  payload: JobPayload<Name>,
  log: Logger,
): Promise<void> {
  // Until the connection is ready, commands would pile up in memory, one per request.
  if (connection.status !== "ready") return;
  const added = queue.add(name, payload, describeJob(name, payload)).catch((error: Error) => {
    log.warn({ reason: error.message, queue: name }, "a job was lost; the sweep finds its work");
  });
  await waitWithoutPlace(() => withTimeout(added, ADD_MS)).catch(() => undefined);
}

function describeJob<Name extends JobName>(name: Name, payload: JobPayload<Name>) {
  const kind = CATALOGUE[name];
  const options = {
    attempts: kind.attempts,
    backoff: { type: "exponential", delay: 1_000, jitter: 0.5 },
    removeOnComplete: KEPT.completed,
    removeOnFail: KEPT.failed,
  };
  if (kind.onePer !== undefined) {
    const id = String(Reflect.get(payload, kind.onePer));
    return { ...options, deduplication: { id, keepLastIfActive: true } };
  }
  // The engine ignores an id that it still knows, a failed one too: a job enqueued again has a further
  // attempt.
  const jobId = `${name}-${String(Reflect.get(payload, kind.row))}-${Reflect.get(payload, "attempt")}`;
  return { ...options, jobId };
}

function startWorker<Name extends JobName>(
  connection: RedisConnection,
  name: Name,
  handler: JobHandler<Name>,
  concurrency: number,
  log: Logger,
): Worker {
  const kind = CATALOGUE[name];
  const worker = new Worker(
    name,
    async (job: Job, _token?: string, cancelled?: AbortSignal) => {
      const payload = kind.payload.safeParse(job.data);
      if (!payload.success) throw new UnrecoverableError("the job's payload is not of its kind");
      const timeUp = AbortSignal.timeout(kind.timeoutSeconds * 1_000);
      const signal = cancelled === undefined ? timeUp : AbortSignal.any([timeUp, cancelled]);
      const run = { id: job.id ?? "", attempt: job.attemptsMade + 1, signal };
      await Promise.race([handler(payload.data as JobPayload<Name>, run), rejectWhenUp(signal)]);
    },
    {
      connection,
      prefix: PREFIX,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // A job that kills its worker becomes a dead letter after as many tries as one that fails.
      maxStalledCount: kind.attempts - 1,
    },
  );
  worker.on("error", (error) =>
    log.debug({ reason: error.message, queue: name }, "job engine reports an error"),
  );
  return worker;
}

function rejectWhenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new Error("the job's time was up, or its worker stops"));
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
}

/** Lets running jobs end; after eight seconds they are cancelled and their locks expire. */
async function stopWorker(worker: Worker): Promise<void> {
  const timer = setTimeout(() => worker.cancelAllJobs("the worker stops"), STOP_MS);
  const force = setTimeout(() => void worker.close(true).catch(() => undefined), STOP_MS + 500);
  await worker.close().catch(() => undefined);
  clearTimeout(timer);
  clearTimeout(force);
}

async function expectRedis(connection: RedisConnection): Promise<void> {
  if (!(await waitUntilReady(connection, 2_000)))
    throw new ConfigError("Redis does not answer: check REDIS_URL and the server behind it.");
}

async function readStatus(queue: Queue, name: JobName): Promise<QueueRow> {
  const counts = await queue.getJobCounts("waiting", "prioritized", "active", "delayed", "failed");
  const [first] = await queue.getJobs(["waiting"], 0, 0, true);
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
  const oldest = first === undefined ? null : Math.max(0, Math.floor((Date.now() - first.timestamp) / 1_000));
  return { queue: name, waiting: waiting + prioritized, active, delayed, failed, oldest };
}

async function readFailures(queue: Queue, name: JobName, most: number): Promise<FailedJob[]> {
  const jobs = await queue.getFailed(0, most - 1);
  return jobs.map((job) => ({
    queue: name,
    id: job.id ?? "",
    failedAtMs: job.finishedOn ?? job.timestamp,
    reason: job.failedReason.split("\n")[0] ?? "",
    payload: job.data,
  }));
}

async function retryFailed(queue: Queue): Promise<number> {
  let retried = 0;
  for (const job of await queue.getFailed(0, -1)) {
    await job.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true });
    retried++;
  }
  return retried;
}
