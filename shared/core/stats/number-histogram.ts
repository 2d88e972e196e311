import { floorDivide, listRoundSteps, MOST_BINS } from "./bins.ts";

/** How many cells of a column of numbers lie in each of equal bins between two edges. */
export interface NumberHistogram {
  from: number;
  to: number;
  counts: number[];
}

/** Different numbers in ascending order, and how often each occurs. */
export interface SortedNumbers {
  values: Float64Array;
  counts: Uint32Array;
  total: number;
}

/** The histogram of numbers; null where all are equal, or their span is beyond a double. */
export function binNumbers(sorted: SortedNumbers): NumberHistogram | null {
  const from = sorted.values[0] as number;
  const to = sorted.values.at(-1) as number;
  if (!(to > from) || !Number.isFinite(to - from)) return null;
  return sorted.values.every(Number.isSafeInteger) ? binWhole(sorted) : binEqually(sorted);
}

/** Bins of whole numbers are as wide as each other in whole numbers, so no bin is empty by its place. */
function binWhole({ values, counts }: SortedNumbers): NumberHistogram {
  const [min, max] = [values[0] as number, values.at(-1) as number];
  const spread = (step: number) => floorDivide(max, step) - floorDivide(min, step) + 1;
  const step = listRoundSteps().find((one) => spread(one) <= MOST_BINS) as number;
  const first = floorDivide(min, step);
  const bins = new Array<number>(spread(step)).fill(0);
  for (let at = 0; at < values.length; at++) {
    const bin = floorDivide(values[at] as number, step) - first;
    bins[bin] = (bins[bin] as number) + (counts[at] as number);
  }
  return { from: first * step, to: (first + bins.length) * step, counts: bins };
}

/** Bins of other numbers are equal parts of the way from the smallest to the largest, which the last one holds. */
function binEqually({ values, counts }: SortedNumbers): NumberHistogram {
  const [from, to] = [values[0] as number, values.at(-1) as number];
  const bins = new Array<number>(Math.min(MOST_BINS, values.length)).fill(0);
  for (let at = 0; at < values.length; at++) {
    const share = ((values[at] as number) - from) / (to - from);
    const bin = Math.min(Math.floor(share * bins.length), bins.length - 1);
    bins[bin] = (bins[bin] as number) + (counts[at] as number);
  }
  return { from, to, counts: bins };
}
