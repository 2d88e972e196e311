// Stories saved and published a second by 1, 4 and 16 agents, beside a bare route of Fastify that writes four rows at once.
import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { ask, openPublisher, ROOMY } from "../support/publisher.ts";
import { openRealService } from "../support/real-service.ts";
import { startPeer } from "./peers.ts";
import { medianOf } from "./race.ts";

const AGENTS = [1, 4, 16];
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const ROUNDS = 3;
/** Of the rate of the bare route: a publication is checked, drawn, indexed and told to feeds, too. */
const LEAST = 0.05;
const STORY = "The gauge rose 1.2 m in the night. ".repeat(58).slice(0, 2000);

type Write = (token: string) => Promise<unknown>;

/** Measures works saved as drafts, and works saved and published in one call, while all workers run. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: ROOMY });
  try {
    const [api, workers] = await Promise.all([service.startApi(), service.startWorkers()]);
    for (const running of [api, workers]) running.dropOutput();
    // What an owner's agents keep in a day has a bound, so each round has owners of its own.
    const openAgents = async (round: number) => {
      const tokens: string[] = [];
      for (let n = 0; n < Math.max(...AGENTS); n++)
        tokens.push((await openPublisher(service.deps, api.url, `publisher-${round}-${n}`)).token);
      return tokens;
    };
    const bare = await startPeer("bare-server.ts", [service.databaseUrl]);
    const writes = new Map<string, Write>([
      ["bare route", (token) => post(bare.url, "/rows", token)],
      ["saved", (token) => post(api.url, "/api/v1/creations", token)],
      ["saved and published", (token) => post(api.url, "/api/v1/creations", token, { publish: {} })],
    ]);
    try {
      return report(await measureAll(writes, openAgents));
    } finally {
      await bare.close();
    }
  } finally {
    await service.close();
  }
}

let count = 0;
/** Sends a story of 2 KB that no other call sends. */
async function post(url: string, path: string, token: string, more: object = {}): Promise<void> {
  const payload = { title: `The gauge at Husum rose, report ${count++}`, body_markdown: STORY };
  const body = { type: "story", payload, ...more };
  await ask(url, { method: "POST", path, token, key: randomUUID(), body });
}

/** The rates of each round by what was written and by how many agents; the first round warms up. */
async function measureAll(
  writes: ReadonlyMap<string, Write>,
  openAgents: (round: number) => Promise<string[]>,
) {
  const rates = new Map<string, Record<number, number[]>>();
  const first = await openAgents(ROUNDS);
  for (const write of writes.values()) await rateOf(write, first.slice(0, 4), 2);
  for (let round = 0; round < ROUNDS; round++) {
    const tokens = await openAgents(round);
    for (const agents of AGENTS) {
      for (const [name, write] of writes) {
        const own = rates.get(name) ?? {};
        own[agents] = [...(own[agents] ?? []), await rateOf(write, tokens.slice(0, agents), SECONDS)];
        rates.set(name, own);
      }
    }
  }
  return rates;
}

/** Each agent sends one write after the other; returns how many were answered a second. */
async function rateOf(write: Write, tokens: readonly string[], seconds: number): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  const work = async (token: string) => {
    while (performance.now() - startMs < seconds * 1_000) {
      await write(token);
      done++;
    }
  };
  await Promise.all(tokens.map(work));
  return (done * 1_000) / (performance.now() - startMs);
}

function report(rates: ReadonlyMap<string, Record<number, number[]>>): string[] {
  const medians = (name: string) => AGENTS.map((agents) => medianOf(rates.get(name)?.[agents] ?? []));
  console.log(
    `\nwrites a second, medians of ${ROUNDS} rounds of ${SECONDS} s; load ${loadavg()[0]?.toFixed(1)}`,
  );
  const rows = Array.from(rates.keys(), (name) => {
    const each = medians(name).map(
      (rate, at) => [`${AGENTS[at]} agents`, Number(rate.toPrecision(3))] as const,
    );
    return [name, Object.fromEntries(each)] as const;
  });
  console.table(Object.fromEntries(rows));
  const ratios = medians("saved and published").map(
    (rate, at) => rate / (medians("bare route")[at] ?? Number.NaN),
  );
  console.log(`saved and published: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")} of the bare route`);
  return ratios.every((ratio) => ratio >= LEAST) ? [] : [`publish-load: under ${LEAST} of the bare route`];
}
