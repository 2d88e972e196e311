import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { withClient } from "../../cli/embedded/database.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { findRedis, startRedis } from "../support/redis.ts";
import { type ServiceProcess, until } from "../support/service-process.ts";
import { makeCsvFile } from "./data-files.ts";
import { medianOf } from "./race.ts";
import { type Measurement, printMeasurements } from "./report.ts";

const FILES = 200;
const ROUNDS = 5;
const LEAST_GAIN = 1.5;

/** A backlog of 200 stored files of 10 MiB inspected by one `inspect` worker and by two, on both engines. */
export async function run(): Promise<string[]> {
  const missed = await benchLane("PostgreSQL", undefined);
  if (findRedis() === null) {
    console.log("Redis is left out: there is no redis-server on this machine.");
    return missed;
  }
  const redis = await startRedis();
  try {
    return [...missed, ...(await benchLane("Redis", redis.url))];
  } finally {
    await redis.stop();
  }
}

async function benchLane(lane: string, redisUrl: string | undefined): Promise<string[]> {
  const limits = {
    LIMIT_STORAGE_BYTES: String(FILES * 11 * 1_048_576),
    LIMIT_FILES: "100000",
    UPLOAD_WAIT_MS: "0",
  };
  const service = await openRealService({
    env: { ...limits, ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }) },
  });
  try {
    await storeBacklog(service);
    const times: Record<1 | 2, number[]> = { 1: [], 2: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const workers of [1, 2] as const) times[workers].push(await inspectAll(service, workers));
    }
    const measurements: Measurement[] = [
      { name: "one worker", milliseconds: times[1] },
      { name: "two workers", milliseconds: times[2] },
    ];
    const missed = printMeasurements(
      `A backlog of ${FILES} files of 10 MiB, carried by ${lane}`,
      measurements,
    );
    const gain = medianOf(times[1]) / medianOf(times[2]);
    const told = `${lane}: two workers are ${gain.toFixed(2)} times as fast as one (at least ${LEAST_GAIN} wanted)`;
    console.log(told);
    return gain < LEAST_GAIN ? [...missed, told] : missed;
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

/** Puts all files back to the start and lets so many workers have them; milliseconds until the last one is ready. */
async function inspectAll(service: RealService, count: 1 | 2): Promise<number> {
  const started: ServiceProcess[] = [];
  try {
    for (let worker = 0; worker < count; worker++) started.push(await service.startWorkers(["inspect"]));
    await enqueueAll(service);
    const startedMs = performance.now();
    await waitUntilReady(service);
    return performance.now() - startedMs;
  } finally {
    for (const worker of started) {
      worker.child.kill("SIGTERM");
      await worker.ended;
    }
  }
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

/** Asked by one connection that stays open: a new one for each question would be work for the same processors. */
async function waitUntilReady(service: RealService): Promise<void> {
  await withClient(service.databaseUrl, async (client) => {
    const isReady = async () => {
      const { rows } = await client.query(
        "SELECT NOT EXISTS (SELECT 1 FROM assets WHERE readiness = 'processing') AS is_ready",
      );
      return rows[0]?.is_ready === true;
    };
    await until(isReady, 600_000);
  });
}
