import type { DateGrain } from "./chart.ts";

/** A date of a chart: UTC milliseconds at its start, and the form it is written in. */
export interface ChartDate {
  time: number;
  grain: DateGrain;
}

const FORM = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/**
 * Reads year-month-day, year-month or year (specification, "Charts and diagrams"), a year also as a number; null
 * for any other form and for dates that no calendar has, such as 30 February or year 0.
 */
export function readChartDate(value: unknown): ChartDate | null {
  const text = typeof value === "number" ? writeYear(value) : value;
  const match = typeof text === "string" ? FORM.exec(text) : null;
  if (match === null) return null;
  const [, year = "", month, day] = match;
  const time = timeOf(Number(year), Number(month ?? 1), Number(day ?? 1));
  if (time === null) return null;
  return { time, grain: day !== undefined ? "day" : month !== undefined ? "month" : "year" };
}

function writeYear(year: number): string | null {
  return Number.isInteger(year) && year > 0 && year < 10_000 ? String(year).padStart(4, "0") : null;
}

function timeOf(year: number, month: number, day: number): number | null {
  // Date.UTC takes years below 100 for 19xx; setUTCFullYear does not.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}
