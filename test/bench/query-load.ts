import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { startProcess } from "../support/service-process.ts";
import { makeCsvFile } from "./data-files.ts";
import { type LoopTimes, longestOf, openLoopProbe } from "./loop-times.ts";
import { medianOf } from "./race.ts";
import { printMeasurements } from "./report.ts";

const CLIENTS = 8;
const ROUNDS = 5;
/** Twice what `collectStartGarbage` waits for. */
const REST_MS = 10_000;
/** The first round, in which the processes compile what they run, does not count. */
const FIRST_ROUNDS = 1;
/** Of fewer reads p99 would be the second slowest of a round. */
const READS_A_ROUND = 400;
/** A reader who clicks on; the times of reads that wait for each other would be counted twice. */
const PAUSE_MS = 10;
const MOST_TIMES_SLOWER = 1.2;
const MOST_TASK_MS = 5;

/**
 * Reads of a page beside eight clients that ask a table of 10 MiB without a pause, and alone, in turn; and the
 * longest task of its event loop. Reads of a bare route whose process reads the same table plainly, in two threads of the
 * same low priority for as many clients, show how much of it is the machine's.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  const opened: { close(): Promise<unknown> }[] = [service];
  try {
    const probe = openLoopProbe(service.dataDir);
    const [api] = await Promise.all([service.startApi({ env: probe.env }), service.startWorkers()]);
    const { page, query } = await publishTable(service, api);
    api.dropOutput();
    // Once it rests, the process collects the garbage of its start, as any does once in its life.
    await delay(REST_MS);
    const busy = await startBusyServer(service, page);
    opened.push(busy);
    const ours = openContest(page, query);
    const bare = openContest(busy.url, new URL("/query", busy.url).href);
    opened.push(ours, bare);
    const rounds: Record<"ours" | "bare", Round[]> = { ours: [], bare: [] };
    for (let round = 0; round < FIRST_ROUNDS + ROUNDS; round++) {
      const figures = { bare: await readRound(bare), ours: await readRound(ours) };
      if (round >= FIRST_ROUNDS)
        for (const name of ["ours", "bare"] as const) rounds[name].push(figures[name]);
      else await probe.take(api);
    }
    const times = await probe.take(api);
    printRounds(rounds);
    console.log(`${ours.asked()} questions, ${bare.asked()} of the bare route`);
    return [...judge(rounds, times), ...service.failures().map((line) => `an answer of 500: ${line}`)];
  } finally {
    for (const one of opened.toReversed()) await one.close();
  }
}

/** A page, and what begins and ends the questions beside its readers. */
interface Contest {
  page: string;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** How many questions were asked until now. */
  asked(): number;
}

/** Opens a contest; the clients are a process of their own, which ends with `close`. */
function openContest(page: string, query: string): Contest & { close(): Promise<void> } {
  const args = [join(import.meta.dirname, "query-client.ts"), query, String(CLIENTS)];
  // All their threads give way to the service, so that what slows a reader is the service's own work.
  const child = spawn("nice", ["-n", "19", process.execPath, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let asked = 0;
  return {
    page,
    begin: async () => {
      child.stdin.write("begin\n");
      if ((await lines.next()).value !== "asking") throw new Error("the clients asked nothing");
    },
    end: async () => {
      child.stdin.write("end\n");
      asked += Number((await lines.next()).value);
    },
    asked: () => asked,
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** The times of reads alone and beside the work, in milliseconds. */
interface Round {
  alone: number[];
  beside: number[];
}

async function readRound({ page, begin, end }: Contest): Promise<Round> {
  const alone = await readPages(page);
  await begin();
  try {
    return { alone, beside: await readPages(page) };
  } finally {
    await end();
  }
}

function printRounds(rounds: Record<"ours" | "bare", readonly Round[]>): void {
  printMeasurements(`reading a page, alone and beside ${CLIENTS} clients that query`, [
    { name: "alone", milliseconds: rounds.ours.flatMap(({ alone }) => alone) },
    { name: "beside", milliseconds: rounds.ours.flatMap(({ beside }) => beside) },
    { name: "bare, alone", milliseconds: rounds.bare.flatMap(({ alone }) => alone) },
    { name: "bare, beside", milliseconds: rounds.bare.flatMap(({ beside }) => beside) },
  ]);
  for (const name of ["ours", "bare"] as const) {
    const told = rounds[name].map((round) => slowerBy(round).toFixed(2)).join(", ");
    console.log(`${name}: p99 a round ${medianOf(rounds[name].map(slowerBy)).toFixed(2)} times (${told})`);
  }
}

const slowerBy = ({ alone, beside }: Round) => p99(beside) / p99(alone);

/** Where the bare route is slower beside its own work, so may ours be: that part is the machine's. */
function judge(rounds: Record<"ours" | "bare", readonly Round[]>, times: LoopTimes): string[] {
  const [ratio, bare] = [medianOf(rounds.ours.map(slowerBy)), medianOf(rounds.bare.map(slowerBy))];
  const most = MOST_TIMES_SLOWER * Math.max(1, bare);
  console.log(`p99 of pages is ${ratio.toFixed(2)} times, ${(ratio / bare).toFixed(2)} of the bare route's`);
  const [longestMs, turnMs] = [longestOf(times.tasks), longestOf(times.turns)];
  const missed = [
    ratio <= most ? [] : [`p99 of pages is ${ratio.toFixed(2)} times (${most.toFixed(2)})`],
    longestMs <= MOST_TASK_MS ? [] : [`a task took ${longestMs.toFixed(1)} ms (${MOST_TASK_MS})`],
  ].flat();
  console.log(`the longest task of the event loop took ${longestMs.toFixed(1)} ms (must ${MOST_TASK_MS})`);
  console.log(`the longest turn, of all tasks that were ready, took ${turnMs.toFixed(1)} ms`);
  return missed.map((miss) => `query-load: ${miss}`);
}

/** Starts the bare route on the page's bytes, the same PostgreSQL and the same table. */
async function startBusyServer({ dataDir, databaseUrl }: RealService, page: string) {
  const file = join(dataDir, "bare-page.html");
  await writeFile(file, await (await fetch(page)).text());
  const table = join(dataDir, "bare-table.csv");
  await writeFile(table, makeCsvFile());
  const args = [join(import.meta.dirname, "busy-server.ts"), file, databaseUrl, table];
  const server = startProcess({ command: process.execPath, args, env: process.env });
  const { port } = await server.said("bare listening");
  const close = async () => {
    server.child.kill();
    await server.ended;
  };
  return { close, url: `http://127.0.0.1:${port}/page` };
}

const p99 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;

async function readPages(page: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < READS_A_ROUND; count++) {
    const startedMs = performance.now();
    const answer = await fetch(page);
    await answer.text();
    if (answer.status !== 200) throw new Error(`the page answered ${answer.status}`);
    times.push(performance.now() - startedMs);
    await delay(PAUSE_MS);
  }
  return times;
}

async function publishTable(service: RealService, api: ApiProcess): Promise<{ page: string; query: string }> {
  const { token } = await enrolAgent(service.deps, api.url, "query-load");
  const call = async (method: "GET" | "POST" | "PATCH", path: string, body?: object, ifMatch?: number) => {
    const key = method === "POST" ? randomUUID() : undefined;
    const reply = await send(api.url, { method, path: `/api/v1${path}`, token, key, ifMatch, body });
    if (reply.status >= 300) throw new Error(`preparing answered ${reply.status}: ${reply.text}`);
    return reply.json.data;
  };
  const { lock_version } = await call("GET", "/agent/profile");
  const saved = await call("PATCH", "/agent/profile", { display_name: "Questions" }, lock_version);
  await call("POST", "/agent/profile/publish", { revision_id: saved.draft.revision_id }, saved.lock_version);
  const asset = await call("POST", "/assets", formOf("data.csv", new Uint8Array(makeCsvFile())));
  const query = `${api.url}/media/${asset.id}/query`;
  const body_markdown = "The gauge rose above its highest mark.\n\n".repeat(400);
  const publish = { visibility: "public" };
  const payload = { title: "Data", attachments: [{ asset_id: asset.id, label: "Data" }] };
  await call("POST", "/creations", { type: "dataset", payload, publish });
  const story = await call("POST", "/creations", {
    type: "story",
    payload: { title: "Page", body_markdown },
    publish,
  });
  // Statistics are made now: nothing else is to run beside what is measured.
  await (await fetch(query.replace(/query$/, "stats"))).text();
  return { page: new URL(new URL(story.public_url).pathname, api.url).href, query };
}
