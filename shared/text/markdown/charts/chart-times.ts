/** The forms that a date or time of a chart is written in, from the coarsest to the finest. */
export const GRAINS = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;

export type Grain = (typeof GRAINS)[number];

/** A date or time of a chart: where it lies, and the form it is written in. */
export interface ChartTime {
  /** UTC milliseconds of its start by the written clock, whatever its zone. */
  time: number;
  grain: Grain;
  /** Minutes that the written clock is ahead of UTC; null where no zone is written. */
  zone: number | null;
}

const DAY_MS = 86_400_000;
const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
const CLOCK = /^(\d{4}-\d{2}-\d{2})[T ](\d{2})(?::(\d{2})(?::(\d{2}))?)?(?:(Z)|([+-])(\d{2}):(\d{2}))?$/;
const PART = /^(\d{4})-(?:W(\d{2})|Q([1-4]))$/;

/**
 * Reads year-month-day, year-month or year, a year also as a number; a day with an hour, minutes and seconds, and
 * perhaps a zone; an ISO week and a quarter. Null for any other form, and for what no calendar or clock has, such as
 * 30 February, year 0 or 24:00.
 */
export function readChartTime(value: unknown): ChartTime | null {
  const text = typeof value === "number" ? writeYear(value) : value;
  if (typeof text !== "string") return null;
  return readDate(text) ?? readClock(text) ?? readPart(text);
}

/** A zone as charts name it: "UTC" or "UTC+02:00". */
export function nameZone(zone: number): string {
  if (zone === 0) return "UTC";
  const [hours, minutes] = [Math.floor(Math.abs(zone) / 60), Math.abs(zone) % 60];
  return `UTC${zone < 0 ? "−" : "+"}${pad(hours)}:${pad(minutes)}`;
}

const pad = (number: number): string => String(number).padStart(2, "0");

function writeYear(year: number): string | null {
  return Number.isInteger(year) && year > 0 && year < 10_000 ? String(year).padStart(4, "0") : null;
}

function readDate(text: string): ChartTime | null {
  const match = DATE.exec(text);
  if (match === null) return null;
  const [, year = "", month, day] = match;
  const time = timeOf(Number(year), Number(month ?? 1), Number(day ?? 1));
  const grain = day !== undefined ? "day" : month !== undefined ? "month" : "year";
  return time === null ? null : { time, grain, zone: null };
}

function readClock(text: string): ChartTime | null {
  const match = CLOCK.exec(text);
  if (match === null) return null;
  const [, day = "", hour, minute, second, utc, sign, zoneHour, zoneMinute] = match;
  const clock = [hour, minute, second, zoneHour, zoneMinute].map((part) => Number(part ?? 0));
  const [hours = 0, minutes = 0, seconds = 0, ahead = 0, more = 0] = clock;
  const date = readDate(day);
  if (date === null || Math.max(hours, ahead) > 23 || Math.max(minutes, seconds, more) > 59) return null;
  const offset = (sign === "-" ? -1 : 1) * (ahead * 60 + more);
  return {
    time: date.time + ((hours * 60 + minutes) * 60 + seconds) * 1000,
    grain: second !== undefined ? "second" : minute !== undefined ? "minute" : "hour",
    // Adding 0 turns -0 into 0.
    zone: utc === undefined && sign === undefined ? null : offset + 0,
  };
}

/** An ISO week at its Monday, and a quarter at its first day. */
function readPart(text: string): ChartTime | null {
  const match = PART.exec(text);
  if (match === null) return null;
  const [, year = "", week, quarter] = match;
  if (quarter !== undefined) {
    const time = timeOf(Number(year), Number(quarter) * 3 - 2, 1);
    return time === null ? null : { time, grain: "quarter", zone: null };
  }
  // 4 January always lies in the first week.
  const fourth = timeOf(Number(year), 1, 4);
  if (fourth === null || week === "00") return null;
  const monday = fourth + (Number(week) * 7 - 7 - ((new Date(fourth).getUTCDay() + 6) % 7)) * DAY_MS;
  // A week belongs to the year of its Thursday.
  const isOfYear = new Date(monday + 3 * DAY_MS).getUTCFullYear() === Number(year);
  return isOfYear ? { time: monday, grain: "week", zone: null } : null;
}

function timeOf(year: number, month: number, day: number): number | null {
  // Date.UTC takes years below 100 for 19xx; setUTCFullYear does not.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}
