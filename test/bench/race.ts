import { NOISE, quantile } from "./report.ts";

/** One way to do the work of a race. */
export interface Candidate {
  name: string;
  run: () => unknown;
}

/** What a candidate must keep below, as a share of another's median. */
export interface RatioTarget {
  ours: string;
  peer: string;
  most: number;
}

type Times = Map<string, number[]>;

const WARM_UPS = 2;

/** Runs the candidates in turn, so that none has the quieter machine; the first rounds warm up. */
export async function race(candidates: readonly Candidate[], rounds: number): Promise<Times> {
  const times: Times = new Map(candidates.map(({ name }) => [name, []]));
  for (let round = -WARM_UPS; round < rounds; round++) {
    for (const { name, run } of candidates) {
      const startedAt = performance.now();
      await run();
      if (round >= 0) times.get(name)?.push(performance.now() - startedAt);
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

function printTarget(title: string, times: Times, { ours, peer, most }: RatioTarget): string[] {
  if (!times.has(peer)) {
    console.log(`not measured: ${ours} / ${peer} (must ${most}), which is not on this machine`);
    return [];
  }
  const ratio = medianOf(times.get(ours) ?? []) / medianOf(times.get(peer) ?? []);
  console.log(`${ours} / ${peer}: ${figure(ratio)} (must ${most})`);
  return ratio > most * (1 + NOISE)
    ? [`${title}: ${ours} takes ${figure(ratio)} times ${peer}, over ${most}`]
    : [];
}

/** The median of some figures. */
export const medianOf = (values: readonly number[]) => quantile(values, 0.5);

function figure(value: number): number {
  return Number(value.toPrecision(3));
}
