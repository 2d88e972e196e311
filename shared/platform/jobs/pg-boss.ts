import { type Job, PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { type Pool, sql, type Tx } from "../../../sql/connection/pool.ts";
import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { CATALOGUE, JOB_NAMES, type JobName, type JobPayload } from "./catalogue.ts";
import type { JobHandler, Jobs, NamedJob } from "./queue.ts";
import { deadLetterName, reportQueues, SCHEMA, WANTED_QUEUES, type WantedQueue } from "./queue-options.ts";

const STOP_TIMEOUT_MS = 8_000;
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Creates or updates pg-boss's own schema, and a queue with a dead-letter queue for every job of the
 * catalogue.
 */
export async function installQueues(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: SCHEMA,
    max: 1,
    supervise: false,
    schedule: false,
  });
  const errors: Error[] = [];
  boss.on("error", (error) => errors.push(error));
  await boss.start();
  try {
    for (const queue of WANTED_QUEUES) await installQueue(boss, queue);
  } finally {
    await boss.stop({ graceful: false });
  }
  if (errors[0]) throw errors[0];
}

async function installQueue(boss: PgBoss, { name, policy, options }: WantedQueue): Promise<void> {
  const dead = options.deadLetter;
  if ((await boss.getQueue(dead)) === null) await boss.createQueue(dead, { retryLimit: 0 });
  if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { ...options, policy });
  else await boss.updateQueue(name, options);
}

/** Opens the engine; `works` is true in a process that runs jobs, which then also detects dead workers. */
export async function openPgBoss(
  databaseUrl: string,
  pool: Pool,
  options: { works: boolean; log: Logger },
): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: limitStatements(databaseUrl),
    schema: SCHEMA,
    application_name: "broadsheet-jobs",
    max: options.works ? 2 : 1,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: options.works,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    queueCacheIntervalSeconds: 10,
    useListenNotify: options.works,
  });
  // Only the message: the error object holds the whole connection.
  boss.on("error", (error) => options.log.warn({ reason: error.message }, "job engine reports an error"));
  await boss.start();
  return {
    enqueue: (tx, jobs) => enqueue(boss, tx, jobs),
    async work(name, handler, concurrency) {
      for (let loop = 0; loop < concurrency; loop++) await startLoop(boss, name, handler);
    },
    ...reportQueues(pool),
    retryDead: (name) => boss.redrive(deadLetterName(name)),
    close: () => stopBoss(boss),
  };
}

/** Ends the engine once its jobs have ended, or hands them back after a while. */
async function stopBoss(boss: PgBoss): Promise<void> {
  // A graceful stop looks every 500 ms whether jobs have ended, even where none runs; this is told.
  const ended = Promise.all(JOB_NAMES.map((name) => boss.offWork(name, { wait: true })));
  await withTimeout(ended, STOP_TIMEOUT_MS).catch(() => undefined);
  await boss.stop({ graceful: false });
}

/** Limits the engine's own statements too: a hanging one would hold its locks for ever. */
function limitStatements(databaseUrl: string): string {
  const address = new URL(databaseUrl);
  address.searchParams.set("statement_timeout", String(STATEMENT_TIMEOUT_MS));
  return address.href;
}

/**
 * Enqueues the jobs of each queue by one statement; one whose key has a job that already waits is passed over. As a job
 * waits for another transaction's job of its key, all do so in one order: else two would wait for each other.
 */
async function enqueue(boss: PgBoss, tx: Tx, jobs: readonly NamedJob[]): Promise<void> {
  const db = lendTransaction(tx);
  const placeOf = ({ name, payload }: NamedJob) => `${name} ${keyOf(name, payload).singletonKey ?? ""}`;
  const inOrder = jobs.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  for (const [name, ofQueue] of Map.groupBy(inOrder, (job) => job.name)) {
    const inserted = ofQueue.map(({ payload }) => ({ data: payload, ...keyOf(name, payload) }));
    await boss.insert(name, inserted, { db });
  }
}

function keyOf<Name extends JobName>(name: Name, payload: JobPayload<Name>): { singletonKey?: string } {
  const { onePer } = CATALOGUE[name];
  return onePer === undefined ? {} : { singletonKey: String(Reflect.get(payload, onePer)) };
}

async function startLoop<Name extends JobName>(
  boss: PgBoss,
  name: Name,
  handler: JobHandler<Name>,
): Promise<void> {
  const kind = CATALOGUE[name];
  let loop = "";
  loop = await boss.work<unknown, void>(
    name,
    { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 },
    async ([job]: Job<unknown>[]) => {
      if (!job) return;
      // One notification woke this loop once, however many jobs came while it was busy: without this line,
      // ten uploads at once were taken one every five seconds.
      boss.notifyWorker(loop);
      const payload = kind.payload.parse(job.data) as JobPayload<Name>;
      await handler(payload, { id: job.id, attempt: job.retryCount + 1, signal: job.signal });
    },
  );
}

/** Lets pg-boss run its statements, with their numbered values, in our transaction. */
function lendTransaction(tx: Tx) {
  return {
    async executeSql(text: string, values: unknown[] = []) {
      const result = await tx.query({ ...sql.unsafe``, sql: text, values: values.map(toSqlValue) });
      return { rows: [...result.rows] };
    },
  };
}

function toSqlValue(value: unknown) {
  if (Array.isArray(value)) return value.map(String);
  if (value instanceof Date) return value.toISOString();
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean"
  ) {
    return value;
  }
  throw new Error("the job engine sent a value of an unknown kind");
}
