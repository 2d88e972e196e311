// Three times the load that one API process can serve: p99 of what is served and what is refused, beside the load it can serve.
import { execFile } from "node:child_process";
import { loadavg } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { send } from "../support/http-agent.ts";
import { openPublisher, ROOMY } from "../support/publisher.ts";
import { type ApiProcess, openRealService } from "../support/real-service.ts";
import { medianOf } from "./race.ts";

const start = promisify(execFile);
const CONNECTIONS = 32;
// Writes of one agent wait for each other, and it has thirty in a minute: those of a site come from many.
const AGENTS = 32;
const TIMES = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MOST_P99_MS = 1_000;
const MOST_RECOVERY_MS = 5_000;
/** So many answers in a row, each within this time, are a service that is well again. */
const WELL = { answers: 20, withinMs: 250 };

interface Figures {
  sent: number;
  statuses: Record<string, number>;
  hurried: number;
  perSecond: number;
  medianMs: number;
  p99Ms: number;
  mostMs: number;
  p99ReadMs: number;
  p99WriteMs: number;
  writes: number;
}

/** Measures rounds of both; one request in five is a write. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: ROOMY });
  try {
    const api = await service.startApi();
    const tokens: string[] = [];
    for (let agent = 0; agent < AGENTS; agent++)
      tokens.push((await openPublisher(service.deps, api.url, `overload-${agent}`)).token);
    const [token = ""] = tokens;
    const play = async (mode: "closed" | "open", amount: number, seconds: number): Promise<Figures> => {
      const client = join(import.meta.dirname, "overload-client.ts");
      const args = [client, api.url, tokens.join(), mode, String(amount), String(seconds)];
      return JSON.parse((await start(process.execPath, args)).stdout);
    };
    await play("closed", CONNECTIONS, 5);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const usual = await play("closed", CONNECTIONS, 5);
      const over = await play("open", usual.perSecond * TIMES, SECONDS);
      rounds.push({ usual, over, recoveryMs: await waitUntilWell(api, token), busy: loadavg()[0] ?? 0 });
    }
    print(rounds);
    return rounds.flatMap(findMisses);
  } finally {
    await service.close();
  }
}

interface Round {
  usual: Figures;
  over: Figures;
  recoveryMs: number;
  busy: number;
}

function print(rounds: readonly Round[]): void {
  console.log(`\n${CONNECTIONS} connections, then ${TIMES} times what they got, ${SECONDS} s`);
  console.table(
    rounds.map(({ usual, over, recoveryMs, busy }) => ({
      "can serve /s": Math.round(usual.perSecond),
      "sent /s": Math.round(over.sent / SECONDS),
      "served /s": Math.round(over.perSecond),
      "shed /s": Math.round((over.statuses["503"] ?? 0) / SECONDS),
      "median ms": over.medianMs,
      "p99 ms": over.p99Ms,
      "of reads": over.p99ReadMs,
      "of writes": over.p99WriteMs,
      "writes /s": Math.round(over.writes / SECONDS),
      "longest ms": over.mostMs,
      "recovery ms": Math.round(recoveryMs),
      load: Number(busy.toFixed(1)),
    })),
  );
  console.log(
    `p99 of what was served: ${medianOf(rounds.map(({ over }) => over.p99Ms))} ms (median of rounds)`,
  );
}

function findMisses({ over, recoveryMs }: Round, round: number): string[] {
  const misses: string[] = [];
  const others = Object.keys(over.statuses).filter((status) => !["200", "201", "503"].includes(status));
  if (others.length > 0) misses.push(`other answers came: ${JSON.stringify(over.statuses)}`);
  if ((over.statuses["503"] ?? 0) === 0) misses.push("nothing was shed");
  if (over.hurried > 0) misses.push(`${over.hurried} refusals had no Retry-After`);
  if (over.p99Ms > MOST_P99_MS) misses.push(`p99 of what was served is ${over.p99Ms} ms`);
  if (recoveryMs > MOST_RECOVERY_MS) misses.push(`recovery took ${Math.round(recoveryMs)} ms`);
  return misses.map((miss) => `overload, round ${round + 1}: ${miss}`);
}

/** Milliseconds until the process answers one request after the other well and fast. */
async function waitUntilWell(api: ApiProcess, token: string): Promise<number> {
  const startMs = performance.now();
  let wellSinceMs = startMs;
  for (let well = 0; well < WELL.answers && performance.now() - startMs < 60_000; ) {
    const askedMs = performance.now();
    const { status } = await send(api.url, { path: "/api/v1/creations", token });
    const isWell = status === 200 && performance.now() - askedMs < WELL.withinMs;
    well = isWell ? well + 1 : 0;
    if (!isWell) wellSinceMs = performance.now();
  }
  return wellSinceMs - startMs;
}
