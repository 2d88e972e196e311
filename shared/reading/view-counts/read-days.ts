import type { ReadDays } from "../../../sql/reading/read-counts.ts";
import type { FieldErrors } from "../../ground/errors.ts";
import { DAY_MS, toUtcDay } from "../../ground/times.ts";

/** The most days of one answer. */
export const MOST_READ_DAYS = 366;
/** The days of an answer where the request names none: today is the last of them. */
export const DEFAULT_READ_DAYS = 30;
const FIRST_DAY = "0001-01-01";

/** The last days, today included. */
export function lastDays(nowMs: number, count = DEFAULT_READ_DAYS): ReadDays {
  return { from: toUtcDay(nowMs - (count - 1) * DAY_MS), to: toUtcDay(nowMs) };
}

/**
 * Reads `from` and `to`, days in UTC, both included: today where `to` is left out, and thirty days where `from` is. What
 * cannot be asked is a fault on the parameter; the days are then those of an answer without any.
 */
export function readDays(query: Record<string, unknown>, nowMs: number, faults: FieldErrors): ReadDays {
  const byDefault = lastDays(nowMs);
  const to = readDay(query, "to", faults) ?? byDefault.to;
  const from = readDay(query, "from", faults) ?? lastDays(Date.parse(to)).from;
  if (faults.from !== undefined || faults.to !== undefined) return byDefault;
  const count = countDays({ from, to });
  const today = query.to === undefined ? ", which is today in UTC" : "";
  if (count < 1) {
    faults.from = [`The from, ${from}, is after the to, ${to}${today}. Take ${to} or an earlier day.`];
  } else if (count > MOST_READ_DAYS) {
    const earliest = lastDays(Date.parse(to), MOST_READ_DAYS).from;
    faults.from = [
      `There are ${count} days from ${from} to ${to}${today}; one request takes ${MOST_READ_DAYS}. Take ${earliest} or a later day as from, or an earlier to.`,
    ];
  } else return { from, to };
  return byDefault;
}

/** Every day from the first to the last. */
export function listDays({ from, to }: ReadDays): string[] {
  const first = Date.parse(from);
  return Array.from({ length: countDays({ from, to }) }, (_, place) => toUtcDay(first + place * DAY_MS));
}

function countDays({ from, to }: ReadDays): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

function readDay(query: Record<string, unknown>, name: "from" | "to", faults: FieldErrors): string | null {
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value === "string" && isDay(value)) return value;
  faults[name] ??= [`The ${name} must be a day of the calendar, in UTC, such as 2026-11-20.`];
  return null;
}

/** Whether this is a day that exists, as the answers write it. */
function isDay(value: string): boolean {
  const ms = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(ms) && toUtcDay(ms) === value && value >= FIRST_DAY;
}
