import { setTimeout as delay } from "node:timers/promises";
import { readPostmasterPid, until } from "../../support/service-process.ts";
import type { Place, Stack } from "./stack.ts";

const BACK_WITHIN_MS = 60_000;
const PAUSE_MS = { least: 300, most: 2_500 };
const LASTS_MS = { least: 500, most: 4_000 };
const MOST_SKEW_MS = 8_000;

/** One fault as it was done, for the log and the report. */
export interface Fault {
  atMs: number;
  kind: string;
  told: string;
}

type Random = () => number;

/** Does one fault of a lane after the other, chosen by the seed alone, until the moment is over. */
export async function rage(
  stack: Stack,
  lane: readonly Kind[],
  random: Random,
  untilMs: number,
  log: (fault: Fault) => void,
): Promise<void> {
  const startMs = performance.now();
  while (performance.now() < untilMs) {
    const { kind, act } = choose(random, lane);
    const told = await act(stack, random);
    log({ atMs: Math.round(performance.now() - startMs), kind, told });
    await delay(between(random, PAUSE_MS));
  }
}

/** Everything runs and every cable carries again; clocks stay where they are. */
export async function mend(stack: Stack): Promise<void> {
  for (const cable of Object.values(stack.cables)) cable.heal();
  await stack.disk.empty();
}

interface Kind {
  kind: string;
  weight: number;
  /** Tells what it did. */
  act(stack: Stack, random: Random): Promise<string>;
}

/** What happens to processes and what they write on. */
const PROCESSES: readonly Kind[] = [
  { kind: "kill API", weight: 4, act: (stack, random) => kill(pick(random, placesOf(stack, true))) },
  { kind: "kill worker", weight: 6, act: (stack, random) => kill(pick(random, placesOf(stack, false))) },
  {
    kind: "kill several at once",
    weight: 2,
    act: async (stack, random) =>
      (await Promise.all(several(random, stack.places).map((place) => kill(place)))).join(", "),
  },
  { kind: "fill the disk", weight: 2, act: fillDisk },
  {
    kind: "move a clock",
    weight: 2,
    act: async (stack, random) => {
      const skewMs = Math.round((random() * 2 - 1) * MOST_SKEW_MS);
      return `${await kill(pick(random, stack.places), skewMs)}, clock at ${skewMs} ms`;
    },
  },
];

/** What happens to PostgreSQL, Redis and the cables to them. */
const SUPPLIES: readonly Kind[] = [
  { kind: "kill PostgreSQL", weight: 2, act: killPostgres },
  { kind: "kill Redis, started again later", weight: 2, act: killRedis },
  {
    kind: "restart Redis empty",
    weight: 2,
    act: async ({ redis }) => {
      await redis.restart();
      return "restarted";
    },
  },
  {
    kind: "flush Redis",
    weight: 2,
    act: async ({ redis }) => {
      await redis.flush();
      return "flushed";
    },
  },
  {
    kind: "cut a cable",
    weight: 3,
    act: (stack, random) => tug(stack, random, "cut", (cable) => cable.cut()),
  },
  {
    kind: "slow a cable",
    weight: 3,
    act: (stack, random) => {
      const ms = Math.round(20 + random() * 400);
      return tug(stack, random, `slowed by ${ms} ms`, (cable) => cable.slow(ms));
    },
  },
  {
    kind: "half-open a cable",
    weight: 3,
    act: (stack, random) => tug(stack, random, "half-opened", (cable) => cable.halfOpen()),
  },
];

/** Both go on at the same time, so that a process starts while a cable is cut. */
export const LANES = [PROCESSES, SUPPLIES];

function choose(random: Random, lane: readonly Kind[]): Kind {
  const all = lane.reduce((sum, { weight }) => sum + weight, 0);
  let left = random() * all;
  return lane.find(({ weight }) => {
    left -= weight;
    return left < 0;
  }) as Kind;
}

const placesOf = ({ places }: Stack, isApi: boolean) =>
  places.filter(({ kind }) => (kind === "API") === isApi);

async function kill(place: Place, skewMs?: number): Promise<string> {
  return `${place.name} ${await place.kill(skewMs)}`;
}

/** Its watchdog starts it again on the same port. */
async function killPostgres({ service }: Stack): Promise<string> {
  const said = service.watchdogLog.length;
  process.kill(await readPostmasterPid(service.dataDir), "SIGKILL");
  await until(
    () => service.watchdogLog.slice(said).some((line) => line.startsWith("PostgreSQL is back")),
    BACK_WITHIN_MS,
  );
  return "SIGKILL";
}

async function killRedis({ redis }: Stack, random: Random): Promise<string> {
  const ms = between(random, LASTS_MS);
  await redis.kill();
  await delay(ms);
  await redis.restart();
  return `away for ${Math.round(ms)} ms`;
}

async function fillDisk({ disk }: Stack, random: Random): Promise<string> {
  const ms = between(random, LASTS_MS);
  await disk.fill();
  await delay(ms);
  await disk.empty();
  return `full for ${Math.round(ms)} ms`;
}

async function tug(
  { cables }: Stack,
  random: Random,
  told: string,
  act: (cable: Stack["cables"]["API to Redis"]) => void,
): Promise<string> {
  const [name, cable] = pick(random, Object.entries(cables));
  const ms = between(random, LASTS_MS);
  act(cable);
  await delay(ms);
  cable.heal();
  return `${name} ${told} for ${Math.round(ms)} ms`;
}

function several<T>(random: Random, all: readonly T[]): T[] {
  const chosen = all.filter(() => random() < 0.35);
  return chosen.length > 0 ? chosen : all.slice(0, 1);
}

/** One of them by the random number. */
export function pick<T>(random: Random, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)] as T;
}

function between(random: Random, { least, most }: { least: number; most: number }): number {
  return least + random() * (most - least);
}
