import { createRequire } from "node:module";
import { cpus, loadavg, totalmem } from "node:os";

/** One figure that was measured several times; a target is a median that it must stay under. */
export interface Measurement {
  name: string;
  milliseconds: readonly number[];
  target?: number;
}

/** A target counts as missed beyond this share above it: two runs on one quiet machine differ by less. */
export const NOISE = 0.1;

const require = createRequire(import.meta.url);

/** The version of an installed package; "none" where it is not installed. */
export function versionOf(name: string): string {
  try {
    return require(`../../node_modules/${name}/package.json`).version;
  } catch {
    return "none";
  }
}

/** Prints where the figures were taken. */
export function printSurroundings(versions: Record<string, string>): void {
  const [cpu] = cpus();
  const memoryGib = Math.round(totalmem() / 1024 ** 3);
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${cpus().length} × ${cpu?.model.trim()}, ${memoryGib} GiB, load ${load}`);
  console.log(
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", "),
  );
}

/** Prints a table and tells which targets were missed. */
export function printMeasurements(title: string, measurements: readonly Measurement[]): string[] {
  console.log(`\n${title} (milliseconds; n = ${measurements[0]?.milliseconds.length})`);
  console.table(Object.fromEntries(measurements.map((one) => [one.name, summarize(one)])));
  return measurements.filter(isMissed).map((one) => `${title}: ${one.name} is over ${one.target} ms`);
}

function summarize({ milliseconds, target }: Measurement) {
  return {
    median: round(quantile(milliseconds, 0.5)),
    "lower quarter": round(quantile(milliseconds, 0.25)),
    "upper quarter": round(quantile(milliseconds, 0.75)),
    least: round(quantile(milliseconds, 0)),
    most: round(quantile(milliseconds, 1)),
    target: target === undefined ? "" : `< ${target}`,
  };
}

function isMissed({ milliseconds, target }: Measurement): boolean {
  return target !== undefined && quantile(milliseconds, 0.5) > target * (1 + NOISE);
}

/** The value that so large a share of the others stays under. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
