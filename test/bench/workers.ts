import { randomUUID } from "node:crypto";
import { on } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "../../cli/embedded/database.ts";
import { ASSET_SETTLED_CHANNEL } from "../../sql/datasets/assets.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { findRedis, startRedis, type TestRedis } from "../support/redis.ts";
import { readPostmasterPid, type ServiceProcess, startProcess } from "../support/service-process.ts";
import { makeCsvFile } from "./data-files.ts";
import { readProcessor } from "./processor-time.ts";
import { type Inspected, mapUsed, type Runs, report, type Used } from "./workers-figures.ts";

const FILES = 120;
/** The first files of each worker are not counted: it starts its thread with them, and compiles. */
const WARM_UP = 10;
const ROUNDS = 5;

/**
 * A backlog of stored files of 10 MiB inspected by one `inspect` worker and by two, on both engines; beside them, in turn,
 * by one process and by two without a queue and a database. Two workers are to be 1.8 times as fast as one, or as near to
 * it as two bare processes and the processor time of one worker allow.
 */
export async function run(): Promise<string[]> {
  const missed = await benchLane("PostgreSQL", null);
  if (findRedis() === null) {
    console.log("Redis is left out: there is no redis-server on this machine.");
    return missed;
  }
  const redis = await startRedis();
  try {
    return [...missed, ...(await benchLane("Redis", redis))];
  } finally {
    await redis.stop();
  }
}

async function benchLane(lane: string, redis: TestRedis | null): Promise<string[]> {
  const limits = {
    LIMIT_STORAGE_BYTES: String(FILES * 11 * 1_048_576),
    LIMIT_FILES: "100000",
    UPLOAD_WAIT_MS: "0",
  };
  const service = await openRealService({
    env: { ...limits, ...(redis === null ? {} : { REDIS_URL: redis.url }) },
  });
  try {
    await storeBacklog(service);
    const runs: Runs = { workers: { 1: [], 2: [] }, bare: { 1: [], 2: [] } };
    for (let round = 0; round < ROUNDS; round++) {
      for (const count of [1, 2] as const) {
        runs.bare[count].push(await inspectBare(service, count));
        runs.workers[count].push(await inspectAll(service, redis, count));
      }
    }
    return report(lane, runs);
  } finally {
    await service.close();
    await rm(service.dataDir, { recursive: true, force: true });
  }
}

async function storeBacklog(service: RealService): Promise<void> {
  const api = await service.startApi();
  const { token } = await enrolAgent(service.deps, api.url, "backlog");
  const content = new Uint8Array(makeCsvFile());
  for (let file = 0; file < FILES; file++) {
    const body = formOf("table.csv", content);
    const headers = { prefer: "respond-async" };
    const reply = await send(api.url, {
      ...{ method: "POST", path: "/api/v1/assets", token, key: randomUUID(), headers, body },
    });
    if (reply.status !== 201) throw new Error(reply.text);
  }
  api.child.kill("SIGTERM");
  await api.ended;
}

/** The backlog inspected by so many processes without a queue; milliseconds for each file. */
async function inspectBare({ dataDir, databaseUrl }: RealService, count: 1 | 2): Promise<number> {
  const keys = await withClient(databaseUrl, async (client) =>
    (await client.query<{ id: string }>("SELECT id FROM assets")).rows.map(({ id }) => id),
  );
  const args = [join(import.meta.dirname, "bare-inspections.ts"), `file:${join(dataDir, "files")}`];
  const inspecting = Array.from({ length: count }, (_, index) => {
    const own = keys.filter((_, at) => at % count === index);
    const given = [JSON.stringify(own.slice(0, WARM_UP)), JSON.stringify(own.slice(WARM_UP))];
    return startProcess({ command: process.execPath, args: [...args, ...given], env: process.env });
  });
  await Promise.all(inspecting.map((process) => process.said("bare ready")));
  for (const { child } of inspecting) child.kill("SIGUSR2");
  const took = await Promise.all(inspecting.map((process) => process.said("bare done", 600_000)));
  await Promise.all(inspecting.map(({ ended }) => ended));
  return Math.max(...took.map(({ ms }) => Number(ms))) / (FILES - count * WARM_UP);
}

/** Puts all files back to the start and lets so many workers have them. */
async function inspectAll(service: RealService, redis: TestRedis | null, count: 1 | 2): Promise<Inspected> {
  await forgetJobs(service, redis);
  const started: ServiceProcess[] = [];
  try {
    for (let worker = 0; worker < count; worker++) started.push(await service.startWorkers(["inspect"]));
    const pids = {
      workers: started.map(({ pid }) => pid),
      PostgreSQL: [await readPostmasterPid(service.dataDir)],
      Redis: redis === null ? [] : [redis.pid()],
    };
    return await withClient(service.databaseUrl, async (client) => {
      const verdicts = on(client, "notification", { signal: AbortSignal.timeout(600_000) });
      const take = async (most: number) => {
        for (let taken = 0; taken < most; taken++) await verdicts.next();
      };
      await client.query(`LISTEN ${ASSET_SETTLED_CHANNEL}`);
      await enqueueAll(service);
      await take(count * WARM_UP);
      const [before, startedMs] = [readUsed(pids), performance.now()];
      const files = FILES - count * WARM_UP;
      await take(files);
      const [after, tookMs] = [readUsed(pids), performance.now() - startedMs];
      return { fileMs: tookMs / files, used: mapUsed((name) => (after[name] - before[name]) / files) };
    });
  } finally {
    for (const worker of started) {
      worker.child.kill("SIGTERM");
      await worker.ended;
    }
  }
}

/** What is made of files behind their verdicts is no part of it. */
async function forgetJobs({ databaseUrl }: RealService, redis: TestRedis | null): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query("DELETE FROM pgboss.job_common; DELETE FROM parquet_orders"),
  );
  await redis?.flush();
}

function readUsed(pids: Record<Exclude<keyof Used, "bench">, readonly number[]>): Used {
  // The children of the bench are the others.
  const { user, system } = process.cpuUsage();
  return mapUsed((name) =>
    name === "bench" ? (user + system) / 1_000 : pids[name].reduce((sum, pid) => sum + readProcessor(pid), 0),
  );
}

/** What the sweep does with uploads that hang, for all of them at once. */
async function enqueueAll(service: RealService): Promise<void> {
  const { deps } = service;
  const ids = await withClient(service.databaseUrl, async (client) => {
    await client.query(
      "UPDATE assets SET readiness = 'processing', inspection = NULL, tables = NULL, reading_index = NULL, stats = NULL, readiness_progress = 0, attempt = attempt + 1, attempt_started_at = now()",
    );
    return (await client.query("SELECT id, attempt FROM assets")).rows as { id: string; attempt: number }[];
  });
  await deps.pool.transaction(async (tx) => {
    for (const { id, attempt } of ids)
      await deps.jobs.enqueue(tx, "inspect-asset", { asset_id: id, attempt });
  });
}
