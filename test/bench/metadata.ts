import { Agent, get } from "node:http";
import { join } from "node:path";
import { openRealService, type RealService } from "../support/real-service.ts";
import { medianOf, printRace, race } from "./race.ts";
import { type Figures, measureServer, type Server, startBare } from "./server-figures.ts";
import { publishWideDataset, untilMeasured } from "./wide-dataset.ts";

const ROUNDS = 40;
const REQUESTS_A_ROUND = 5;
const LOAD_ROUNDS = 5;
const LOAD = { connections: 8, seconds: 1 };
const MOST = 1.2;
const PUBLIC_JSON = "public JSON";
const CROISSANT = "croissant.json";
const NAMES = [CROISSANT, "datapackage.json", "linkset.json"];
const BARE = "bare ";

/**
 * The documents of a dataset of ten files with 300 columns each, beside its public JSON: what a kept answer costs the
 * process that sends it, and how long one client waits for kept answers and for those that are rendered each time. The
 * largest document has three times the bytes of the JSON: bare routes with the same bytes show what these alone cost.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  const bare: Bare[] = [];
  try {
    const api = await service.startApi();
    const past = await service.startApi({ env: { LIMIT_PAGE_CACHE_BYTES: "0" } });
    await service.startWorkers();
    const page = await publishWideDataset(service, api.url);
    await untilMeasured(`${api.url}${page}/croissant.json`);
    const addresses = listAddresses(api.url, page);
    for (const name of [PUBLIC_JSON, CROISSANT])
      bare.push(await startBareCopy(service, name, addresses.get(name) ?? ""));
    const wait = async (title: string, url: string, isConditional: boolean) =>
      await raceAddresses(title, listAddresses(url, page), isConditional, isConditional ? [] : [CROISSANT]);
    const missed = [
      ...(await compareCosts(addresses, api.pid, bare)),
      ...(await wait("kept answers, 304", api.url, true)),
      ...(await wait("kept answers", api.url, false)),
    ];
    const copies = new Map(bare.map(({ name, server }) => [name, server.url]));
    await raceAddresses("the same bytes from bare routes", copies, false, [CROISSANT]);
    await raceAddresses("rendered each time", listAddresses(past.url, page), false, NAMES);
    return missed;
  } finally {
    for (const { server } of bare) {
      server.child.kill();
      await server.ended;
    }
    await service.close();
  }
}

/** A route that answers with the bytes of a document and does nothing else. */
interface Bare {
  name: string;
  server: Awaited<ReturnType<typeof startBare>>;
}

async function startBareCopy({ dataDir }: RealService, name: string, url: string): Promise<Bare> {
  const body = await (await fetch(url)).text();
  return { name, server: await startBare(join(dataDir, name.replace(" ", "-")), body, '"bare"') };
}

/** The addresses of the public JSON and of the documents. */
function listAddresses(url: string, page: string): Map<string, string> {
  const documents = NAMES.map((name) => [name, `${url}${page}/${name}`] as const);
  return new Map([[PUBLIC_JSON, `${url}${page}.json`], ...documents]);
}

/** The processor's time for each answer under load, in turn; the figure is the median of the rounds' ratios. */
async function compareCosts(
  addresses: ReadonlyMap<string, string>,
  pid: number,
  bare: readonly Bare[],
): Promise<string[]> {
  const servers = new Map<string, Server>([
    ...Array.from(addresses, ([name, url]) => [name, { url, pid }] as const),
    ...bare.map(({ name, server: { url, pid } }) => [`${BARE}${name}`, { url, pid }] as const),
  ]);
  const rounds: Map<string, Figures>[] = [];
  for (let round = 0; round <= LOAD_ROUNDS; round++) {
    const figures = new Map<string, Figures>();
    for (const [name, server] of servers)
      figures.set(name, await measureServer(server, { ...LOAD, headers: [] }));
    if (round > 0) rounds.push(figures);
  }
  printCosts([...servers.keys()], rounds);
  const judge = (name: string, peer: string, isReach: boolean) => {
    const ratio = medianOf(rounds.map((round) => costOf(round, name) / costOf(round, peer)));
    const verdict = `${name} costs ${ratio.toFixed(2)} of ${peer} (${isReach ? "reach" : "must"} ${MOST})`;
    console.log(`${ratio <= MOST ? "met   " : "MISSED"} ${verdict}`);
    return ratio <= MOST || isReach ? [] : [verdict];
  };
  const ours = NAMES.flatMap((name) => judge(name, PUBLIC_JSON, name === CROISSANT));
  return [...ours, ...judge(`${BARE}${CROISSANT}`, `${BARE}${PUBLIC_JSON}`, true)];
}

function costOf(round: ReadonlyMap<string, Figures>, name: string): number {
  return round.get(name)?.cpuMicros ?? Number.NaN;
}

function printCosts(names: readonly string[], rounds: readonly ReadonlyMap<string, Figures>[]): void {
  console.log(`\nkept answers under load, ${LOAD_ROUNDS} rounds of ${LOAD.seconds} s in turn`);
  const figuresOf = (name: string) => {
    const costs = rounds.map((round) => costOf(round, name));
    const rates = rounds.map((round) => round.get(name)?.perSecond ?? Number.NaN);
    const [median, least, most] = [medianOf(costs), Math.min(...costs), Math.max(...costs)].map(Math.round);
    return { "µs of CPU": median, least, most, "a second": Math.round(medianOf(rates)) };
  };
  console.table(Object.fromEntries(names.map((name) => [name, figuresOf(name)])));
}

/** One client that reads each answer before it asks for the next; what nobody reaches is told, and is no fault. */
async function raceAddresses(
  title: string,
  addresses: ReadonlyMap<string, string>,
  isConditional: boolean,
  reaches: readonly string[],
): Promise<string[]> {
  const targets = [...addresses.keys()]
    .filter((name) => name !== PUBLIC_JSON)
    .map((ours) => ({ ours, peer: PUBLIC_JSON, most: MOST, isReach: reaches.includes(ours) }));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const candidates = await Promise.all(
      Array.from(addresses, async ([name, address]) => {
        const first = await ask(agent, address, null);
        const etag = isConditional ? first.etag : null;
        console.log(`${name}: ${first.bytes} bytes`);
        const exchange = async () => {
          for (let n = 0; n < REQUESTS_A_ROUND; n++) await ask(agent, address, etag);
        };
        return { name, run: exchange };
      }),
    );
    return printRace(`${title}, ${REQUESTS_A_ROUND} requests`, await race(candidates, ROUNDS), targets);
  } finally {
    agent.destroy();
  }
}

async function ask(
  agent: Agent,
  url: string,
  etag: string | null,
): Promise<{ etag: string | null; bytes: number }> {
  return await new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers: etag === null ? {} : { "if-none-match": etag } }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () => {
        const { statusCode } = answer;
        if (statusCode === (etag === null ? 200 : 304)) resolve({ etag: answer.headers.etag ?? null, bytes });
        else reject(new Error(`${url} answered ${statusCode}`));
      });
    });
    sent.on("error", reject);
  });
}
