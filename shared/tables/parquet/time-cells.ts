const [PLUS, COMMA, MINUS, POINT, ZERO, NINE, COLON] = [0x2b, 0x2c, 0x2d, 0x2e, 0x30, 0x39, 0x3a];
const CAPITAL_Z = 0x5a;
const DAY = "2026-01-31".length;
const MINUTE = "2026-01-31T12:00".length;
const [DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS] = [86_400_000, 3_600_000, 60_000, 1_000];

/** What a column of dates holds, as far as it was read. */
export interface DateTally {
  areDays: boolean;
  /** Whether every date has a time of day with its offset, and none is finer than a millisecond. */
  areTimes: boolean;
}

/** The tally of a column before its first date. */
export function startDates(): DateTally {
  return { areDays: true, areTimes: true };
}

/** Counts in the date that stands between two places. */
export function tallyDate(tally: DateTally, bytes: Buffer, start: number, end: number): void {
  if (end - start === DAY) tally.areTimes = false;
  else tally.areDays = false;
  tally.areTimes &&= readTime(bytes, start, end) !== null;
}

/** The days from 1970-01-01 to the day at a place; negative before it. */
export function readDay(bytes: Buffer, start: number): number {
  const year = 100 * readTwo(bytes, start) + readTwo(bytes, start + 2);
  const month = readTwo(bytes, start + 5);
  return countDays(year, month, readTwo(bytes, start + 8));
}

/** Years of March to February, so that a leap day comes last. */
function countDays(year: number, month: number, day: number): number {
  const [own, shifted] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const cycle = Math.floor(own / 400);
  const ofCycle = own - 400 * cycle;
  const ofYear = Math.floor((153 * shifted + 2) / 5) + day - 1;
  return (
    146_097 * cycle + 365 * ofCycle + Math.floor(ofCycle / 4) - Math.floor(ofCycle / 100) + ofYear - 719_468
  );
}

/** The milliseconds from 1970 in UTC to a date that inspection took; null without an offset, or where it is finer. */
export function readTime(bytes: Buffer, start: number, end: number): number | null {
  if (end - start <= MINUTE) return null;
  let ms = DAY_MS * readDay(bytes, start);
  ms += HOUR_MS * readTwo(bytes, start + 11) + MINUTE_MS * readTwo(bytes, start + 14);
  let at = start + MINUTE;
  if (bytes[at] === COLON) {
    ms += SECOND_MS * readTwo(bytes, at + 1);
    at += 3;
  }
  if (bytes[at] === POINT || bytes[at] === COMMA) {
    for (let [share, digit] = [100, 0]; ; share = Math.trunc(share / 10)) {
      digit = (bytes[++at] as number) - ZERO;
      if (at >= end || digit < 0 || digit > NINE - ZERO) break;
      if (share === 0 && digit > 0) return null;
      ms += share * digit;
    }
  }
  const offsetMs = readOffset(bytes, at, end);
  return offsetMs === null ? null : ms - offsetMs;
}

function readOffset(bytes: Buffer, at: number, end: number): number | null {
  if (at >= end) return null;
  if (bytes[at] === CAPITAL_Z) return 0;
  if (bytes[at] !== PLUS && bytes[at] !== MINUS) return null;
  const size = HOUR_MS * readTwo(bytes, at + 1);
  const minutesAt = bytes[at + 3] === COLON ? at + 4 : at + 3;
  const minutes = minutesAt < end ? MINUTE_MS * readTwo(bytes, minutesAt) : 0;
  return bytes[at] === MINUS ? -(size + minutes) : size + minutes;
}

function readTwo(bytes: Buffer, at: number): number {
  return 10 * (bytes[at] as number) + (bytes[at + 1] as number) - 11 * ZERO;
}
