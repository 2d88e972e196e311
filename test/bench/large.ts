import { loadavg } from "node:os";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { withClient } from "../../cli/embedded/database.ts";
import { startWatchdog } from "../../cli/watchdog/client.ts";
import { seededRandom } from "../support/seeded-csv.ts";
import { type Explained, explain, explainAll } from "./large-plans.ts";
import { WORKS_AN_AGENT } from "./large-rows.ts";
import { makeSite, type Read, type Served, type Site } from "./large-site.ts";
import { medianOf } from "./race.ts";
import { NOISE } from "./report.ts";

const SMALL = 1_000;
const LARGE = 1_000_000;
/** How much dearer an answer of the large site may be. */
const MOST_GROWTH = 1.2;
const ROUNDS = 5;

type Open = Site & Served;

/**
 * The same answers of a site of 1,000 and of a site of 1,000,000 works, in turn, each rendered anew: no page is
 * cached. Prints both medians, how the tables were read, and the plan of each answer's slowest statement.
 */
export async function run(): Promise<string[]> {
  const dataDir = await makeTemporaryDataFolder("broadsheet-bench-");
  const watchdog = await startWatchdog({
    ...{ dataDir, temporary: true, log: () => undefined, onLost: (error: Error) => console.error(error) },
    settings: { max_wal_size: "8GB", shared_buffers: "512MB" },
  });
  try {
    const { url = "", adminUrl = "" } = watchdog.database ?? {};
    const small = await makeSite({ url, adminUrl, dataDir }, SMALL);
    const large = await makeSite({ url, adminUrl, dataDir }, LARGE);
    const missed = await withSite(small, (few) => withSite(large, (many) => compare(few, many)));
    await explainAll(large.database.adminUrl);
    await withSite(large, (site) => reportPlans(dataDir, site));
    return missed;
  } finally {
    await watchdog.stop();
  }
}

async function withSite<Told>(site: Site, work: (site: Open) => Promise<Told>): Promise<Told> {
  const served = await site.serve();
  try {
    return await work({ ...site, ...served });
  } finally {
    await served.close();
  }
}

/** Times every read on both sites in turn; tells what grew beyond the target. */
async function compare(small: Open, large: Open): Promise<string[]> {
  const rows: Record<string, Record<string, number | string>> = {};
  const missed: string[] = [];
  for (const [index, read] of small.reads.entries()) {
    const [few, many] = await timeInTurn(small, large, index);
    const growth = medianOf(many) / medianOf(few);
    const isMissed = growth > MOST_GROWTH * (1 + NOISE);
    rows[read.name] = {
      [`${small.works}`]: figure(medianOf(few)),
      [`${large.works}`]: figure(medianOf(many)),
      growth: figure(growth),
      target: read.isTold ? "told" : `≤ ${MOST_GROWTH}`,
    };
    if (isMissed && !read.isTold) missed.push(`${read.name}: ${figure(growth)} times as dear`);
  }
  console.log(`\nMilliseconds an answer, made anew, medians; load ${loadavg()[0]?.toFixed(1)}`);
  console.table(rows);
  await reportScans(large);
  return missed;
}

async function timeInTurn(small: Open, large: Open, index: number): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  // The first pass warms up: artwork is named, texts are set, plans are made.
  for (const isTimed of [false, true]) {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [place, site] of [small, large].entries()) {
        const read = site.reads[index];
        const share = { times: (read?.times ?? 0) / ROUNDS, seed: 13 + round };
        const taken = await timeRead(site, read, share);
        if (isTimed) times[place]?.push(...taken);
      }
    }
  }
  return times;
}

/** Asks for works drawn at random, the same ones for a seed. */
async function timeRead(
  { app, works }: Open,
  read: Read | undefined,
  { times: count, seed }: { times: number; seed: number },
): Promise<number[]> {
  if (read === undefined) return [];
  const dice = seededRandom(seed);
  const times: number[] = [];
  for (let time = 0; time < count; time++) {
    // The first works are the reader's own.
    const n = WORKS_AN_AGENT + 1 + Math.floor(dice() * (works - WORKS_AN_AGENT));
    const headers = read.token === undefined ? {} : { authorization: `Bearer ${read.token}` };
    const startedMs = performance.now();
    const { statusCode } = await app.inject({ url: read.url(n), headers });
    times.push(performance.now() - startedMs);
    if (statusCode !== 200) throw new Error(`${read.url(n)} answered ${statusCode}`);
  }
  return times;
}

/** Prints which tables were read whole: a plan without an index grows with the site. */
async function reportScans(site: Site): Promise<void> {
  const { rows } = await withClient(site.database.url, (client) => client.query(SCANS));
  console.log(`\nHow tables of the site of ${site.works} works were read`);
  console.table(rows);
}

/** The slowest statement of each read: its way through the tables, what it read in vain, and which it read whole. */
async function reportPlans(dataDir: string, site: Open): Promise<void> {
  const rows: Record<string, Record<string, number | string>> = {};
  for (const read of site.reads) {
    const slowest = await findSlowest(dataDir, site, read);
    if (slowest === undefined) continue;
    const { milliseconds, wasted, whole, steps } = slowest;
    rows[read.name] = { ms: milliseconds, "in vain": wasted, whole: whole.join(", ") };
    console.log(`${read.name}: ${steps.join(", ")}`);
  }
  console.log(
    "\nThe slowest statement of each answer, the rows that it read in vain, and the tables it read whole",
  );
  console.table(rows);
}

async function findSlowest(dataDir: string, site: Open, read: Read): Promise<Explained | undefined> {
  const ask = () => timeRead(site, read, { times: 3, seed: 1 });
  // Generic plans come with the sixth run of a prepared statement, names of artwork with the first read.
  for (let warm = 0; warm < 3; warm++) await ask();
  return (await explain(dataDir, ask))[0];
}

const SCANS = `SELECT relname, seq_scan, seq_tup_read, idx_scan FROM pg_stat_user_tables
  WHERE n_live_tup > 1000 ORDER BY seq_tup_read DESC LIMIT 8`;

function figure(value: number): number {
  return Number(value.toPrecision(3));
}
