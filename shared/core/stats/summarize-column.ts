import type { Column } from "../inspect/verdict.ts";
import { compareDecimals } from "../rows/decimal.ts";
import { countCodePoints, takeCodePoints } from "../text.ts";
import { textOfValue, type ValueCounts } from "./value-counts.ts";

/** What a value's bytes are: a text, or the JSON text of a number, word, object or list. */
export const TAG = { text: 0, json: 1 } as const;

/** The statistics of one column, as they are kept and answered. */
export interface ColumnStats {
  name: string;
  type: Column["type"];
  /** Cells with a value, and without one. */
  count: number;
  blanks: number;
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
  /** How many cells of a column of numbers lie in each of equal steps from min to max. */
  histogram: { from: number; to: number; counts: number[] } | null;
}

const TOP_VALUES = 10;
const MOST_STEPS = 20;
const LONGEST_VALUE = 100;

/** The statistics of a column, as the JSON text of a `ColumnStats`: its numbers keep the digits of the file. */
export function summarizeColumn(column: Column, rowCount: number, counts: ValueCounts): string {
  const members = {
    name: JSON.stringify(column.name),
    type: JSON.stringify(column.type),
    count: String(rowCount - column.blanks),
    blanks: String(column.blanks),
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
    histogram: "null",
  };
}

/** The first and the last value by code point, which is the order of their bytes. */
function findExtremes({ size, bytes, ends }: ValueCounts): [number, number] {
  let [min, max] = [size - 1, size - 1];
  const compare = (one: number, other: number): number =>
    bytes.compare(bytes, ends[other], ends[other + 1], ends[one], ends[one + 1]);
  for (let value = 0; value < size; value++) {
    if (compare(value, min) < 0) min = value;
    if (compare(value, max) > 0) max = value;
  }
  return [min, max];
}

function summarizeNumbers(counts: ValueCounts): Record<string, string> {
  const { size } = counts;
  const order = Uint32Array.from({ length: size }, (_, value) => value);
  const numbers = Float64Array.from({ length: size }, (_, value) => Number(textOfValue(counts, value)));
  order.sort((one, other) => (numbers[one] as number) - (numbers[other] as number));
  const sorted = { values: numbers, order, counts: counts.counts, total: sumCounts(counts) };
  return {
    min: encodeNumber(findDecimal(counts, order, 1)),
    max: encodeNumber(findDecimal(counts, order, -1)),
    mean: JSON.stringify(findMean(sorted)),
    quartiles: JSON.stringify(findQuartiles(sorted)),
    histogram: JSON.stringify(drawSteps(sorted)),
  };
}

/** The smallest (direction 1) or largest (-1) number as written: doubles that are equal may stand for different ones. */
function findDecimal(counts: ValueCounts, order: Uint32Array, direction: 1 | -1): string {
  const at = (index: number): number =>
    (direction === 1 ? order[index] : order[order.length - 1 - index]) ?? 0;
  let found = textOfValue(counts, at(0));
  const value = Number(found);
  for (let index = 1; index < order.length; index++) {
    const text = textOfValue(counts, at(index));
    if (Number(text) !== value) break;
    if (direction * compareDecimals(text, found) < 0) found = text;
  }
  return found;
}

function encodeNumber(text: string): string {
  if (text.length > LONGEST_VALUE) return JSON.stringify(Number(text));
  // A CSV may write 007, JSON may not.
  return text.replace(/^(-?)0+(?=\d)/, "$1");
}

interface SortedNumbers {
  values: Float64Array;
  order: Uint32Array;
  counts: Uint32Array;
  total: number;
}

function sumCounts({ counts, size }: ValueCounts): number {
  let total = 0;
  for (let value = 0; value < size; value++) total += counts[value] as number;
  return total;
}

/** Kept apart from its rounding errors (Neumaier), so that the order of the rows changes nothing. */
function findMean({ values, order, counts, total }: SortedNumbers): number | null {
  let [sum, lost] = [0, 0];
  for (const value of order) {
    const term = (values[value] as number) * (counts[value] as number);
    const next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }
  const mean = (sum + lost) / total;
  return Number.isFinite(mean) ? mean : null;
}

/** Between two ranks the value lies between their values, as far as the rank does. */
function findQuartiles(sorted: SortedNumbers): ColumnStats["quartiles"] {
  const [q1 = 0, median = 0, q3 = 0] = [0.25, 0.5, 0.75].map((share) => {
    const rank = share * (sorted.total - 1);
    const low = findRank(sorted, Math.floor(rank));
    const high = findRank(sorted, Math.ceil(rank));
    return low === high ? low : low + (high - low) * (rank - Math.floor(rank));
  });
  return [q1, median, q3].every(Number.isFinite) ? { q1, median, q3 } : null;
}

function findRank({ values, order, counts }: SortedNumbers, rank: number): number {
  let seen = 0;
  for (const value of order) {
    seen += counts[value] as number;
    if (seen > rank) return values[value] as number;
  }
  return Number.NaN;
}

function drawSteps({ values, order, counts }: SortedNumbers): ColumnStats["histogram"] {
  const from = values[order[0] ?? 0] as number;
  const to = values[order.at(-1) ?? 0] as number;
  if (!(to > from) || !Number.isFinite(to - from)) return null;
  const steps = Array.from({ length: Math.min(MOST_STEPS, order.length) }, () => 0);
  for (const value of order) {
    const share = ((values[value] as number) - from) / (to - from);
    const step = Math.min(Math.floor(share * steps.length), steps.length - 1);
    steps[step] = (steps[step] as number) + (counts[value] as number);
  }
  return { from, to, counts: steps };
}

function listTopValues(counts: ValueCounts): string[] {
  const top: number[] = [];
  const countOf = (value: number | undefined): number => counts.counts[value ?? 0] as number;
  for (let value = 0; value < counts.size; value++) {
    if (top.length === TOP_VALUES && countOf(value) <= countOf(top.at(-1))) continue;
    const place = top.findIndex((known) => countOf(known) < countOf(value));
    top.splice(place === -1 ? top.length : place, 0, value);
    if (top.length > TOP_VALUES) top.pop();
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
