import { countDays } from "../inspection/dates.ts";
import { floorDivide, listRoundSteps, MOST_BINS } from "./number-histogram.ts";

/** How many cells of a column of dates lie in each of equal bins between two days. */
export interface DateHistogram {
  /** The first day of the first bin, and the day after the last. */
  from: string;
  to: string;
  /** Each bin has as many of these as the others. */
  unit: Unit;
  counts: number[];
}

type Unit = "day" | "month" | "year";

/** A width of bins: so many units, counted from a day, month or year that begins a bin. */
interface Width {
  unit: Unit;
  step: number;
  origin: number;
}

/** Different dates: the number of their day since 1970 and of their month since the year 0, and how often each occurs. */
export interface DatesToBin {
  days: Int32Array;
  months: Int32Array;
  counts: Uint32Array;
  /** Whether a date names a month without a day, so that a bin is at least as wide. */
  areMonths: boolean;
}

const DAY_MS = 86_400_000;
// 1970 began on a Thursday.
const MONDAY = -3;
const DAY_WIDTHS: Width[] = [
  { unit: "day", step: 1, origin: 0 },
  { unit: "day", step: 7, origin: MONDAY },
];
const MONTH_WIDTHS: Width[] = [1, 3].map((step) => ({ unit: "month", step, origin: 0 }));

function* listWidths(areMonths: boolean): Generator<Width> {
  if (!areMonths) yield* DAY_WIDTHS;
  yield* MONTH_WIDTHS;
  for (const step of listRoundSteps()) yield { unit: "year", step, origin: 0 };
}

/** Reads the day of a date as written (`column-types.ts`): its offset from UTC moves nothing. */
export function readDate(text: string): { day: number; month: number; isMonth: boolean } {
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7)) - 1;
  const isMonth = text.length < "2026-01-31".length;
  const date = isMonth ? 1 : Number(text.slice(8, 10));
  return { day: countDays(year, month + 1, date), month: 12 * year + month, isMonth };
}

/** The histogram of dates by days, weeks, months, quarters or years; null where one bin would hold them all. */
export function binDates(dates: DatesToBin): DateHistogram | null {
  for (const width of listWidths(dates.areMonths)) {
    const bins = countBins(dates, width);
    if (bins !== null) return toHistogram(bins, width);
  }
  return null;
}

interface Bins {
  first: number;
  counts: number[];
}

/** Counts the dates in bins of a width; null where that takes too many. */
function countBins(dates: DatesToBin, width: Width): Bins | null {
  const [first, last] = findEnds(dates, width);
  if (last - first >= MOST_BINS) return null;
  const counts = new Array<number>(last - first + 1).fill(0);
  for (let at = 0; at < dates.counts.length; at++) {
    const bin = placeOf(dates, at, width) - first;
    counts[bin] = (counts[bin] as number) + (dates.counts[at] as number);
  }
  return { first, counts };
}

function findEnds(dates: DatesToBin, width: Width): [number, number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < dates.counts.length; at++) {
    const place = placeOf(dates, at, width);
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  return [first, last];
}

function placeOf({ days, months }: DatesToBin, at: number, { unit, step, origin }: Width): number {
  if (unit === "day") return floorDivide((days[at] as number) - origin, step);
  const month = months[at] as number;
  return floorDivide(unit === "month" ? month : floorDivide(month, 12), step);
}

function toHistogram({ first, counts }: Bins, { unit, step, origin }: Width): DateHistogram | null {
  if (counts.length === 1) return null;
  const edge = (place: number) => writeDay(unit, place * step + origin);
  return { from: edge(first), to: edge(first + counts.length), unit, counts };
}

/** The first day of a bin, by its number from 0. */
export function findBinStart({ from, to, unit, counts }: DateHistogram, bin: number): string {
  const [first, end] = [placeOfDay(unit, from), placeOfDay(unit, to)];
  return writeDay(unit, first + ((end - first) / counts.length) * bin);
}

function placeOfDay(unit: Unit, day: string): number {
  const date = new Date(day);
  if (unit === "day") return date.getTime() / DAY_MS;
  return unit === "month" ? 12 * date.getUTCFullYear() + date.getUTCMonth() : date.getUTCFullYear();
}

/** The day before a day. */
export function findDayBefore(day: string): string {
  return writeDay("day", placeOfDay("day", day) - 1);
}

function writeDay(unit: Unit, number: number): string {
  const date = new Date(0);
  if (unit === "day") date.setUTCDate(1 + number);
  else if (unit === "month")
    date.setUTCFullYear(floorDivide(number, 12), number - 12 * floorDivide(number, 12), 1);
  else date.setUTCFullYear(number, 0, 1);
  return date.toISOString().replace(/T.*/, "");
}
