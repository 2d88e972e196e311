import { deepStrictEqual } from "node:assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeCsvFile } from "../support/data-files.ts";
import { openPublisher, ROOMY } from "../support/publisher.ts";
import { openRealService } from "../support/real-service.ts";
import { startPeer } from "./peers.ts";
import { printRace, type RatioTarget, race } from "./race.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 41);
const PEERS: Readonly<Record<string, string>> = { sqlite: "node:sqlite", duckdb: "DuckDB" };
const OURS = "ours";

/** One question in the words of each side: below the address of our table, and the name that peers know it by. */
export interface TableQuestion {
  title: string;
  ours: (n: number) => string;
  peers: "page" | "matches" | "group" | "sort";
  /** Each round asks with another number, so that nobody answers from what was answered before. */
  numbers: (round: number) => number;
  /** The most that ours may take, as a share of each peer's median. */
  most: Partial<Record<"sqlite" | "duckdb", number>>;
}

/** Asks a published table of 10 MiB and its peers over HTTP, one question at a time, in turn; compares what they answer. */
export async function contendOnTable(questions: readonly TableQuestion[]): Promise<string[]> {
  const service = await openRealService({ env: ROOMY });
  try {
    const [api] = await Promise.all([service.startApi(), service.startWorkers()]);
    const publisher = await openPublisher(service.deps, api.url, "table-bench");
    const csv = makeCsvFile();
    const { id } = await publisher.publishTable("data.csv", csv);
    const path = join(service.dataDir, "bench.csv");
    await writeFile(path, csv);
    const server = await startPeer("table-peers.ts", [path]);
    try {
      const names: string[] = await read(server.url);
      const missed: string[] = [];
      for (const question of questions) {
        const sides = new Map([[OURS, (n: number) => `${api.url}/media/${id}${question.ours(n)}`]]);
        for (const name of names)
          sides.set(PEERS[name] ?? name, (n) => `${server.url}/${name}/${question.peers}?n=${n}`);
        missed.push(...(await contest(question, sides)));
      }
      return missed;
    } finally {
      await server.close();
    }
  } finally {
    await service.close();
  }
}

async function contest(
  { title, numbers, most }: TableQuestion,
  sides: ReadonlyMap<string, (n: number) => string>,
): Promise<string[]> {
  const answers = await Promise.all(Array.from(sides.values(), async (side) => read(side(numbers(0)))));
  // Peers that know no rule for groups give them in any order: how many there are is what all agree on.
  const [first, ...others] = answers.map(({ data, rows, matched }) => [
    (data?.rows ?? rows).length,
    data?.matched ?? matched,
  ]);
  for (const other of others) if (other?.[1] !== undefined) deepStrictEqual(other, first);
  const candidates = Array.from(sides, ([name, side]) => {
    let round = 0;
    return { name, run: () => read(side(numbers(round++))) };
  });
  const times = await race(candidates, ROUNDS);
  const targets = Object.entries(most).map(
    ([peer, share]): RatioTarget => ({ ours: OURS, peer: PEERS[peer] ?? peer, most: share }),
  );
  return printRace(`${title}, over HTTP`, times, targets);
}

// biome-ignore lint/suspicious/noExplicitAny: each side answers with members of its own.
async function read(url: string): Promise<any> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return await answer.json();
}
