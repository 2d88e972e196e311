import { MOST_BINS } from "./bins.ts";

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

/** A width of bins: 1, 2 or 5 times a power of ten. */
interface Step {
  digit: number;
  exponent: number;
}

// A double tells numbers of this many digits apart, so edges that have no more are exact.
const DIGITS = 15;
const [SMALLEST_EXPONENT, LARGEST_EXPONENT] = [-300, 308];
const DIGITS_OF_STEPS = [1, 2, 5];

/**
 * The histogram of numbers in the narrowest bins with round edges of which there are few enough. A bin is never narrower
 * than the numbers are written, so none is empty by its place alone. Null where one bin would hold all numbers, or their
 * span is beyond a double.
 */
export function binNumbers(sorted: SortedNumbers): NumberHistogram | null {
  const [min, max] = [sorted.values[0] as number, sorted.values.at(-1) as number];
  if (!(max > min) || !Number.isFinite(max - min)) return null;
  for (const step of listSteps(sorted.values, max - min)) {
    const first = findPlace(min, step);
    const bins = findPlace(max, step) - first + 1;
    if (bins > MOST_BINS || hasManyDigits(first, bins, step)) continue;
    return bins === 1 ? null : countBins(sorted, first, bins, step);
  }
  return null;
}

/** The steps that may do, the narrowest first: none has more decimals than the numbers. */
function* listSteps(values: Float64Array, span: number): Generator<Step> {
  const least = Math.floor(Math.log10(span / MOST_BINS)) - 1;
  const begin = Math.max(least, -countDecimals(values), SMALLEST_EXPONENT);
  for (let exponent = begin; exponent <= LARGEST_EXPONENT; exponent++) {
    for (const digit of DIGITS_OF_STEPS) yield { digit, exponent };
  }
}

/** How many decimals the numbers need at most; as many as a double has where they need more. */
function countDecimals(values: Float64Array): number {
  const largest = Math.max(Math.abs(values[0] as number), Math.abs(values.at(-1) as number));
  const most = DIGITS - Math.ceil(Math.log10(largest));
  let decimals = 0;
  for (const value of values) {
    while (decimals < most && Math.round(value * 10 ** decimals) / 10 ** decimals !== value) decimals++;
  }
  return decimals;
}

/** The edge before a bin, counted from zero: the double nearest to the decimal number. */
function findEdge(place: number, { digit, exponent }: Step): number {
  return Number(`${place * digit}e${exponent}`);
}

/** The bin of a number, counted from zero; a quotient of doubles may be one off. */
function findPlace(value: number, step: Step): number {
  let place = Math.floor(value / findEdge(1, step));
  if (findEdge(place, step) > value) place -= 1;
  else if (findEdge(place + 1, step) <= value) place += 1;
  return place;
}

function hasManyDigits(first: number, bins: number, { digit }: Step): boolean {
  return Math.max(Math.abs(first), Math.abs(first + bins)) * digit >= 10 ** DIGITS;
}

function countBins(
  { values, counts }: SortedNumbers,
  first: number,
  bins: number,
  step: Step,
): NumberHistogram | null {
  const edges = Array.from({ length: bins + 1 }, (_, bin) => findEdge(first + bin, step));
  const [from, to] = [edges[0] as number, edges[bins] as number];
  if (!Number.isFinite(to - from)) return null;
  const found = new Array<number>(bins).fill(0);
  let bin = 0;
  for (let at = 0; at < values.length; at++) {
    while ((values[at] as number) >= (edges[bin + 1] as number)) bin++;
    found[bin] = (found[bin] as number) + (counts[at] as number);
  }
  return { from, to, counts: found };
}
