import { availableParallelism } from "node:os";
import { medianOf } from "./race.ts";
import { printMeasurements } from "./report.ts";

const LEAST_GAIN = 1.8;
/**
 * Of what the machine bears: two inspections at once wait for each other's memory, and one worker keeps more than one core
 * busy with its database.
 */
const LEAST_SHARE = 0.9;

/** What a file took, on the clock and of the processor in each part, in milliseconds. */
export interface Inspected {
  fileMs: number;
  used: Used;
}
export type Used = Record<"workers" | "PostgreSQL" | "Redis" | "bench", number>;

/** One and two at once; of bare processes the clock alone. */
export interface Runs {
  workers: Record<1 | 2, Inspected[]>;
  bare: Record<1 | 2, number[]>;
}

/** Prints what the runs took, and what one worker and this machine leave for a second; tells what was missed. */
export function report(lane: string, { workers, bare }: Runs): string[] {
  const wall = (count: 1 | 2) => workers[count].map(({ fileMs }) => fileMs);
  printMeasurements(`each file of a backlog of 10 MiB files, carried by ${lane}`, [
    { name: "one worker", milliseconds: wall(1) },
    { name: "two workers", milliseconds: wall(2) },
    { name: "one bare process", milliseconds: bare[1] },
    { name: "two bare processes", milliseconds: bare[2] },
  ]);
  const cores = availableParallelism();
  const busy = mapUsed((name) => medianOf(workers[1].map(({ used, fileMs }) => used[name] / fileMs)));
  console.table({
    "cores that one worker keeps busy": busy,
    "processor ms a file, one worker": perFile(workers[1]),
    "processor ms a file, two workers": perFile(workers[2]),
  });
  const gain = medianOf(wall(1)) / medianOf(wall(2));
  const gainOfBare = medianOf(bare[1]) / medianOf(bare[2]);
  const most = Math.min(gainOfBare, cores / sumOf(busy));
  const wanted = Math.min(LEAST_GAIN, most * LEAST_SHARE);
  console.log(
    `two bare processes are ${gainOfBare.toFixed(2)} times as fast as one; one worker with all beside it keeps ${sumOf(busy).toFixed(2)} of ${cores} cores busy`,
  );
  const told = `${lane}: two workers are ${gain.toFixed(2)} times as fast as one (at least ${wanted.toFixed(2)} wanted)`;
  console.log(told);
  return gain < wanted ? [told] : [];
}

function perFile(runs: readonly Inspected[]): Used {
  return mapUsed((name) => medianOf(runs.map(({ used }) => used[name])));
}

/** The same figure of each part. */
export function mapUsed(tell: (name: keyof Used) => number): Used {
  const round = (name: keyof Used) => Number(tell(name).toFixed(2));
  return {
    workers: round("workers"),
    PostgreSQL: round("PostgreSQL"),
    Redis: round("Redis"),
    bench: round("bench"),
  };
}

function sumOf(used: Used): number {
  return Object.values(used).reduce((sum, one) => sum + one, 0);
}
