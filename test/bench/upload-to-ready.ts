import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { withClient } from "../../cli/embedded/database.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openRealService } from "../support/real-service.ts";
import { makeCsv } from "../support/seeded-csv.ts";
import type { ServiceProcess } from "../support/service-process.ts";
import { type Measurement, printMeasurements } from "./report.ts";

const BYTES = 1024 * 1024;
const WARM_UPS = 5;
const ROUNDS = 25;
/** Between two uploads the service comes to rest. */
const REST_MS = 150;

interface Upload {
  assetId: string;
  sentMs: number;
  answeredMs: number;
}

/** A CSV of 1 MiB is uploaded; the answer says that it is ready. Real processes, one upload at a time. */
async function benchUploadToReady(): Promise<{ postgres: string; measurements: Measurement[] }> {
  // Commit times tell exactly when a worker could have started.
  const service = await openRealService({ settings: { track_commit_timestamp: "on" } });
  try {
    const [api, workers] = await Promise.all([service.startApi(), service.startWorkers()]);
    const { token } = await enrolAgent(service.deps, api.url, "bench");
    const uploads: Upload[] = [];
    for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
      const upload = await uploadOnce(api.url, token, round);
      if (round >= WARM_UPS) uploads.push(upload);
      await delay(REST_MS);
    }
    const commits = await readCommits(service.databaseUrl);
    return {
      postgres: commits.version,
      measurements: measure(uploads, commits.byAsset, readInspections(workers)),
    };
  } finally {
    await service.close();
  }
}

async function uploadOnce(url: string, token: string, seed: number): Promise<Upload> {
  const body = formOf("readings.csv", makeCsv(BYTES, seed));
  const sentMs = nowMs();
  const reply = await send(url, { method: "POST", path: "/api/v1/assets", token, key: randomUUID(), body });
  const answeredMs = nowMs();
  if (reply.json?.data?.readiness !== "ready") throw new Error(`the upload answered ${reply.text}`);
  return { assetId: reply.json.data.id, sentMs, answeredMs };
}

function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** When the transaction of each upload was committed, job included. */
async function readCommits(databaseUrl: string): Promise<{ version: string; byAsset: Map<string, number> }> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(`
      SELECT subject_id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at
      FROM audit_log WHERE action = 'asset.upload'`);
    const version = (await client.query("SHOW server_version")).rows[0].server_version;
    return { version, byAsset: new Map(rows.map((row) => [row.subject_id, row.at])) };
  });
}

interface Inspection {
  startedMs: number;
  endedMs: number;
}

/** The worker's log has the end and the length of each job, in whole milliseconds. */
function readInspections(workers: ServiceProcess): Map<string, Inspection> {
  const lines = workers.lines.filter((line) => line.work === "inspect-asset" && line.msg === "work done");
  return new Map(
    lines.map((line) => {
      const endedMs = Number(line.time);
      const { asset_id } = line.payload as { asset_id: string };
      return [asset_id, { startedMs: endedMs - Number(line.took_ms), endedMs }];
    }),
  );
}

function measure(
  uploads: readonly Upload[],
  commits: ReadonlyMap<string, number>,
  inspections: ReadonlyMap<string, Inspection>,
): Measurement[] {
  const parts = uploads.map(({ assetId, sentMs, answeredMs }) => {
    const committedMs = commits.get(assetId) ?? Number.NaN;
    const { startedMs, endedMs } = inspections.get(assetId) ?? { startedMs: Number.NaN, endedMs: Number.NaN };
    return {
      all: answeredMs - sentMs,
      receive: committedMs - sentMs,
      wake: startedMs - committedMs,
      inspect: endedMs - startedMs,
      answer: answeredMs - endedMs,
    };
  });
  return [
    { name: "upload to ready", milliseconds: parts.map((part) => part.all), target: 150 },
    { name: "· receive, hash, store, commit", milliseconds: parts.map((part) => part.receive) },
    { name: "· queue and wake-up", milliseconds: parts.map((part) => part.wake), target: 15 },
    { name: "· inspect and save", milliseconds: parts.map((part) => part.inspect) },
    { name: "· wake the request and answer", milliseconds: parts.map((part) => part.answer) },
  ];
}

/** Prints the times of an upload and of its parts; tells what was missed. */
export async function run(): Promise<string[]> {
  const { postgres, measurements } = await benchUploadToReady();
  return printMeasurements(`A CSV of 1 MiB, from upload to ready (PostgreSQL ${postgres})`, measurements);
}
