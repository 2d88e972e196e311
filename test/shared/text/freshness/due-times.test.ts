import { expect, test } from "vitest";
import {
  findDueTimes,
  findFrequency,
  findState,
  UPDATE_FREQUENCIES,
  type UpdateFrequency,
} from "../../../../shared/text/freshness/frequencies.ts";
import { runs } from "../../../support/depth.ts";

/** A calendar of its own: it counts on a list of numbers, and asks no Date. */
type Clock = [year: number, month: number, day: number, hour: number, minute: number, second: number];

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const lengthOf = (year: number, month: number) =>
  month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0);

function nextHour([year, month, day, hour, ...rest]: Clock): Clock {
  if (hour < 23) return [year, month, day, hour + 1, ...rest];
  if (day < lengthOf(year, month)) return [year, month, day + 1, 0, ...rest];
  return month < 12 ? [year, month + 1, 1, 0, ...rest] : [year + 1, 1, 1, 0, ...rest];
}

function laterByHours(clock: Clock, hours: number): Clock {
  let later = clock;
  for (let hour = 0; hour < hours; hour += 1) later = nextHour(later);
  return later;
}

function laterByMonths([year, month, day, ...time]: Clock, months: number): Clock {
  let [inYear, inMonth] = [year, month];
  for (let passed = 0; passed < months; passed += 1) {
    inMonth += 1;
    if (inMonth === 13) [inYear, inMonth] = [inYear + 1, 1];
  }
  return [inYear, inMonth, Math.min(day, lengthOf(inYear, inMonth)), ...time];
}

const MODEL: Partial<Record<UpdateFrequency, (clock: Clock, periods: number) => Clock>> = {
  hourly: (clock, periods) => laterByHours(clock, periods),
  daily: (clock, periods) => laterByHours(clock, 24 * periods),
  weekly: (clock, periods) => laterByHours(clock, 168 * periods),
  monthly: (clock, periods) => laterByMonths(clock, periods),
  quarterly: (clock, periods) => laterByMonths(clock, 3 * periods),
  yearly: (clock, periods) => laterByMonths(clock, 12 * periods),
};

const two = (number: number) => String(number).padStart(2, "0");
const write = ([year, month, day, hour, minute, second]: Clock) =>
  `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}Z`;

/** Numbers of a seed, from 0 to under a bound. */
function seeded(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

function randomClock(next: (bound: number) => number): Clock {
  const [year, month] = [1990 + next(120), 1 + next(12)];
  // Every second one is one of the last days of a month.
  const length = lengthOf(year, month);
  const day = next(2) === 0 ? length - next(3) : 1 + next(length);
  return [year, month, day, next(24), next(60), next(60)];
}

test("data are due one period after they were checked, overdue after two, by the calendar", () => {
  const next = seeded(7);
  for (let run = 0; run < runs(20_000); run += 1) {
    const clock = randomClock(next);
    const frequency = UPDATE_FREQUENCIES[next(UPDATE_FREQUENCIES.length)] ?? "daily";
    const later = MODEL[frequency];
    const sentMs = Date.parse(write(clock)) + next(1000);
    const found = findDueTimes(frequency, sentMs);
    if (later === undefined) {
      expect([found, findState(frequency, found, sentMs)]).toEqual([
        null,
        frequency === "never" ? "final" : "unknown",
      ]);
      continue;
    }
    const [due, overdue] = [later(clock, 1), later(clock, 2)].map((time) => Date.parse(write(time)));
    expect([frequency, write(clock), found]).toEqual([
      frequency,
      write(clock),
      { dueMs: due, overdueMs: overdue },
    ]);
    const states = [due, overdue].flatMap((ms = 0) =>
      [-1, 0, 1].map((step) => findState(frequency, found, ms + step)),
    );
    expect(states).toEqual(["fresh", "due", "due", "due", "overdue", "overdue"]);
  }
});

test.each<[UpdateFrequency, string, string, string]>([
  ["monthly", "2027-01-31T12:00:00Z", "2027-02-28T12:00:00Z", "2027-03-31T12:00:00Z"],
  ["monthly", "2028-01-30T00:00:00Z", "2028-02-29T00:00:00Z", "2028-03-30T00:00:00Z"],
  ["quarterly", "2026-11-30T23:59:59Z", "2027-02-28T23:59:59Z", "2027-05-30T23:59:59Z"],
  ["yearly", "2028-02-29T09:00:00Z", "2029-02-28T09:00:00Z", "2030-02-28T09:00:00Z"],
  ["yearly", "2027-02-28T09:00:00Z", "2028-02-28T09:00:00Z", "2029-02-28T09:00:00Z"],
  ["weekly", "2028-02-26T09:00:00Z", "2028-03-04T09:00:00Z", "2028-03-11T09:00:00Z"],
  ["monthly", "2099-12-31T09:00:00Z", "2100-01-31T09:00:00Z", "2100-02-28T09:00:00Z"],
])("%s data that were checked at %s are due at %s and overdue at %s", (frequency, checked, due, overdue) => {
  const found = findDueTimes(frequency, Date.parse(checked));
  expect(found).toEqual({ dueMs: Date.parse(due), overdueMs: Date.parse(overdue) });
});

test("a frequency is one of the list, written as it is", () => {
  expect(["daily", "Daily", "", null, 1, "__proto__", undefined].map(findFrequency)).toEqual([
    "daily",
    ...[null, null, null, null, null, null],
  ]);
});
