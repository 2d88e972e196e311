const DATE =
  /^(\d{4})-(0[1-9]|1[0-2])(?:-([0-2]\d|3[01])(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?)?$/;
const LONGEST_DATE = 40;

/** Whether a text is a date by the rule of column-types.ts. */
export function isDateText(text: string): boolean {
  if (text.length > LONGEST_DATE) return false;
  const match = DATE.exec(text);
  if (match === null) return false;
  if (match[3] === undefined) return true;
  const day = Number(match[3]);
  return day >= 1 && day <= countDaysOfMonth(Number(match[1]), Number(match[2]));
}

const DAY_MS = 86_400_000;
// The calendar repeats after 400 years; `Date.UTC` reads the years below 100 as of the last century.
const CYCLE_YEARS = 400;
const CYCLE_DAYS = 146_097;

/** Days since 1 January 1970 in the Gregorian calendar. */
export function countDays(year: number, month: number, day: number): number {
  return Date.UTC(year + CYCLE_YEARS, month - 1, day) / DAY_MS - CYCLE_DAYS;
}

/** Days of a month of the Gregorian calendar. */
export function countDaysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** How a date is written. */
export type DateKind = "month" | "day" | "time" | "time with a zone";

/** How a date is written; null for a text that is no date. */
export function kindOfDate(text: string): DateKind | null {
  if (!isDateText(text)) return null;
  if (text.length === "2026-01".length) return "month";
  if (text.length === "2026-01-31".length) return "day";
  return ZONE.test(text) ? "time with a zone" : "time";
}

const ZONE = /(?:Z|[+-]\d\d(?::?\d\d)?)$/;
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?$/;

/** Whole seconds since 1970 and billionths of one more, so that no digit is lost. */
export interface Instant {
  seconds: number;
  nanoseconds: number;
}

/** The moment that a time as inspection takes it names; one without a zone as of UTC. */
export function readInstant(text: string): Instant {
  const [
    ,
    year,
    month,
    day,
    hour,
    minute = 0,
    second = 0,
    fraction = "",
    sign,
    zoneHour = 0,
    zoneMinute = 0,
  ] = TIME.exec(text) ?? [];
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === "-" ? -1 : 1);
  const minutes = Number(hour) * 60 + Number(minute) - zone;
  const days = countDays(Number(year), Number(month), Number(day));
  return {
    seconds: days * 86_400 + minutes * 60 + Number(second),
    nanoseconds: Number(fraction.padEnd(9, "0")),
  };
}
