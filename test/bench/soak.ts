// Whether npm start keeps its memory while agents and readers work for 15 minutes, beside its memory after the first minute.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readAnnouncedUrl } from "../../cli/embedded/credentials.ts";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { listProcesses, startNpm } from "./npm-start.ts";
import { medianOf } from "./race.ts";
import { ROOMY } from "./site.ts";
import { openSoakClient, type SoakClient } from "./soak-client.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const MINUTES = Number(process.env.SOAK_MINUTES ?? 15);
const SAMPLE_MS = 10_000;
const SAMPLES_A_MINUTE = 6;
/** Of the memory at the end of the first minute, up to the end. */
const MOST_GROWTH = 0.05;
const WATCHED = { API: "api/main.ts", workers: "workers/main.ts" } as const;
type Watched = keyof typeof WATCHED;

/**
 * Measures the growth of a line through the medians of the minutes but the first, in which nobody rests, so that the service
 * compiles what it runs and fills its caches. SOAK_MINUTES makes it shorter or longer.
 */
export async function run(): Promise<string[]> {
  const dataDir = await makeTemporaryDataFolder("broadsheet-bench-");
  const service = await startNpm(ROOT, dataDir, SOAK_LIMITS);
  try {
    const databaseUrl = (await readAnnouncedUrl(dataDir)) ?? "";
    const client = await openSoakClient({ url: service.url, dataDir, databaseUrl });
    const stopping = new AbortController();
    const working = client.work(stopping.signal);
    const samples = await Promise.race([watchMemory(service.pid, client), working.then(neverEnds)]);
    stopping.abort();
    await working;
    return report(samples);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Caches that are full after a minute hide no growth. */
const SOAK_LIMITS = {
  ...ROOMY,
  LIMIT_ROWS_CACHE_BYTES: "3145728",
  LIMIT_PAGE_CACHE_BYTES: "2097152",
  ...Object.fromEntries(
    ["READS", "WRITES", "PUBLIC_JSON", "FEEDS", "ROWS", "QUERIES"].map((name) => [
      `LIMIT_${name}_PER_MINUTE`,
      "1000000",
    ]),
  ),
};

function neverEnds(): never {
  throw new Error("the clients ended before their time");
}

/** Resident memory in MB. */
type Sample = Record<Watched, number>;

async function watchMemory(pid: number, client: SoakClient): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let minute = 1; minute <= MINUTES; minute++) {
    for (let sample = 0; sample < SAMPLES_A_MINUTE; sample++) {
      await delay(SAMPLE_MS);
      samples.push(await readMemory(pid));
    }
    const { API, workers } = medianOfMinute(samples, minute);
    console.log(
      `minute ${minute}: API ${API.toFixed(0)} MB, workers ${workers.toFixed(0)} MB; ${client.tell()}`,
    );
  }
  return samples;
}

async function readMemory(pid: number): Promise<Sample> {
  const processes = await listProcesses(pid);
  const read = (name: Watched) => {
    const found = processes.find(({ command }) => command.includes(WATCHED[name]));
    if (found === undefined) throw new Error(`there is no process of the ${name}`);
    return found.residentMb;
  };
  return { API: read("API"), workers: read("workers") };
}

function medianOfMinute(samples: readonly Sample[], minute: number): Sample {
  const own = samples.slice((minute - 1) * SAMPLES_A_MINUTE, minute * SAMPLES_A_MINUTE);
  const median = (name: Watched) => medianOf(own.map((sample) => sample[name]));
  return { API: median("API"), workers: median("workers") };
}

function report(samples: readonly Sample[]): string[] {
  const minutes = Array.from({ length: MINUTES - 1 }, (_, index) => medianOfMinute(samples, index + 2));
  return (Object.keys(WATCHED) as Watched[]).flatMap((name) => {
    const { first, last } = fitLine(minutes.map((minute) => minute[name]));
    const growth = last / first - 1;
    const told = `${name}: ${first.toFixed(1)} MB after the first minute, ${last.toFixed(1)} MB at the end, ${(growth * 100).toFixed(1)} % more (at most ${MOST_GROWTH * 100} %)`;
    console.log(told);
    return growth <= MOST_GROWTH ? [] : [told];
  });
}

/** Where the line of least squares through evenly spaced figures begins and ends. */
function fitLine(figures: readonly number[]): { first: number; last: number } {
  const middle = (figures.length - 1) / 2;
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
  const [over, under] = figures.reduce(
    ([products, squares], figure, at) => [
      products + (at - middle) * (figure - mean),
      squares + (at - middle) ** 2,
    ],
    [0, 0],
  );
  const slope = under === 0 ? 0 : over / under;
  return { first: mean - slope * middle, last: mean + slope * middle };
}
