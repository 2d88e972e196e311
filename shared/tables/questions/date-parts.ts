import { isDateText } from "../inspection/column-types.ts";
import type { DatePart } from "./question.ts";

/** The characters of a written date that a part needs: 2026-01, 2026-01-31 or 2026-01-31T08. */
const NEEDED = { year: 4, quarter: 7, month: 7, week: 10, day: 10, hour: 13 } as const;

/** A part of a date as written, without any shift of zones: its text, or why there is none. */
export function readDatePart(text: string, part: DatePart): { value: string } | { fault: string } {
  if (!isDateText(text)) return { fault: "is no date" };
  if (text.length < NEEDED[part]) return { fault: `has no ${part === "week" ? "day" : part}` };
  if (part === "quarter") {
    const quarter = Math.ceil(Number(text.slice(5, 7)) / 3);
    return { value: `${text.slice(0, 4)}-Q${quarter}` };
  }
  if (part === "week") return { value: writeWeek(text) };
  const cut = text.slice(0, NEEDED[part]);
  return { value: part === "hour" ? `${cut.slice(0, 10)}T${cut.slice(11)}` : cut };
}

const DAY_MS = 86_400_000;

/** The ISO 8601 week of a day: that of its Thursday. */
function writeWeek(text: string): string {
  const day = new Date(0);
  day.setUTCFullYear(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8, 10)));
  const weekday = (day.getUTCDay() + 6) % 7;
  const thursday = new Date(day.getTime() + (3 - weekday) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const newYear = new Date(0);
  newYear.setUTCFullYear(year, 0, 1);
  const week = 1 + Math.floor((thursday.getTime() - newYear.getTime()) / DAY_MS / 7);
  const sign = year < 0 ? "-" : "";
  return `${sign}${String(Math.abs(year)).padStart(4, "0")}-W${String(week).padStart(2, "0")}`;
}
