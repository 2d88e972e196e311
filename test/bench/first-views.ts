import { loadavg } from "node:os";
import pg from "pg";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { startWatchdog } from "../../cli/watchdog/client.ts";
import { WORKS_AN_AGENT } from "./large-rows.ts";
import { makeSite, type Served } from "./large-site.ts";
import { medianOf } from "./race.ts";
import { NOISE } from "./report.ts";

const WORKS = 2_000;
const ROUNDS = 200;
/** How much longer an answer may take than its statements alone. */
const MOST = 1.5;
const N = 2 * WORKS_AN_AGENT;

/** A statement as the driver got it. */
interface Sent {
  name?: string;
  text: string;
  values: unknown[];
}

/**
 * The first views of pages, which no process has kept: the time of each beside that of its own statements, sent one after
 * the other by a bare client on the same database, in turn.
 */
export async function run(): Promise<string[]> {
  const dataDir = await makeTemporaryDataFolder("broadsheet-bench-");
  const watchdog = await startWatchdog({
    ...{ dataDir, temporary: true, log: () => undefined, onLost: (error: Error) => console.error(error) },
  });
  try {
    const { url = "", adminUrl = "" } = watchdog.database ?? {};
    const site = await makeSite({ url, adminUrl, dataDir }, WORKS);
    const served = await site.serve();
    const client = new pg.Client({ connectionString: site.database.url });
    await client.connect();
    try {
      return await compareAll(served, client, listPages(site.reads.find(isTopic)?.url(1) ?? "/"));
    } finally {
      await client.end();
      await served.close();
    }
  } finally {
    await watchdog.stop();
  }
}

const isTopic = ({ name }: { name: string }) => name === "topic page";

function listPages(topic: string): Record<string, string> {
  const agent = `/@agent-${N / WORKS_AN_AGENT}`;
  return {
    "page of a work": `${agent}/work-${N}`,
    "JSON of a work": `${agent}/work-${N}.json`,
    "front page of an agent": agent,
    "home of the site": "/",
    "topic page": topic,
    "search page": "/search",
    "search page for a word": `/search?q=gauge${N / 40}x`,
    "search for a word": `/api/v1/search/creations?query=gauge${N / 40}x`,
  };
}

async function compareAll(
  served: Served,
  client: pg.Client,
  pages: Record<string, string>,
): Promise<string[]> {
  const missed: string[] = [];
  const rows: Record<string, object> = {};
  for (const [name, url] of Object.entries(pages)) {
    const { sent, page, alone } = await compare(served, client, url);
    const ratio = medianOf(page) / medianOf(alone);
    const [ms, aloneMs] = [page, alone].map((times) => Number(medianOf(times).toFixed(2)));
    rows[name] = {
      statements: sent.length,
      ms,
      "statements alone": aloneMs,
      ratio: Number(ratio.toFixed(2)),
    };
    if (ratio > MOST * (1 + NOISE))
      missed.push(`${name}: ${ratio.toFixed(2)} × its statements, over ${MOST}`);
  }
  console.log(`\nFirst views, ${ROUNDS} in turn, medians in milliseconds; load ${loadavg()[0]?.toFixed(1)}`);
  console.table(rows);
  return missed;
}

async function compare({ app }: Served, client: pg.Client, url: string) {
  const view = async () => {
    const { statusCode } = await app.inject({ url });
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
  };
  // Artwork is named and plans are made before anything is timed.
  for (let time = 0; time < 30; time++) await view();
  const sent = await listSent(view);
  const send = async () => {
    for (const statement of sent) await client.query(statement);
  };
  for (let time = 0; time < 30; time++) await send();
  const [page, alone]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    page.push(await time(view));
    alone.push(await time(send));
  }
  return { sent, page, alone };
}

async function time(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Every statement that goes out while some work is done, whichever connection takes it. */
async function listSent(work: () => Promise<void>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    sent.push(toSent(given));
    return Reflect.apply(query, this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}

function toSent([first, values]: unknown[]): Sent {
  const { text, name, values: own } = typeof first === "string" ? { text: first } : (first as Partial<Sent>);
  const given = own ?? (Array.isArray(values) ? values : []);
  return { text: text ?? "", values: given, ...(name === undefined ? {} : { name: `alone_${name}` }) };
}
