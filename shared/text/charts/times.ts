import { scaleUtc } from "d3-scale";
import { utcFormat } from "d3-time-format";
import type { Grain } from "../markdown/charts/chart-times.ts";

const formatMonth = utcFormat("%b");
const formatDay = utcFormat("%-d %b");
const formatQuarter = utcFormat("Q%q");
const formatMinute = utcFormat("%H:%M");
const formatSecond = utcFormat("%H:%M:%S");

const DAY_MS = 86_400_000;
/** What each form finer than a day counts in. */
const CLOCK_MS: Partial<Record<Grain, number>> = { hour: 3_600_000, minute: 60_000, second: 1000 };
const MONDAY = 1;

/** About `count` round times within a span, never finer than they are written; may be empty. */
export function chooseTimes([first, last]: [number, number], count: number, grain: Grain): number[] {
  return scaleUtc()
    .domain([first, last])
    .ticks(count)
    .filter((date) => isRound(date, grain))
    .map((date) => date.getTime());
}

function isRound(date: Date, grain: Grain): boolean {
  if (date.getTime() % (CLOCK_MS[grain] ?? DAY_MS) !== 0) return false;
  if (grain === "day" || CLOCK_MS[grain] !== undefined) return true;
  if (grain === "week" && date.getUTCDay() === MONDAY) return true;
  if (date.getUTCDate() !== 1) return false;
  const month = date.getUTCMonth();
  return grain === "month" || grain === "week" || month % (grain === "quarter" ? 3 : 12) === 0;
}

/**
 * Labels times in the coarsest form that tells them apart: "2026", "Q1", "Mar", "3 Mar" or "14:30", these over the year
 * or the day where it begins.
 */
export function labelTimes(times: readonly number[], grain: Grain): { time: number; lines: string[] }[] {
  const dates = times.map((time) => new Date(time));
  const areAll = (form: Grain): boolean => dates.length > 1 && dates.every((date) => isRound(date, form));
  if (grain === "year" || areAll("year")) {
    return dates.map((date) => ({ time: date.getTime(), lines: [String(date.getUTCFullYear())] }));
  }
  const hasClock = CLOCK_MS[grain] !== undefined && !dates.every((date) => isRound(date, "day"));
  const format = hasClock ? chooseClock(dates) : chooseDay(grain, areAll);
  return dates.map((date, index) => {
    const before = dates[index - 1];
    const year = before?.getUTCFullYear() === date.getUTCFullYear() ? [] : [String(date.getUTCFullYear())];
    const isSameDay = before !== undefined && formatDay(before) === formatDay(date) && year.length === 0;
    const under = !hasClock ? year : isSameDay ? [] : [formatDay(date), ...year];
    return { time: date.getTime(), lines: [format(date), ...under] };
  });
}

function chooseClock(dates: readonly Date[]): (date: Date) => string {
  return dates.every((date) => isRound(date, "minute")) ? formatMinute : formatSecond;
}

function chooseDay(grain: Grain, areAll: (form: Grain) => boolean): (date: Date) => string {
  if (grain === "quarter") return formatQuarter;
  return grain === "month" || areAll("month") ? formatMonth : formatDay;
}
