import { DAY_BYTES, readDate } from "../inspection/dates.ts";
import { compareDecimals } from "../rows/decimal.ts";

const [MINUS, POINT, ZERO, NINE, CAPITAL_Z] = [0x2d, 0x2e, 0x30, 0x39, 0x5a];

/** What a column of numbers holds, as far as it was read. */
export type NumberTally = ReturnType<typeof startNumbers>;

/** Every number of so many digits has a double of its own. */
const DIGITS_OF_DOUBLES = 15;
/** Every number of so many digits is within 64 bits. */
const DIGITS_OF_INTEGERS = 18;
const MOST_INTEGER_DIGITS = 19;
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

/** The tally of a column of which nothing was read. */
export function startNumbers() {
  return {
    /** Whether every number is written with digits alone, and within 64 bits. */
    isWhole: true,
    /** Whether a number has more digits than every double keeps, or an exponent. */
    isHard: false,
    /** The most digits of one number, without zeros at either end. */
    mostDigits: 0,
    /** Whether a number has an exponent or a leading zero, or is -0. */
    hasOdd: false,
    /** The fewest digits behind the point, and the most of a number that ends with a zero there. */
    ...{ fewestDecimals: Number.POSITIVE_INFINITY, mostPadded: 0 },
  };
}

/** Counts in the number that stands between two places. */
export function tallyNumber(tally: NumberTally, bytes: Buffer, start: number, end: number): void {
  const first = bytes[start] === MINUS ? start + 1 : start;
  const point = skipDigits(bytes, first, end);
  const last = point < end && bytes[point] === POINT ? skipDigits(bytes, point + 1, end) : point;
  const isWhole = point === end;
  const hasExponent = last < end;
  if (hasExponent) tally.hasOdd = true;
  else tallyWriting(tally, bytes, { start, first, point, end });
  if (!isWhole) tally.isWhole = false;
  else if (point - first > DIGITS_OF_INTEGERS) tally.isWhole &&= fitsInteger(bytes, start, first, end);
  const digits = isWhole ? last - first : last - first - 1;
  if (!hasExponent && digits <= DIGITS_OF_DOUBLES) return;
  tally.isHard = true;
  tally.mostDigits = Math.max(tally.mostDigits, countDigits(bytes, first, last));
}

/** Counts in how a number without an exponent is written. */
function tallyWriting(
  tally: NumberTally,
  bytes: Buffer,
  { start, first, point, end }: { start: number; first: number; point: number; end: number },
): void {
  const isMinusZero = first > start && end - first === 1;
  if (bytes[first] === ZERO && (point - first > 1 || isMinusZero)) tally.hasOdd = true;
  const decimals = Math.max(0, end - point - 1);
  if (decimals < tally.fewestDecimals) tally.fewestDecimals = decimals;
  if (decimals > tally.mostPadded && bytes[end - 1] === ZERO) tally.mostPadded = decimals;
}

function skipDigits(bytes: Buffer, from: number, end: number): number {
  let at = from;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < ZERO || byte > NINE) break;
  }
  return at;
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

/** Reads the numbers of a column in their order, as they are written. */
export type ReadNumbers = (look: (text: string) => void) => Promise<void>;

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

/** The longest date that has no parts of a second. */
const WHOLE_BYTES = "2026-01-31T00:00:00Z".length;

/** Counts in the date that stands between two places. */
export function tallyDate(tally: DateTally, bytes: Buffer, start: number, end: number): void {
  if (end - start === DAY_BYTES) tally.areTimes = false;
  else tally.areDays = false;
  if (end - start <= WHOLE_BYTES && bytes[end - 1] === CAPITAL_Z) return;
  tally.areTimes &&= readTime(bytes, start, end) !== null;
}

const instant = { seconds: 0, nanoseconds: 0 };

/** The milliseconds from 1970 in UTC to a date that inspection took; null without an offset, or where it is finer. */
export function readTime(bytes: Buffer, start: number, end: number): number | null {
  if (readDate(bytes, start, end, instant) !== "time with a zone") return null;
  const { seconds, nanoseconds } = instant;
  return nanoseconds % NS_OF_MS === 0 ? 1_000 * seconds + nanoseconds / NS_OF_MS : null;
}
