import { compareDecimals } from "../rows/decimal.ts";

/** The most bins of a histogram. */
export const MOST_BINS = 20;

/** Widths of bins: 1, 2, 5, 10, 20, 50 and so on, as far as a span of safe whole numbers needs them. */
export function* listRoundSteps(): Generator<number> {
  for (let power = 1; power <= Number.MAX_SAFE_INTEGER; power *= 10) {
    yield power;
    yield 2 * power;
    yield 5 * power;
  }
}

// Edges are round, so what follows the fourteenth digit is the error of a product or a sum.
const EDGE_DIGITS = 14;

/** The edge of a bin without the error of its computation. */
export function roundEdge(edge: number): number {
  return Number(edge.toPrecision(EDGE_DIGITS));
}

/** The whole number of steps up to a whole number, downwards; the remainder is exact where a quotient rounds. */
export function floorDivide(value: number, step: number): number {
  const rest = value % step;
  return (value - rest) / step - (rest < 0 ? 1 : 0);
}

/** How many cells of a column of numbers lie in each of equal bins between two edges. */
export interface NumberHistogram {
  from: number;
  to: number;
  counts: number[];
}

/** A width of bins: 1, 2 or 5 times a power of ten. */
interface Step {
  digit: number;
  exponent: number;
}

// A double tells numbers of this many digits apart, so no edge has more.
const DIGITS = 15;
const [SMALLEST_EXPONENT, LARGEST_EXPONENT] = [-300, 308];
const DIGITS_OF_STEPS = [1, 2, 5];

/**
 * Opens empty bins for numbers between two that are written with so many decimals: the narrowest with round edges of which
 * there are few enough. A bin is never narrower than the numbers are written, so none is empty by its place alone. Null
 * where one bin would hold all numbers, or their span is beyond a double.
 */
export function openBins(min: number, max: number, decimals: number) {
  if (!(max > min) || !Number.isFinite(max - min)) return null;
  for (const step of listSteps(max - min, decimals)) {
    const first = findPlace(min, step);
    const count = findPlace(max, step) - first + 1;
    if (count > MOST_BINS || hasManyDigits(first, count, step)) continue;
    return count === 1 ? null : startBins(first, count, step);
  }
  return null;
}

/** The steps that may do, the narrowest first: none has more decimals than the numbers. */
function* listSteps(span: number, decimals: number): Generator<Step> {
  const least = Math.floor(Math.log10(span / MOST_BINS)) - 1;
  const begin = Math.max(least, -decimals, SMALLEST_EXPONENT);
  for (let exponent = begin; exponent <= LARGEST_EXPONENT; exponent++) {
    for (const digit of DIGITS_OF_STEPS) yield { digit, exponent };
  }
}

/** Finds how many decimals numbers between two need at most; as many as a double has where they need more. */
export function tallyDecimals(min: number, max: number) {
  const most = DIGITS - Math.ceil(Math.log10(Math.max(Math.abs(min), Math.abs(max))));
  let decimals = 0;
  return {
    add(value: number): void {
      while (decimals < most && Math.round(value * 10 ** decimals) / 10 ** decimals !== value) decimals++;
    },
    most: () => decimals,
  };
}

/** The edge before a bin, counted from zero. */
function writeEdge(place: number, { digit, exponent }: Step): string {
  return `${place * digit}e${exponent}`;
}

/** The double nearest to an edge. */
function findEdge(place: number, step: Step): number {
  return Number(writeEdge(place, step));
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

function startBins(first: number, bins: number, step: Step) {
  const edges = Array.from({ length: bins + 1 }, (_, bin) => findEdge(first + bin, step));
  const [from, to] = [edges[0] as number, edges[bins] as number];
  if (!Number.isFinite(to - from)) return null;
  const counts = new Array<number>(bins).fill(0);
  let bin = 0;
  const add = (value: number, count: number, bytes: Buffer, start: number, end: number): void => {
    while (value >= (edges[bin + 1] as number)) bin++;
    while (value < (edges[bin] as number)) bin--;
    // A number of more digits than a double tells apart may have the double of an edge and be below it.
    const isBelow =
      value === edges[bin] &&
      bin > 0 &&
      end - start > DIGITS &&
      compareDecimals(bytes.toString("latin1", start, end), writeEdge(first + bin, step)) < 0;
    const own = isBelow ? bin - 1 : bin;
    counts[own] = (counts[own] as number) + count;
  };
  return { add, histogram: { from, to, counts } satisfies NumberHistogram };
}

const ROUND = ["1.00000", "2.00000", "5.00000"];

/**
 * Joins neighbouring bins until there are about as many as a drawing of so many values can bear: 1 + log2 n (Sturges).
 * Edges stay round, so a bin may take up more or fewer than that; bins that are not round stay as they are.
 */
export function mergeBins(histogram: NumberHistogram): NumberHistogram {
  const { from, to, counts } = histogram;
  const width = (to - from) / counts.length;
  const wanted = 1 + Math.log2(counts.reduce((sum, count) => sum + count, 0));
  let best = histogram;
  for (const step of listRoundSteps()) {
    if (step > counts.length) break;
    if (!isRound(step * width)) continue;
    const joined = joinBins(histogram, width, step);
    if (joined.counts.length < 2) break;
    if (distance(joined, wanted) < distance(best, wanted)) best = joined;
  }
  return best;
}

function isRound(width: number): boolean {
  const [digits = ""] = width.toExponential(5).split("e");
  return ROUND.includes(digits);
}

function distance({ counts }: NumberHistogram, wanted: number): number {
  return Math.abs(Math.log(counts.length / wanted));
}

/** Joins each `step` bins that begin at a multiple of their common width. */
function joinBins({ from: lowest, counts }: NumberHistogram, width: number, step: number): NumberHistogram {
  const place = Math.round(lowest / width);
  const first = Math.floor(place / step);
  const joined: number[] = [];
  for (const [at, count] of counts.entries()) {
    const bin = Math.floor((place + at) / step) - first;
    joined[bin] = (joined[bin] ?? 0) + count;
  }
  const edge = (bin: number) => roundEdge(bin * step * width);
  return { from: edge(first), to: edge(first + joined.length), counts: joined };
}
