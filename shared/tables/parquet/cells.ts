import { DAY_BYTES, readDate } from "../inspection/dates.ts";
import { compareDecimals } from "../rows/decimal.ts";
import type { ReadNumbers } from "./written-twice.ts";

const [MINUS, POINT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39];

/** What a column of numbers holds, as far as it was read. */
export interface NumberTally {
  /** Whether every number is written with digits alone, and within 64 bits. */
  isWhole: boolean;
  /** Whether a number has more digits than every double keeps, or an exponent. */
  isHard: boolean;
  /** The most digits of one number, without zeros at either end. */
  mostDigits: number;
}

/** Every number of so many digits has a double of its own. */
const DIGITS_OF_DOUBLES = 15;
/** Every number of so many digits is within 64 bits. */
const DIGITS_OF_INTEGERS = 18;
const MOST_INTEGER_DIGITS = 19;
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Counts in the number that stands between two places. */
export function tallyNumber(tally: NumberTally, bytes: Buffer, start: number, end: number): void {
  let at = bytes[start] === MINUS ? start + 1 : start;
  const first = at;
  while (at < end && isDigit(bytes[at] as number)) at++;
  const isWhole = at === end;
  if (isWhole) {
    if (at - first > DIGITS_OF_INTEGERS) tally.isWhole &&= fitsInteger(bytes, start, first, end);
  } else tally.isWhole = false;
  if (isWhole && at - first <= DIGITS_OF_DOUBLES) return;
  if (bytes[at] === POINT) for (at++; at < end && isDigit(bytes[at] as number); ) at++;
  if (at === end && at - first <= DIGITS_OF_DOUBLES + 1) return;
  tally.isHard = true;
  tally.mostDigits = Math.max(tally.mostDigits, countDigits(bytes, first, at));
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function fitsInteger(bytes: Buffer, start: number, first: number, end: number): boolean {
  let at = first;
  while (at < end - 1 && bytes[at] === ZERO) at++;
  if (end - at > MOST_INTEGER_DIGITS) return false;
  const size = BigInt(bytes.toString("latin1", at, end));
  const value = first > start ? -size : size;
  return value >= LEAST && value <= MOST;
}

/** The digits of a number before its exponent, without zeros at either end. */
function countDigits(bytes: Buffer, first: number, end: number): number {
  let count = 0;
  let upToLast = 0;
  for (let at = first; at < end; at++) {
    const byte = bytes[at];
    if (byte === POINT || (count === 0 && byte === ZERO)) continue;
    count++;
    if (byte !== ZERO) upToLast = count;
  }
  return upToLast;
}

/** The most digits that the engine writes of a double. */
const MOST_WRITTEN_DIGITS = 100;

/**
 * Whether the doubles of a column tell its numbers apart: each number is what its double is when it is written, in as few
 * digits as possible or, each, in as many as the longest of the column. Then no two different numbers have one double.
 */
export async function areToldApart(readNumbers: ReadNumbers, mostDigits: number): Promise<boolean> {
  let areShortest = true;
  let areLong = mostDigits > DIGITS_OF_DOUBLES && mostDigits <= MOST_WRITTEN_DIGITS;
  await readNumbers((text) => {
    if (!areShortest && !areLong) return;
    const value = Number(text);
    areShortest &&= Number.isFinite(value) && compareDecimals(text, String(value)) === 0;
    areLong &&= Number.isFinite(value) && compareDecimals(text, value.toPrecision(mostDigits)) === 0;
  });
  return areShortest || areLong;
}

const NS_OF_MS = 1_000_000;

/** What a column of dates holds, as far as it was read. */
export interface DateTally {
  areDays: boolean;
  /** Whether every date has a time of day with its offset, and none is finer than a millisecond. */
  areTimes: boolean;
}

/** Counts in the date that stands between two places. */
export function tallyDate(tally: DateTally, bytes: Buffer, start: number, end: number): void {
  if (end - start === DAY_BYTES) tally.areTimes = false;
  else tally.areDays = false;
  tally.areTimes &&= readTime(bytes, start, end) !== null;
}

const instant = { seconds: 0, nanoseconds: 0 };

/** The milliseconds from 1970 in UTC to a date that inspection took; null without an offset, or where it is finer. */
export function readTime(bytes: Buffer, start: number, end: number): number | null {
  if (readDate(bytes, start, end, instant) !== "time with a zone") return null;
  const { seconds, nanoseconds } = instant;
  return nanoseconds % NS_OF_MS === 0 ? 1_000 * seconds + nanoseconds / NS_OF_MS : null;
}
