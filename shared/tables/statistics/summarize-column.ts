import { countCodePoints, takeCodePoints } from "../../ground/text.ts";
import type { Column } from "../inspection/verdict.ts";
import type { ValueFigures } from "./column-figures.ts";
import type { DateHistogram } from "./date-histogram.ts";
import type { NumberHistogram } from "./number-histogram.ts";
import { TAG, type ValueCounts } from "./value-counts.ts";

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

/** The different values of a column by their numbers among those counted, or how many there are more than. */
export type ColumnValues = { counts: ValueCounts; kept: readonly number[] } | { over: number };

/** The statistics of a column, as the JSON text of a `ColumnStats`: its numbers keep the digits of the file. */
export function summarizeColumn(
  column: Column & { missing: number },
  rowCount: number,
  { min, max, ...figures }: ValueFigures,
  values: ColumnValues,
): string {
  const isCounted = "counts" in values;
  const write = column.type === "number" ? encodeNumber : encodeText;
  const members = {
    name: JSON.stringify(column.name),
    type: JSON.stringify(column.type),
    count: String(rowCount - column.blanks - column.missing),
    blanks: String(column.blanks),
    missing: String(column.missing),
    distinct: isCounted ? String(values.kept.length) : "null",
    ...(isCounted ? {} : { distinct_over: String(values.over) }),
    min: min === null ? "null" : write(min),
    max: max === null ? "null" : write(max),
    mean: JSON.stringify(figures.mean),
    quartiles: JSON.stringify(figures.quartiles),
    histogram: JSON.stringify(figures.histogram),
    top_values: isCounted ? `[${listTopValues(values.counts, values.kept).join(",")}]` : "[]",
  };
  return `{${Object.entries(members)
    .map(([name, json]) => `"${name}":${json}`)
    .join(",")}}`;
}

function encodeNumber(text: string): string {
  if (text.length > LONGEST_VALUE) return JSON.stringify(Number(text));
  // A CSV may write 007, JSON may not.
  return text.replace(/^(-?)0+(?=\d)/, "$1");
}

function listTopValues(counts: ValueCounts, kept: readonly number[]): string[] {
  const top: number[] = [];
  const countOf = (value: number | undefined): number => counts.counts[value ?? 0] as number;
  let least = 0;
  for (const value of kept) {
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
