import { countCodePoints, takeCodePoints } from "../../ground/text.ts";
import type { Column } from "../inspection/verdict.ts";
import { compareDecimals } from "../rows/decimal.ts";
import { binDates, type DateHistogram, type DatesToBin, readDate } from "./date-histogram.ts";
import { binNumbers, type NumberHistogram, type SortedNumbers } from "./number-histogram.ts";
import { findPlace, numberOfValue, textOfValue, type ValueCounts } from "./value-counts.ts";

/** The meaning of a value's bytes: a text, or the JSON text of a number, word, object or list. */
export const TAG = { text: 0, json: 1 } as const;

/** The statistics of one column, as the service stores and answers them. */
export interface ColumnStats {
  name: string;
  type: Column["type"];
  /** Cells with a value, and without one. */
  count: number;
  blanks: number;
  /** Cells that the dictionary of the file calls missing; all other figures are without them. */
  missing: number;
  /** Different values as they are written: "1" and "1.0" are two. Exact, however many. */
  distinct: number;
  /** Smallest and largest: of numbers by value, of dates and texts by code point; null for other types. */
  min: number | string | null;
  max: number | string | null;
  /** Of a column of numbers. */
  mean: number | null;
  quartiles: { q1: number; median: number; q3: number } | null;
  /** Up to ten values that occur most, the first in the file first among equals. */
  top_values: { value: unknown; count: number }[];
  /** How many cells of a column of numbers or dates lie in each of equal bins. */
  histogram: NumberHistogram | DateHistogram | null;
}

const TOP_VALUES = 10;
const LONGEST_VALUE = 100;

/** The statistics of a column, as the JSON text of a `ColumnStats`: its numbers keep the digits of the file. */
export function summarizeColumn(
  column: Column & { missing: number },
  rowCount: number,
  counts: ValueCounts,
): string {
  const members = {
    name: JSON.stringify(column.name),
    type: JSON.stringify(column.type),
    count: String(rowCount - column.blanks - column.missing),
    blanks: String(column.blanks),
    missing: String(column.missing),
    distinct: String(counts.size),
    ...(column.type === "number" ? summarizeNumbers(counts) : summarizeOthers(column, counts)),
    top_values: `[${listTopValues(counts).join(",")}]`,
  };
  return `{${Object.entries(members)
    .map(([name, json]) => `"${name}":${json}`)
    .join(",")}}`;
}

function summarizeOthers({ type }: Column, counts: ValueCounts): Record<string, string> {
  const isOrdered = type === "date" || type === "text";
  const [min, max] = isOrdered ? findExtremes(counts) : [-1, -1];
  return {
    min: min < 0 ? "null" : encodeValue(counts, min),
    max: max < 0 ? "null" : encodeValue(counts, max),
    mean: "null",
    quartiles: "null",
    histogram: type === "date" ? JSON.stringify(binDates(readDates(counts))) : "null",
  };
}

function readDates(counts: ValueCounts): DatesToBin {
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

/** The first and the last value by code point, which is the order of their bytes. */
function findExtremes(counts: ValueCounts): [number, number] {
  let [min, max] = [counts.size - 1, counts.size - 1];
  for (let value = 0; value < counts.size; value++) {
    if (compareValues(counts, value, min) < 0) min = value;
    if (compareValues(counts, value, max) > 0) max = value;
  }
  return [min, max];
}

function compareValues({ bytes, ends }: ValueCounts, one: number, other: number): number {
  const [start, end] = [ends[one] as number, ends[one + 1] as number];
  const [from, until] = [ends[other] as number, ends[other + 1] as number];
  const shared = Math.min(end - start, until - from);
  for (let at = 0; at < shared; at++) {
    const difference = (bytes[start + at] as number) - (bytes[from + at] as number);
    if (difference !== 0) return difference;
  }
  return end - start - (until - from);
}

function summarizeNumbers(counts: ValueCounts): Record<string, string> {
  const numbers = new Float64Array(counts.size);
  for (let value = 0; value < counts.size; value++) numbers[value] = numberOfValue(counts, value);
  const sorted = sortNumbers(counts, numbers);
  return {
    min: encodeNumber(findDecimal(counts, numbers, 1)),
    max: encodeNumber(findDecimal(counts, numbers, -1)),
    mean: JSON.stringify(findMean(sorted)),
    quartiles: JSON.stringify(findQuartiles(sorted)),
    histogram: JSON.stringify(binNumbers(sorted)),
  };
}

/** The smallest (direction 1) or largest (-1) number as written: doubles that are equal may stand for different ones. */
function findDecimal(counts: ValueCounts, numbers: Float64Array, direction: 1 | -1): string {
  let best = 0;
  let found: string | null = null;
  for (let value = 1; value < numbers.length; value++) {
    const difference = direction * ((numbers[value] as number) - (numbers[best] as number));
    if (difference > 0) continue;
    const isSame = numbers[value] === numbers[best];
    if (!isSame) {
      best = value;
      found = null;
      continue;
    }
    const text = textOfValue(counts, value);
    found ??= textOfValue(counts, best);
    if (direction * compareDecimals(text, found) < 0) found = text;
  }
  return found ?? textOfValue(counts, best);
}

function encodeNumber(text: string): string {
  if (text.length > LONGEST_VALUE) return JSON.stringify(Number(text));
  // A CSV may write 007, JSON may not.
  return text.replace(/^(-?)0+(?=\d)/, "$1");
}

/**
 * The engine sorts plain numbers ten times as fast as places by their numbers, so a search finds each
 * number's place afterwards.
 */
function sortNumbers({ counts, size }: ValueCounts, numbers: Float64Array): SortedNumbers {
  const values = numbers.slice().sort();
  let kept = 0;
  for (let at = 0; at < size; at++) {
    if (at === 0 || values[at] !== values[kept - 1]) values[kept++] = values[at] as number;
  }
  const sorted = { values: values.subarray(0, kept), counts: new Uint32Array(kept), total: 0 };
  for (let value = 0; value < size; value++) {
    const place = findPlace(sorted.values, numbers[value] as number);
    sorted.counts[place] = (sorted.counts[place] as number) + (counts[value] as number);
    sorted.total += counts[value] as number;
  }
  return sorted;
}

/**
 * The mean by a sum that tracks its rounding errors (Neumaier), so that the order of the rows changes
 * nothing.
 */
function findMean({ values, counts, total }: SortedNumbers): number | null {
  let [sum, lost] = [0, 0];
  for (let at = 0; at < values.length; at++) {
    const term = (values[at] as number) * (counts[at] as number);
    const next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }
  const mean = (sum + lost) / total;
  return Number.isFinite(mean) ? mean : null;
}

/** The quartiles; between two ranks the value is interpolated linearly. */
function findQuartiles(sorted: SortedNumbers): ColumnStats["quartiles"] {
  const [q1 = 0, median = 0, q3 = 0] = [0.25, 0.5, 0.75].map((share) => {
    const rank = share * (sorted.total - 1);
    const low = findRank(sorted, Math.floor(rank));
    const high = findRank(sorted, Math.ceil(rank));
    return low === high ? low : low + (high - low) * (rank - Math.floor(rank));
  });
  return [q1, median, q3].every(Number.isFinite) ? { q1, median, q3 } : null;
}

function findRank({ values, counts }: SortedNumbers, rank: number): number {
  let seen = 0;
  for (let at = 0; at < values.length; at++) {
    seen += counts[at] as number;
    if (seen > rank) return values[at] as number;
  }
  return Number.NaN;
}

function listTopValues(counts: ValueCounts): string[] {
  const top: number[] = [];
  const countOf = (value: number | undefined): number => counts.counts[value ?? 0] as number;
  let least = 0;
  for (let value = 0; value < counts.size; value++) {
    if (countOf(value) <= least) continue;
    const place = top.findIndex((known) => countOf(known) < countOf(value));
    top.splice(place === -1 ? top.length : place, 0, value);
    if (top.length > TOP_VALUES) top.pop();
    if (top.length === TOP_VALUES) least = countOf(top.at(-1));
  }
  return top.map((value) => `{"value":${encodeValue(counts, value)},"count":${countOf(value)}}`);
}

/** A value as the rows reader gives it; a long one is a text of its first characters. */
function encodeValue(counts: ValueCounts, value: number): string {
  const length = (counts.ends[value + 1] as number) - (counts.ends[value] as number);
  // Four bytes a character at most.
  if (length > 4 * LONGEST_VALUE) return cut(counts, value);
  const text = textOfValue(counts, value);
  if (countCodePoints(text) > LONGEST_VALUE) return cut(counts, value);
  return counts.tags[value] === TAG.json ? text : JSON.stringify(text);
}

function cut({ bytes, ends }: ValueCounts, value: number): string {
  const start = ends[value] as number;
  const end = Math.min(ends[value + 1] as number, start + 8 * LONGEST_VALUE);
  return JSON.stringify(`${takeCodePoints(bytes.toString("utf8", start, end), LONGEST_VALUE)}…`);
}
