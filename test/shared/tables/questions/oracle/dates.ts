/** A part of a written date, null for a text that is no date or not fine enough: by the rules of ISO 8601. */
export function writePart(text: string, part: string): string | null {
  const [, year = "", month = "", day, hour] =
    /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d(?::?\d\d)?)?)?)?$/.exec(
      text,
    ) ?? [];
  if (year === "" || Number(month) < 1 || Number(month) > 12) return null;
  if (day !== undefined && !isDay(Number(year), Number(month), Number(day))) return null;
  if (part === "year") return year;
  if (part === "quarter") return `${year}-Q${[1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4][Number(month) - 1]}`;
  if (part === "month") return `${year}-${month}`;
  if (day === undefined) return null;
  if (part === "day") return `${year}-${month}-${day}`;
  if (part === "week") return findWeek(Number(year), Number(month), Number(day));
  return hour === undefined ? null : `${year}-${month}-${day}T${hour}`;
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(year: number, month: number, day: number): boolean {
  return day >= 1 && day <= (month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0));
}

/** By the day of the year and the weekday, as the standard tells it. */
function findWeek(year: number, month: number, day: number): string {
  let ordinal = day;
  for (let before = 1; before < month; before++)
    ordinal += before === 2 && isLeap(year) ? 29 : (LENGTHS[before - 1] ?? 0);
  const weekday = weekdayOf(year, month, day);
  const week = Math.floor((ordinal - weekday + 10) / 7);
  if (week < 1) return `${pad(year - 1, 4)}-W${pad(weeksOf(year - 1), 2)}`;
  if (week > weeksOf(year)) return `${pad(year + 1, 4)}-W01`;
  return `${pad(year, 4)}-W${pad(week, 2)}`;
}

const pad = (number: number, width: number) => String(number).padStart(width, "0");

/** Monday is 1 and Sunday 7 (Sakamoto). */
function weekdayOf(year: number, month: number, day: number): number {
  const shifts = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
  const from = month < 3 ? year - 1 : year;
  const leaps = Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400);
  return ((((from + leaps + (shifts[month - 1] ?? 0) + day) % 7) + 6) % 7) + 1;
}

function weeksOf(year: number): number {
  return weekdayOf(year, 12, 31) === 4 || weekdayOf(year, 1, 1) === 4 ? 53 : 52;
}
