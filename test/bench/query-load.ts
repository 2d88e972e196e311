// Reads of a page beside eight clients that ask a table of 10 MiB without a pause, beside the same reads alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { makeCsvFile } from "../support/data-files.ts";
import { openPublisher, ROOMY } from "../support/publisher.ts";
import { openRealService } from "../support/real-service.ts";
import { medianOf } from "./race.ts";
import { quantile } from "./report.ts";

const CLIENTS = 8;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** Of fewer reads p99 would be the second slowest of a round. */
const READS_A_ROUND = 400;
/** A reader who clicks on; the times of reads that wait for each other would be counted twice. */
const PAUSE_MS = 10;
const MOST_TIMES_SLOWER = 3;

/** Measures rounds of both in turn; the first, in which the processes compile what they run, does not count. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: ROOMY });
  try {
    const [api] = await Promise.all([service.startApi(), service.startWorkers()]);
    const publisher = await openPublisher(service.deps, api.url, "query-load");
    const { id } = await publisher.publishTable("data.csv", makeCsvFile());
    const text = "The gauge rose above its highest mark.\n\n".repeat(400);
    const page = `${api.url}${new URL((await publisher.publishStory("Page", text)).public_url).pathname}`;
    api.dropOutput();
    const clients = startClients(`${api.url}/media/${id}/query`);
    const rounds: { alone: number[]; beside: number[]; asked: number }[] = [];
    try {
      for (let round = 0; round <= ROUNDS; round++) {
        const alone = await readPages(page);
        await clients.begin();
        const beside = await readPages(page);
        rounds.push({ alone, beside, asked: await clients.end() });
      }
    } finally {
      await clients.close();
    }
    return report(rounds.slice(1));
  } finally {
    await service.close();
  }
}

/** The clients are one process, whose threads give way to the service: what slows a reader is the service's own work. */
function startClients(query: string) {
  const args = [join(import.meta.dirname, "query-client.ts"), query, String(CLIENTS)];
  const child = spawn("nice", ["-n", "19", process.execPath, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    begin: async () => {
      child.stdin.write("begin\n");
      if ((await lines.next()).value !== "asking") throw new Error("the clients asked nothing");
    },
    /** Gives how many questions were answered since the beginning. */
    end: async () => {
      child.stdin.write("end\n");
      return Number((await lines.next()).value);
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

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

function report(rounds: readonly { alone: number[]; beside: number[]; asked: number }[]): string[] {
  const tell = (times: readonly number[], share: number) => Number(quantile(times, share).toFixed(1));
  console.log(
    `\n${READS_A_ROUND} reads of a page a round, alone and beside ${CLIENTS} clients (milliseconds)`,
  );
  console.table(
    rounds.map(({ alone, beside, asked }) => ({
      "alone, median": tell(alone, 0.5),
      "alone, p99": tell(alone, 0.99),
      "beside, median": tell(beside, 0.5),
      "beside, p99": tell(beside, 0.99),
      questions: asked,
    })),
  );
  const ratio = medianOf(rounds.map(({ alone, beside }) => quantile(beside, 0.99) / quantile(alone, 0.99)));
  console.log(`p99 beside questions is ${ratio.toFixed(2)} times that alone (must ${MOST_TIMES_SLOWER})`);
  return ratio <= MOST_TIMES_SLOWER
    ? []
    : [`query-load: p99 of pages is ${ratio.toFixed(2)} times that alone`];
}
