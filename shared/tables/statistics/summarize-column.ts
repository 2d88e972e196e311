import { countCodePoints, takeCodePoints } from "../../ground/text.ts";
import type { Column } from "../inspection/verdict.ts";
import type { DateHistogram } from "./date-histogram.ts";
import { sumExactly } from "./exact-sum.ts";
import { binNumbers, type NumberHistogram, type SortedNumbers } from "./number-histogram.ts";
import { findPlace, readNumber, TAG, type ValueCounts } from "./value-counts.ts";
import {
  followExtreme,
  listRanks,
  openWide,
  toQuartiles,
  type ValueFigures,
  type WideColumn,
} from "./wide-columns.ts";

/** The statistics of one column, as the service stores and answers them. */
export interface ColumnStats {
  name: string;
  type: Column["type"];
  /** Cells with a value, and without one. */
  count: number;
  blanks: number;
  /** Cells that the dictionary of the file calls missing; all other figures are without them. */
  missing: number;
  /** Different values as they are written: "1" and "1.0" are two. Exact; null where there are too many to count. */
  distinct: number | null;
  /** More than so many are different, where they were not counted. */
  distinct_over?: number;
  /** Smallest and largest: of numbers by value, of dates and texts by code point; null for other types. */
  min: number | string | null;
  max: number | string | null;
  /** Of a column of numbers. */
  mean: number | null;
  quartiles: { q1: number; median: number; q3: number } | null;
  /** Up to ten values that occur most, the first in the file first among equals; none where they were not counted. */
  top_values: { value: unknown; count: number }[];
  /** How many cells of a column of numbers or dates lie in each of equal bins. */
  histogram: NumberHistogram | DateHistogram | null;
}

const TOP_VALUES = 10;
const LONGEST_VALUE = 100;

/** The values of a column: counted, or those of a wide one, of which there are more than so many. */
export type ColumnValues = { counts: ValueCounts } | { wide: WideColumn; over: number };

/** The statistics of a column, as the JSON text of a `ColumnStats`: its numbers keep the digits of the file. */
export function summarizeColumn(
  column: Column & { missing: number },
  rowCount: number,
  values: ColumnValues,
): string {
  const isCounted = "counts" in values;
  const members = {
    name: JSON.stringify(column.name),
    type: JSON.stringify(column.type),
    count: String(rowCount - column.blanks - column.missing),
    blanks: String(column.blanks),
    missing: String(column.missing),
    distinct: isCounted ? String(values.counts.size) : "null",
    ...(isCounted ? {} : { distinct_over: String(values.over) }),
    ...(isCounted ? summarizeCounted(column, values.counts) : writeFigures(column, values.wide.figures())),
    top_values: isCounted ? `[${listTopValues(values.counts).join(",")}]` : "[]",
  };
  return `{${Object.entries(members)
    .map(([name, json]) => `"${name}":${json}`)
    .join(",")}}`;
}

function summarizeCounted(column: Column, counts: ValueCounts): Record<string, string> {
  if (column.type === "number") return writeFigures(column, findFigures(counts));
  const { bytes, ends, size } = counts;
  const values = openWide(column.type, counts.seed);
  for (let value = 0; value < size; value++)
    values.add(bytes, ends[value] as number, ends[value + 1] as number, counts.counts[value] as number);
  return writeFigures(column, values.figures());
}

function writeFigures({ type }: Column, { min, max, ...figures }: ValueFigures): Record<string, string> {
  const write = type === "number" ? encodeNumber : encodeText;
  return {
    min: min === null ? "null" : write(min),
    max: max === null ? "null" : write(max),
    mean: JSON.stringify(figures.mean),
    quartiles: JSON.stringify(figures.quartiles),
    histogram: JSON.stringify(figures.histogram),
  };
}

function findFigures(counts: ValueCounts): ValueFigures {
  const { bytes, ends, size } = counts;
  const numbers = new Float64Array(size);
  const [least, most, sum] = [followExtreme(1), followExtreme(-1), sumExactly()];
  for (let value = 0; value < size; value++) {
    const [start, end] = [ends[value] as number, ends[value + 1] as number];
    const number = readNumber(bytes, start, end);
    numbers[value] = number;
    least.look(number, bytes, start, end);
    most.look(number, bytes, start, end);
    sum.add(bytes, start, end, counts.counts[value] as number);
  }
  const sorted = sortNumbers(counts, numbers);
  return {
    ...{ min: least.text(), max: most.text(), mean: sum.mean() },
    quartiles: toQuartiles(sorted.total, findRanks(sorted, listRanks(sorted.total))),
    histogram: binNumbers(sorted),
  };
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

function findRanks({ values, counts }: SortedNumbers, ranks: readonly number[]): number[] {
  return ranks.map((rank) => {
    let [at, seen] = [0, counts[0] as number];
    while (seen <= rank) seen += counts[++at] as number;
    return values[at] as number;
  });
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
  const [start, end] = [counts.ends[value] as number, counts.ends[value + 1] as number];
  // Of a long value the first characters do: each has four bytes at most.
  const text = counts.bytes.toString("utf8", start, Math.min(end, start + 8 * LONGEST_VALUE));
  const isJson = counts.tags[value] === TAG.json && countCodePoints(text) <= LONGEST_VALUE;
  return isJson ? text : encodeText(text);
}

function encodeText(text: string): string {
  const isLong = text.length > LONGEST_VALUE && countCodePoints(text) > LONGEST_VALUE;
  return JSON.stringify(isLong ? `${takeCodePoints(text, LONGEST_VALUE)}…` : text);
}
