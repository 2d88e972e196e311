import type { ColumnType } from "../inspection/verdict.ts";
import { compareDecimals } from "../rows/decimal.ts";
import { binDates, readDate } from "./date-histogram.ts";
import { goBetween, sumExactly } from "./exact-sum.ts";
import { RANK_PASSES, searchRanks } from "./find-ranks.ts";
import { openBins, tallyDecimals } from "./number-histogram.ts";
import { compareBytes, countValue, readNumber, startCounts, textOfValue } from "./value-counts.ts";

/** What the values of a column say together. */
export interface ValueFigures {
  /** The smallest and the largest as they are written; null where the type has no order. */
  min: string | null;
  max: string | null;
  mean: number | null;
  quartiles: { q1: number; median: number; q3: number } | null;
  histogram: object | null;
}

/** The figures of a column from its values, of which it keeps none but the extremes. */
export interface ColumnFigures {
  /** Counts in a value that occurs so often. */
  add(bytes: Buffer, start: number, end: number, count: number): void;
  /** Ends a pass over the column; true where its values have to be shown once more. */
  needsMore(): boolean;
  figures(): ValueFigures;
}

const NOTHING: ValueFigures = { min: null, max: null, mean: null, quartiles: null, histogram: null };

/** Opens a column of a type. */
export function openFigures(type: ColumnType, seed: number): ColumnFigures {
  if (type === "number") return openNumbers();
  if (type === "date") return openDates(seed);
  return type === "text" ? openTexts() : { add: () => {}, needsMore: () => false, figures: () => NOTHING };
}

/** Texts, the first and the last by code point, which is the order of their bytes. */
function openTexts(): ColumnFigures {
  let min: Buffer | null = null;
  let max: Buffer | null = null;
  return {
    add(bytes, start, end) {
      if (min === null || compareBytes(bytes, start, end, min) < 0)
        min = Buffer.from(bytes.subarray(start, end));
      if (max === null || compareBytes(bytes, start, end, max) > 0)
        max = Buffer.from(bytes.subarray(start, end));
    },
    needsMore: () => false,
    figures: () => ({ ...NOTHING, min: min?.toString() ?? null, max: max?.toString() ?? null }),
  };
}

const DAY = "2026-01-31".length;

/** Dates: of ten thousand years there are fewer days than memory has to bound. */
function openDates(seed: number): ColumnFigures {
  const texts = openTexts();
  const days = startCounts(seed);
  return {
    ...texts,
    add(bytes, start, end, count) {
      texts.add(bytes, start, end, count);
      const day = countValue(days, bytes, start, Math.min(end, start + DAY), 0);
      days.counts[day] = (days.counts[day] as number) + count - 1;
    },
    figures: () => ({ ...texts.figures(), histogram: binDates(readDates(days)) }),
  };
}

/** The different days and months of a column of dates. */
function readDates(counts: ReturnType<typeof startCounts>) {
  const { size } = counts;
  const [days, months] = [new Int32Array(size), new Int32Array(size)];
  let areMonths = false;
  for (let value = 0; value < size; value++) {
    const date = readDate(textOfValue(counts, value));
    days[value] = date.day;
    months[value] = date.month;
    areMonths ||= date.isMonth;
  }
  return { days, months, counts: counts.counts.subarray(0, size), areMonths };
}

/** An extreme of numbers as it is written: doubles that are equal may stand for different ones. */
function followExtreme(direction: 1 | -1) {
  let number = direction * Number.POSITIVE_INFINITY;
  let text: string | null = null;
  return {
    number: () => number,
    text: () => text,
    look(value: number, bytes: Buffer, start: number, end: number): void {
      if (direction * (value - number) > 0) return;
      if (value === number && text?.length === end - start && text === bytes.toString("latin1", start, end))
        return;
      const own = bytes.toString("latin1", start, end);
      if (value === number && text !== null && direction * compareDecimals(own, text) >= 0) return;
      [number, text] = [value, own];
    },
  };
}

function openNumbers(): ColumnFigures {
  const [least, most] = [followExtreme(1), followExtreme(-1)];
  const sum = sumExactly();
  const ranks = searchRanks();
  let pass = 0;
  let decimals: ReturnType<typeof tallyDecimals> | null = null;
  let bins: ReturnType<typeof openBins> = null;
  const begin = () => {
    ranks.endPass(pass === 1 ? listRanks(sum.total()) : []);
    if (pass === 1) decimals = tallyDecimals(least.number(), most.number());
    if (pass === 2) bins = openBins(least.number(), most.number(), decimals?.most() ?? 0);
  };
  return {
    add(bytes, start, end, count) {
      const value = readNumber(bytes, start, end);
      ranks.add(value, count);
      if (pass === 1) decimals?.add(value);
      if (pass === 2) bins?.add(value, count, bytes, start, end);
      if (pass > 0) return;
      sum.add(bytes, start, end, count);
      least.look(value, bytes, start, end);
      most.look(value, bytes, start, end);
    },
    needsMore() {
      pass++;
      begin();
      return pass < RANK_PASSES;
    },
    figures: () => ({
      min: least.text(),
      max: most.text(),
      mean: sum.mean(),
      quartiles: toQuartiles(sum.total(), ranks.found()),
      histogram: bins?.histogram ?? null,
    }),
  };
}

const SHARES = [0.25, 0.5, 0.75];

/** The ranks, from 0, on both sides of each quartile. */
function listRanks(total: number): number[] {
  return SHARES.flatMap((share) => [Math.floor(share * (total - 1)), Math.ceil(share * (total - 1))]);
}

/** The quartiles by the numbers at those ranks; one between two lies between them in proportion. */
function toQuartiles(total: number, found: readonly number[]): ValueFigures["quartiles"] {
  const [q1 = 0, median = 0, q3 = 0] = SHARES.map((share, at) => {
    const [low = 0, high = 0] = found.slice(2 * at);
    const rank = share * (total - 1);
    return goBetween(low, high, 4 * (rank - Math.floor(rank)));
  });
  return [q1, median, q3].every(Number.isFinite) ? { q1, median, q3 } : null;
}
