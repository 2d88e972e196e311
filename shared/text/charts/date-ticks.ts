import { scaleUtc } from "d3-scale";
import { utcFormat } from "d3-time-format";
import type { DateGrain } from "../markdown/charts/chart.ts";

/** A date on an axis: the first line names it, the second its year where that begins. */
export interface DateTick {
  time: number;
  lines: string[];
}

const formatMonth = utcFormat("%b");
const formatDay = utcFormat("%-d %b");

/** About `count` round dates within a span, never finer than the dates are written; may be empty. */
export function chooseDates([first, last]: [number, number], count: number, grain: DateGrain): number[] {
  return scaleUtc()
    .domain([first, last])
    .ticks(count)
    .filter((date) => isRound(date, grain))
    .map((date) => date.getTime());
}

function isRound(date: Date, grain: DateGrain): boolean {
  if (date.getTime() % 86_400_000 !== 0) return false;
  if (grain === "day") return true;
  return date.getUTCDate() === 1 && (grain === "month" || date.getUTCMonth() === 0);
}

/** Labels dates in the coarsest form that tells them apart: "2026", "Mar" or "3 Mar", the latter two over years. */
export function labelDates(times: readonly number[], grain: DateGrain): DateTick[] {
  const dates = times.map((time) => new Date(time));
  if (grain === "year" || (dates.length > 1 && dates.every((date) => isRound(date, "year")))) {
    return dates.map((date) => ({ time: date.getTime(), lines: [String(date.getUTCFullYear())] }));
  }
  const months = grain === "month" || (dates.length > 1 && dates.every((date) => isRound(date, "month")));
  const format = months ? formatMonth : formatDay;
  return dates.map((date, index) => {
    const newYear = dates[index - 1]?.getUTCFullYear() !== date.getUTCFullYear();
    return {
      time: date.getTime(),
      lines: newYear ? [format(date), String(date.getUTCFullYear())] : [format(date)],
    };
  });
}
