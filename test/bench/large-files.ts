// A CSV of 1.1 GB and 16 million rows from the upload to its Parquet, in real processes: times beside DuckDB on the same
// file, memory by /proc, and how long a probe waits meanwhile. Then hostile files. BENCH_BYTES makes a smaller one.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, openAsBlob, readFileSync, statSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { READ_BYTES } from "../../shared/platform/files/disk.ts";
import { inspectFile } from "../../shared/tables/inspection/inspect.ts";
import { decodeIndex } from "../../shared/tables/inspection/reading-index.ts";
import type { TableInspection } from "../../shared/tables/inspection/verdict.ts";
import { writeParquet } from "../../shared/tables/parquet/write-parquet.ts";
import { openTable, type Source } from "../../shared/tables/rows/windows.ts";
import { openPublisher, ROOMY } from "../support/publisher.ts";
import { openRealService } from "../support/real-service.ts";
import { HOSTILE, writeAgain, writeTable } from "./large-data.ts";
import { openPeer } from "./peers.ts";
import { medianOf } from "./race.ts";

const BYTES = Number(process.env.BENCH_BYTES ?? 1_100_000_000);
const MB = 1_000_000;
/** What a figure may be at most, in seconds, megabytes, milliseconds, or times DuckDB's. */
const MOST = {
  ready: 25,
  uploadMemory: 150,
  madeMemory: 300,
  page: 20,
  condition: 2,
  parquet: 3.5,
};
const ENV = {
  ...ROOMY,
  LIMIT_FILE_BYTES: "4GB",
  LIMIT_TEXT_BYTES: "1000GB",
};
const PAGES = 41;
/** The most bytes of a group of rows. */
const GROUP_BYTES = 16_777_216;

/** Follows the resident memory of a process above what it has now, in megabytes. */
function followMemory(pid: number) {
  const read = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024;
  const rest = read();
  let most = rest;
  const timer = setInterval(() => {
    most = Math.max(most, read());
  }, 20);
  return () => {
    clearInterval(timer);
    return Math.round((Math.max(most, read()) - rest) / MB);
  };
}

/** Asks for a probe all the time; gives the longest that it waited, in milliseconds. */
function followProbe(url: string) {
  const state = { most: 0, isOver: false };
  const asking = (async () => {
    while (!state.isOver) {
      const since = performance.now();
      await fetch(`${url}/healthz`).then(
        (answer) => answer.text(),
        () => undefined,
      );
      state.most = Math.max(state.most, performance.now() - since);
      await pause(5);
    }
  })();
  return async () => {
    state.isOver = true;
    await asking;
    return Math.round(state.most);
  };
}

const timed = async <Result>(work: () => Promise<Result>): Promise<[number, Result]> => {
  const since = performance.now();
  const result = await work();
  return [(performance.now() - since) / 1_000, result];
};

/** The median time of three rounds, in seconds. */
async function timeRounds(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) times.push((await timed(work))[0]);
  return medianOf(times);
}

/** Opens the writing of a table as Parquet, as a thread of the service writes it. */
async function openWriter(path: string, to: string): Promise<() => Promise<void>> {
  const source: Source = (range) => createReadStream(path, { ...range, highWaterMark: READ_BYTES });
  const verdict = await inspectFile(source(), "csv");
  const index = verdict.ok && verdict.readingIndex !== null ? decodeIndex(verdict.readingIndex) : null;
  const table = index?.tables[0];
  if (!verdict.ok || table === undefined) throw new Error("the table was refused");
  const { columns, row_count: rowCount } = verdict.inspection as TableInspection;
  const room = Buffer.allocUnsafeSlow(2 * GROUP_BYTES);
  const read = openTable(source, (byteCount) => room.subarray(0, byteCount), table);
  return () => pipeline(writeParquet({ format: "csv", columns, rowCount, read }, ""), createWriteStream(to));
}

/** Measures the file in each of its ways; tells what is above its target. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: ENV });
  const path = join(service.dataDir, "readings.csv");
  const missed: string[] = [];
  const say = (name: string, value: number, unit: string, most: number | null = null) => {
    console.log(`${name}: ${Number(value.toPrecision(3))} ${unit}${most === null ? "" : ` (must ${most})`}`);
    if (most !== null && value > most) missed.push(`${name}: ${value.toPrecision(3)} ${unit}, over ${most}`);
  };
  try {
    const [api, workers] = await Promise.all([service.startApi(), service.startWorkers()]);
    const { token, publish } = await openPublisher(service.deps, api.url, "large-files");
    const rows = await writeTable(path, BYTES);
    console.log(`${statSync(path).size} bytes, ${rows} rows`);
    const follow = () => {
      const [ofApi, ofWorkers, ofProbe] = [
        followMemory(api.pid),
        followMemory(workers.pid),
        followProbe(api.url),
      ];
      return async (name: string, most: number | null) => {
        say(`${name}, memory of the API`, ofApi(), "MB", most);
        say(`${name}, memory of the worker`, ofWorkers(), "MB", most);
        say(`${name}, longest wait of a probe`, await ofProbe(), "ms");
      };
    };
    const upload = async (from: string) => {
      const form = new FormData();
      form.set("file", await openAsBlob(from), "readings.csv");
      const answer = await fetch(`${api.url}/api/v1/assets`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "idempotency-key": randomUUID() },
        body: form,
      });
      return (await answer.json()) as { data?: { id: string; readiness: string }; message?: string };
    };
    const [copied] = await timed(async () => {
      const hash = createHash("sha256");
      for await (const piece of createReadStream(path, { highWaterMark: 4_194_304 })) hash.update(piece);
      await copyFile(path, `${path}.copy`);
      await rm(`${path}.copy`);
    });
    const endUpload = follow();
    const [ready, { data, message }] = await timed(() => upload(path));
    if (data?.readiness !== "ready") throw new Error(`the upload was answered ${data?.readiness ?? message}`);
    const { id } = data;
    await endUpload("upload", MOST.uploadMemory);
    say("upload to ready", ready, "s", MOST.ready);
    say("upload to ready, beside a hash and a copy", ready / copied, "times");

    const endMade = follow();
    await publish("dataset", { title: "Readings", attachments: [{ asset_id: id, label: "readings" }] });
    const until = async (address: string) => {
      for (;;) {
        const answer = await fetch(`${api.url}/media/${id}/${address}`);
        if (answer.status === 200) return answer;
        const text = await answer.text();
        if (answer.status !== 503) throw new Error(`${address} answered ${answer.status} ${text}`);
        await pause(200);
      }
    };
    const [measured, stats] = await timed(async () => (await until("stats")).json());
    say("statistics after the publication", measured, "s");
    console.log(JSON.stringify(stats).slice(0, 1_500));
    await (await until("rows/all.parquet")).body?.cancel();
    await endMade("statistics and Parquet", MOST.madeMemory);

    const endRows = follow();
    const page = async (query: string) => {
      const answer = await fetch(`${api.url}/media/${id}/rows?${query}`);
      if (answer.status !== 200) throw new Error(`rows answered ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { data: { matched: number } };
    };
    const pages: number[] = [];
    for (let at = 0; at < PAGES; at++) {
      const offset = Math.floor(rows * ((at * 0.618) % 1));
      pages.push((await timed(() => page(`offset=${offset}&limit=100`)))[0] * 1_000);
    }
    say("a page of 100 rows anywhere, p50", medianOf(pages), "ms", MOST.page);
    say("the first page", pages[0] ?? 0, "ms");
    const condition =
      "filter[0][column]=reading&filter[0][op]=gte&filter[0][value]=999&filter[1][column]=note&filter[1][op]=contains&filter[1][value]=42";
    await page(condition);
    await endRows("rows", MOST.uploadMemory);
    const scans: number[] = [];
    for (let round = 0; round < 3; round++) {
      const [seconds, { data }] = await timed(() => page(condition));
      scans.push(seconds);
      console.log(`condition: ${seconds.toFixed(2)} s, ${data.matched} rows`);
    }
    const duckdb = await openPeer("DuckDB", async () => {
      const { DuckDBInstance } = await import("@duckdb/node-api");
      return await (await DuckDBInstance.create(":memory:")).connect();
    });
    if (duckdb !== null) {
      const counting = `SELECT count(*) FROM read_csv('${path}') WHERE reading >= 999 AND contains(lower(note), '42')`;
      const counted = await timeRounds(() => duckdb.runAndReadAll(counting));
      say("DuckDB, the same condition", counted, "s");
      say("rows with a condition, beside DuckDB", medianOf(scans) / counted, "times", MOST.condition);
      // Both by themselves: the service writes Parquet while it measures.
      const written = await timeRounds(await openWriter(path, `${path}.ours`));
      const copying = `COPY (SELECT * FROM read_csv('${path}')) TO '${path}.parquet' (FORMAT parquet)`;
      const copied = await timeRounds(() => duckdb.run(copying));
      say("Parquet", written, "s");
      say("DuckDB's COPY", copied, "s");
      say("Parquet, beside DuckDB", written / copied, "times", MOST.parquet);
    }
    for (const [name, start, again] of HOSTILE) {
      await writeAgain(path, BYTES, start, again);
      const end = follow();
      const [seconds, { data, message }] = await timed(() => upload(path));
      await end(name, MOST.uploadMemory);
      say(`${name}, until it is ${data?.readiness ?? "refused"}`, seconds, "s");
      console.log(message ?? "");
    }
    missed.push(...service.failures());
    return missed;
  } finally {
    await service.close();
  }
}
