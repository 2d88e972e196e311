import { isDateText, isNumberText } from "../inspection/column-types.ts";
import { createDecimalComparison } from "../rows/decimal.ts";

/** What a bound is compared with: numbers, or dates that are written as it is. */
export type BoundKind = "number" | "month" | "day" | "time" | "time with a zone";

/** Compares a cell with a bound; null for a cell that cannot be compared. */
export interface Bound {
  kind: BoundKind;
  /** As it is written, which sentences repeat. */
  text: string;
  compare(cell: string): number | null;
}

/** The text of a bound: a number in its shortest form, a text as it was sent. */
export function writeBound(bound: number | string): string {
  return typeof bound === "number" ? String(bound) : bound;
}

/** Reads the text of a bound; null for one that is neither a number nor a date. */
export function readBound(text: string): Bound | null {
  if (isNumberText(text)) {
    const compare = createDecimalComparison(text);
    return { kind: "number", text, compare: (cell) => (isNumberText(cell) ? compare(cell) : null) };
  }
  const kind = kindOfDate(text);
  if (kind === null) return null;
  if (kind === "month" || kind === "day")
    return { kind, text, compare: (cell) => (kindOfDate(cell) === kind ? compareTexts(cell, text) : null) };
  const wanted = readInstant(text);
  return {
    kind,
    text,
    compare: (cell) => (kindOfDate(cell) === kind ? compareInstants(cell, wanted) : null),
  };
}

/** How a date is written; null for a text that is no date. */
export function kindOfDate(text: string): Exclude<BoundKind, "number"> | null {
  if (!isDateText(text)) return null;
  if (text.length === "2026-01".length) return "month";
  if (text.length === "2026-01-31".length) return "day";
  return ZONE.test(text) ? "time with a zone" : "time";
}

const ZONE = /(?:Z|[+-]\d\d(?::?\d\d)?)$/;
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?$/;

/** Whole seconds since 1970 and billionths of one more, so that no digit is lost. */
interface Instant {
  seconds: number;
  nanoseconds: number;
}

function readInstant(text: string): Instant {
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

/** Days since 1 January 1970 in the Gregorian calendar; a year begins in March here, so that a leap day ends it. */
function countDays(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * 146_097 + yearOfEra * 365 + leapDays + dayOfYear - 719_468;
}

function compareInstants(cell: string, wanted: Instant): number {
  const { seconds, nanoseconds } = readInstant(cell);
  return seconds - wanted.seconds || nanoseconds - wanted.nanoseconds;
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
