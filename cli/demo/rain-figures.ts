import { z } from "zod";

/** Amounts are counted in tenths of a millimetre, as the file gives them, so that sums are exact. */
const Day = z
  .object({ location: z.string(), date: z.iso.date(), precipitation: z.string(), weather: z.string() })
  .transform((row) => ({ ...row, tenths: Math.round(Number(row.precipitation) * 10) }));
export type Day = z.infer<typeof Day>;

export const HEAVY_MM = 20;
const TORRENT_MM = 50;

/** Reads the days of the weather file, in file order; none of its values is quoted. */
export function readDays(csv: string): Day[] {
  const [names = [], ...records] = csv
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const days = records.map((values) =>
    Object.fromEntries(values.map((value, place) => [names[place], value])),
  );
  return z.array(Day).parse(days);
}

/** The figures of one city in the story. */
export type CityFigures = ReturnType<typeof countCity>;

/** Counts one city's days. */
export function countCity(days: readonly Day[], city: string) {
  const here = days.filter((day) => day.location === city);
  const wet = here.filter(isWet);
  const heaviest = here.toSorted((one, other) => other.tenths - one.tenths);
  const total = sum(here);
  return {
    days: here,
    total,
    wet,
    wetMedian: medianOf(wet.map((day) => day.tenths)),
    smallest: Math.min(...wet.map((day) => day.tenths)),
    heavy: here.filter((day) => day.tenths >= HEAVY_MM * 10),
    torrents: here.filter((day) => day.tenths >= TORRENT_MM * 10),
    heaviest,
    halfDays: countDaysOfHalf(heaviest, total),
    wetSpell: findLongestSpell(here, isWet),
    drySpell: findLongestSpell(here, (day) => !isWet(day)),
    afterWet: shareOfWetAfter(here, isWet),
    afterDry: shareOfWetAfter(here, (day) => !isWet(day)),
    byYear: groupTotals(here, (day) => day.date.slice(0, 4)),
    byMonth: groupDays(here, (day) => day.date.slice(5, 7)),
  };
}

/** Whether anything measurable fell. */
export function isWet(day: Day): boolean {
  return day.tenths > 0;
}

/** The precipitation of these days, in tenths of a millimetre. */
export function sum(days: readonly Day[]): number {
  return days.reduce((total, day) => total + day.tenths, 0);
}

/** Days in groups, by the key of each. */
function groupDays(days: readonly Day[], keyOf: (day: Day) => string): Map<string, Day[]> {
  return Map.groupBy(days, keyOf);
}

function groupTotals(days: readonly Day[], keyOf: (day: Day) => string): Map<string, number> {
  return new Map([...groupDays(days, keyOf)].map(([key, group]) => [key, sum(group)]));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0;
  return (low + high) / 2;
}

function countDaysOfHalf(heaviest: readonly Day[], total: number): number {
  let fallen = 0;
  const last = heaviest.findIndex((day) => {
    fallen += day.tenths;
    return fallen * 2 >= total;
  });
  return last + 1;
}

/** The first of the longest runs of days that are alike; the file has every day, so neighbours are a day apart. */
function findLongestSpell(days: readonly Day[], isOne: (day: Day) => boolean) {
  let longest = { days: 0, end: "" };
  let length = 0;
  for (const day of days) {
    length = isOne(day) ? length + 1 : 0;
    if (length > longest.days) longest = { days: length, end: day.date };
  }
  return longest;
}

function shareOfWetAfter(days: readonly Day[], isOne: (day: Day) => boolean): number {
  const next = days.filter((_, index) => {
    const before = days[index - 1];
    return before !== undefined && isOne(before);
  });
  return next.filter(isWet).length / next.length;
}
