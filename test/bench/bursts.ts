import { execFile } from "node:child_process";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { enrolAgent } from "../support/http-agent.ts";
import { openRealService } from "../support/real-service.ts";
import { medianOf } from "./race.ts";
import { saveStory } from "./save-story.ts";

const start = promisify(execFile);
const CLIENT = join(import.meta.dirname, "burst-client.ts");
const KINDS = ["reads", "writes", "tools"] as const;
const STORY = "The gauge rose 1.2 m in the night. ".repeat(50);
const SIZES = [10, 50, 200, 500];
const ROUNDS = 3;
/** What is done in a second is measured with so many connections. */
const CONNECTIONS = 32;
const MEASURED_SECONDS = 3;
const BURST_SECONDS = 2;
/** Who waits longest waits two seconds, and is then worked on. */
const MOST_P99_MS = 2_500;
/** The pace of a second differs by so much from the next one's: nearer to the bound nothing is demanded. */
const NOISE = 0.3;
/** The pause between bursts, in which a process that was overloaded comes to itself. */
const REST_MS = 2_500;

interface Figures {
  statuses: Record<string, number>;
  perSecond: number;
  medianMs: number;
  p99Ms: number;
  mostMs: number;
}

/** Requests of two agents at once into an idle process: none is refused where all are done within two seconds. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: { LIMIT_CREATIONS: "10000000" } });
  try {
    const api = await service.startApi();
    const tokens: string[] = [];
    for (const name of ["burst-one", "burst-two"]) {
      tokens.push((await enrolAgent(service.deps, api.url, name)).token);
    }
    const creation = await saveStory(api.url, tokens[0] ?? "", STORY);
    const play = async (kind: string, count: number, seconds: number): Promise<Figures> => {
      // A creation is read with its own agent's token.
      const senders = kind === "writes" ? tokens : tokens.slice(0, 1);
      const args = [CLIENT, api.url, kind, creation, String(count), String(seconds), ...senders];
      return JSON.parse((await start(process.execPath, args)).stdout);
    };
    const missed: string[] = [];
    for (const kind of KINDS) missed.push(...(await playKind(kind, play)));
    return missed;
  } finally {
    await service.close();
  }
}

type Play = (kind: string, count: number, seconds: number) => Promise<Figures>;

async function playKind(kind: string, play: Play): Promise<string[]> {
  await play(kind, CONNECTIONS, 1);
  const rows: { size: number; inTwoSeconds: number; burst: Figures; load: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const size of SIZES) {
      const { perSecond } = await play(kind, CONNECTIONS, MEASURED_SECONDS);
      await delay(REST_MS);
      const burst = await play(kind, size, 0);
      await delay(REST_MS);
      rows.push({ size, inTwoSeconds: perSecond * BURST_SECONDS, burst, load: loadavg()[0] ?? 0 });
    }
  }
  console.log(`\n${kind} at once, on a connection each`);
  console.table(
    rows.map(({ size, inTwoSeconds, burst, load }) => ({
      size,
      "done in 2 s": Math.round(inTwoSeconds),
      ...burst.statuses,
      "median ms": burst.medianMs,
      "p99 ms": burst.p99Ms,
      "longest ms": burst.mostMs,
      load: Number(load.toFixed(1)),
    })),
  );
  return SIZES.flatMap((size) =>
    findMisses(
      kind,
      size,
      rows.filter((row) => row.size === size),
    ),
  );
}

/** Judges the median of the rounds: one alone may have met another process of the machine. */
function findMisses(
  kind: string,
  size: number,
  rounds: readonly { inTwoSeconds: number; burst: Figures }[],
): string[] {
  const inTwoSeconds = medianOf(rounds.map((round) => round.inTwoSeconds));
  const refused = medianOf(rounds.map(({ burst }) => burst.statuses["503"] ?? 0));
  const p99Ms = medianOf(rounds.map(({ burst }) => burst.p99Ms));
  const others = rounds.flatMap(({ burst }) =>
    Object.keys(burst.statuses).filter((status) => !["200", "201", "503"].includes(status)),
  );
  const name = `bursts, ${size} ${kind}`;
  const misses = others.length === 0 ? [] : [`${name}: other answers came: ${others.join(", ")}`];
  if (size < inTwoSeconds * (1 - NOISE) && refused > 0) {
    misses.push(`${name}: ${refused} were refused, and ${Math.round(inTwoSeconds)} are done in 2 s`);
  }
  if (size > inTwoSeconds * (1 + NOISE) && p99Ms > MOST_P99_MS) {
    misses.push(`${name}: p99 of what was served is ${p99Ms} ms`);
  }
  return misses;
}
