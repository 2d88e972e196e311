import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { makeCsvFile } from "./data-files.ts";
import { openLoopTurns } from "./loop-turns.ts";
import { medianOf } from "./race.ts";
import { printMeasurements } from "./report.ts";

const CLIENTS = 8;
const ROUNDS = 7;
const READS_A_ROUND = 150;
/** A reader who clicks on; the times of reads that wait for each other would be counted twice. */
const PAUSE_MS = 10;
const MOST_TIMES_SLOWER = 1.2;
const MOST_TURN_MS = 5;

/**
 * Reads of a page beside eight clients that ask a table of 10 MiB without a pause, and alone, in turn; and the
 * longest turn of its event loop.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const turns = openLoopTurns(service.dataDir);
    const [api] = await Promise.all([service.startApi({ env: turns.env }), service.startWorkers()]);
    const { page, query } = await publishTable(service, api);
    api.dropOutput();
    // The turns of the first round, in which the service compiles what it runs, do not count.
    const outcome = await readBeside(page, query, async () => void (await turns.take(api)));
    const longest = Math.max(0, ...(await turns.take(api)));
    const missed = [...outcome];
    console.log(`the longest turn of the event loop took ${longest.toFixed(1)} ms (must ${MOST_TURN_MS})`);
    if (longest > MOST_TURN_MS)
      missed.push(`query-load: a turn of the event loop took ${longest.toFixed(1)} ms`);
    if (service.failures().length > 0) missed.push(`an answer of 500: ${service.failures()[0]}`);
    return missed;
  } finally {
    await service.close();
  }
}

async function readBeside(page: string, query: string, isWarm: () => Promise<void>): Promise<string[]> {
  const [alone, beside]: [number[], number[]] = [[], []];
  const ratios: number[] = [];
  let asked = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const quiet = await readPages(page);
    const endAsking = await startAsking(query, asked);
    const busy = await readPages(page);
    asked += await endAsking();
    if (round === 0) await isWarm();
    if (round === 0) continue;
    alone.push(...quiet);
    beside.push(...busy);
    ratios.push(p99(busy) / p99(quiet));
  }
  printMeasurements(`reading a page, alone and beside ${CLIENTS} clients that query`, [
    { name: "alone", milliseconds: alone },
    { name: "beside", milliseconds: beside },
  ]);
  const ratio = medianOf(ratios);
  const told = ratios.map((one) => one.toFixed(2)).join(", ");
  const isMet = ratio <= MOST_TIMES_SLOWER;
  console.log(
    `${isMet ? "met   " : "MISSED"} p99 ${p99(alone).toFixed(1)} and ${p99(beside).toFixed(1)} ms; a round ${ratio.toFixed(2)} times (${told}; must ${MOST_TIMES_SLOWER}); ${asked} questions`,
  );
  return isMet ? [] : [`query-load: p99 of pages is ${ratio.toFixed(2)} times beside questions`];
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

/** Begins to ask in a process of its own, and returns what ends it and counts the questions. */
async function startAsking(query: string, first: number): Promise<() => Promise<number>> {
  const args = [join(import.meta.dirname, "query-client.ts"), query, String(CLIENTS), String(first)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const begun = await lines.next();
  if (begun.value !== "asking") throw new Error("the clients asked nothing");
  return async () => {
    child.stdin.end();
    return Number((await lines.next()).value);
  };
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
