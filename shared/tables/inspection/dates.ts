const LONGEST_DATE = 40;
const [MINUS, PLUS, COLON, DOT, COMMA, BLANK] = [0x2d, 0x2b, 0x3a, 0x2e, 0x2c, 0x20];
const [ZERO, CAPITAL_T, CAPITAL_Z] = [0x30, 0x54, 0x5a];
export const MONTH_BYTES = "2026-01".length;
export const DAY_BYTES = "2026-01-31".length;

// The day of 1 January 1970, where 1 March of the year 0 is day 0.
const DAY_OF_1970 = 719_468;

/** Days since 1 January 1970 in the Gregorian calendar. */
export function countDays(year: number, month: number, day: number): number {
  // Counted from March on, so that a leap day is the last of its year and five months have 153 days.
  const [years, months] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return 365 * years + leapDays + Math.floor((153 * months + 2) / 5) + day - 1 - DAY_OF_1970;
}

/** Days of a month of the Gregorian calendar. */
export function countDaysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days since 1 January 1970 to a day as `readDay` gives it. */
export function countDaysTo(day: number): number {
  return countDays(Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100);
}

/** How a date is written. */
export type DateKind = "month" | "day" | "time" | "time with a zone";

/** Whole seconds since 1970 and billionths of one more, so that no digit is lost. */
export interface Instant {
  seconds: number;
  nanoseconds: number;
}

/** The time of day behind a day: where the reading of it stands, and what it has read, less its zone. */
interface TimeOfDay extends Instant {
  at: number;
}

/** The one that is being read: a million dates leave no garbage. */
const time: TimeOfDay = { at: 0, seconds: 0, nanoseconds: 0 };

/** The number that two digits are, or less than nothing. */
function readTwoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return tens >>> 0 <= 9 && ones >>> 0 <= 9 ? tens * 10 + ones : -1;
}

/** The month that seven bytes are, as a number with the digits of its text; -1 for anything else. */
function readMonth(bytes: Uint8Array, start: number): number {
  const century = readTwoDigits(bytes, start);
  const year = readTwoDigits(bytes, start + 2);
  const month = readTwoDigits(bytes, start + 5);
  if (century < 0 || year < 0 || month < 1 || month > 12 || bytes[start + 4] !== MINUS) return -1;
  return (century * 100 + year) * 100 + month;
}

/** The day of the calendar that ten bytes are, as a number with the digits of its text; -1 for anything else. */
export function readDay(bytes: Uint8Array, start: number): number {
  const month = readMonth(bytes, start);
  const day = readTwoDigits(bytes, start + 8);
  if (month < 0 || day < 1 || bytes[start + 7] !== MINUS) return -1;
  return day <= 28 || day <= countDaysOfMonth(Math.floor(month / 100), month % 100) ? month * 100 + day : -1;
}

/**
 * Reads the date between two places by the rule of column-types.ts: how it is written, null for anything else. The moment
 * that a time names goes into `into`, one without a zone as of UTC.
 */
export function readDate(bytes: Uint8Array, start: number, end: number, into?: Instant): DateKind | null {
  const length = end - start;
  if (length < MONTH_BYTES || length > LONGEST_DATE || bytes[start + 4] !== MINUS) return null;
  if (length === MONTH_BYTES) return readMonth(bytes, start) < 0 ? null : "month";
  const day = readDay(bytes, start);
  if (day < 0 || length === DAY_BYTES) return day < 0 ? null : "day";
  const parted = bytes[start + DAY_BYTES];
  time.at = start + DAY_BYTES + 1;
  time.seconds = 0;
  time.nanoseconds = 0;
  if ((parted !== CAPITAL_T && parted !== BLANK) || !readClock(bytes, end)) return null;
  const kind = time.at === end ? "time" : "time with a zone";
  if (kind !== "time" && !readZone(bytes, end)) return null;
  if (into !== undefined) {
    into.seconds = countDaysTo(day) * 86_400 + time.seconds;
    into.nanoseconds = time.nanoseconds;
  }
  return kind;
}

/** Reads hours and minutes, and seconds and their parts where they are there; false for anything else. */
function readClock(bytes: Uint8Array, end: number): boolean {
  let unit = 3_600;
  for (let most = 23; ; most = 59) {
    const count = readTwoDigits(bytes, time.at);
    if (count < 0 || count > most) return false;
    time.seconds += count * unit;
    time.at += 2;
    if (unit === 1 || time.at >= end || bytes[time.at] !== COLON) break;
    unit /= 60;
    time.at++;
  }
  if (unit === 3_600) return false;
  const mark = time.at < end && unit === 1 ? bytes[time.at] : 0;
  return mark !== DOT && mark !== COMMA ? time.at <= end : readFraction(bytes, end);
}

/** Reads one to nine digits behind a decimal mark. */
function readFraction(bytes: Uint8Array, end: number): boolean {
  let nanosecondsOfDigit = 1e9;
  for (time.at++; time.at < end; time.at++) {
    const digit = (bytes[time.at] as number) - ZERO;
    if (digit >>> 0 > 9) break;
    nanosecondsOfDigit /= 10;
    if (nanosecondsOfDigit < 1) return false;
    time.nanoseconds += digit * nanosecondsOfDigit;
  }
  return nanosecondsOfDigit < 1e9;
}

/** Reads a zone up to the end, and takes it off. */
function readZone(bytes: Uint8Array, end: number): boolean {
  const sign = bytes[time.at];
  if (sign === CAPITAL_Z) return time.at + 1 === end;
  if (sign !== PLUS && sign !== MINUS) return false;
  const hours = readTwoDigits(bytes, time.at + 1);
  const rest = time.at + 3;
  const at = rest < end && bytes[rest] === COLON ? rest + 1 : rest;
  const minutes = rest === end ? 0 : readTwoDigits(bytes, at);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
  time.seconds -= (sign === MINUS ? -60 : 60) * (hours * 60 + minutes);
  return rest === end || at + 2 === end;
}

const scratch = Buffer.alloc(LONGEST_DATE);

/** How a date is written; null for a text that is no date. */
export function kindOfDate(text: string, into?: Instant): DateKind | null {
  // Its fifth character is a hyphen: that check costs a tenth of the others.
  if (text.length > LONGEST_DATE || text.charCodeAt(4) !== MINUS) return null;
  const length = scratch.write(text);
  return readDate(scratch, 0, length, into);
}

/** Whether a text is a date by the rule of column-types.ts. */
export function isDateText(text: string): boolean {
  return kindOfDate(text) !== null;
}

/** The moment that a time as inspection takes it names; one without a zone as of UTC. */
export function readInstant(text: string): Instant {
  const instant = { seconds: 0, nanoseconds: 0 };
  kindOfDate(text, instant);
  return instant;
}
