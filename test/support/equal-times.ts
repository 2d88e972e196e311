import { expect } from "vitest";

const MOST_SERIES = 3;

/**
 * Fails unless two kinds of requests take alike, by the medians of their milliseconds. What tells them apart does so in
 * each series; other work on the machine does not.
 */
export async function expectEqualTimes(
  measureSeries: () => Promise<readonly [readonly number[], readonly number[]]>,
): Promise<void> {
  const apart: string[] = [];
  while (apart.length < MOST_SERIES) {
    const [one = 0, other = 0] = (await measureSeries()).map(medianOf);
    if (Math.max(one, other) < Math.min(one, other) * 1.5 + 1) return;
    apart.push(`${one} and ${other} ms`);
  }
  expect(apart).toEqual([]);
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length / 2] ?? 0;
}
