import { setTimeout as delay } from "node:timers/promises";
import { NOISE } from "./report.ts";

/** One way to do the work of a race. */
export interface Candidate {
  name: string;
  run: () => unknown;
  /** Of one that takes minutes: it runs in so many rounds alone, and does not warm up. */
  rounds?: number;
}

/** What is counted: the clock on the wall, or the time of the processor in all threads of this process. */
export type Clock = "wall" | "processor";

/** What a candidate must keep below, as a share of another's median. */
export interface RatioTarget {
  ours: string;
  peer: string;
  most: number;
  /** Reached by nobody yet: missing it is told, and is no fault. */
  isReach?: boolean;
}

export type Times = Map<string, number[]>;

const REST_MS = 100;

const readClock: Readonly<Record<Clock, () => number>> = {
  wall: () => performance.now(),
  processor: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/** Rounds that warm up: the processor compiles beside the work, which counts for its own clock. */
const WARM_UPS: Readonly<Record<Clock, number>> = { wall: 2, processor: 6 };

/** Runs the candidates in turn, so that none has the quieter machine; the first rounds warm up. */
export async function race(
  candidates: readonly Candidate[],
  rounds: number,
  clock: Clock = "wall",
): Promise<Times> {
  const times: Times = new Map(candidates.map(({ name }) => [name, []]));
  const read = readClock[clock];
  for (let round = -WARM_UPS[clock]; round < rounds; round++) {
    for (const { name, run, rounds: own } of candidates) {
      if (own !== undefined && (round < 0 || round >= own)) continue;
      // Threads that the one before left behind come to rest.
      if (clock === "processor") await delay(REST_MS);
      const startedAt = read();
      await run();
      if (round >= 0) times.get(name)?.push(read() - startedAt);
    }
  }
  return times;
}

/** Prints medians with their spread and the ratios; gives the targets that were missed. */
export function printRace(title: string, times: Times, targets: readonly RatioTarget[]): string[] {
  console.log(`\n${title} (milliseconds, interleaved)`);
  const rows = Array.from(times, ([name, values]) => {
    const figures = {
      median: figure(medianOf(values)),
      least: figure(Math.min(...values)),
      most: figure(Math.max(...values)),
      n: values.length,
    };
    return [name, figures] as const;
  });
  console.table(Object.fromEntries(rows));
  return targets.flatMap((target) => printTarget(title, times, target));
}

function printTarget(title: string, times: Times, { ours, peer, most, isReach }: RatioTarget): string[] {
  if (!times.has(peer)) {
    console.log(`not measured: ${ours} / ${peer} (must ${most}), which is not on this machine`);
    return [];
  }
  const ratio = medianOf(times.get(ours) ?? []) / medianOf(times.get(peer) ?? []);
  const isMet = ratio <= most;
  const kind = isReach === true ? "reach" : "must";
  console.log(`${isMet ? "met   " : "MISSED"} ${ours} / ${peer}: ${figure(ratio)} (${kind} ${most})`);
  const isFault = isReach !== true && ratio > most * (1 + NOISE);
  return isFault ? [`${title}: ${ours} takes ${figure(ratio)} times ${peer}, over ${most}`] : [];
}

/** The median of some figures. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted[middle] ?? Number.NaN;
}

function figure(value: number): number {
  return Number(value.toPrecision(3));
}
