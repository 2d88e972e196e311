import { createRequire } from "node:module";
import { cpus, loadavg, totalmem } from "node:os";

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

/** The value that so large a share of the others stays under. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
