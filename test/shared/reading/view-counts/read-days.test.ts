import { expect, test } from "vitest";
import type { FieldErrors } from "../../../../shared/ground/errors.ts";
import { listDays, readDays } from "../../../../shared/reading/view-counts/present-reads.ts";

const NOW_MS = Date.parse("2026-11-20T23:59:59Z");

function read(query: Record<string, unknown>) {
  const faults: FieldErrors = {};
  return { days: readDays(query, NOW_MS, faults), faults };
}

test.each([
  [{}, "2026-10-22", "2026-11-20", 30],
  [{ to: "2026-03-01" }, "2026-01-31", "2026-03-01", 30],
  [{ from: "2026-11-20" }, "2026-11-20", "2026-11-20", 1],
  [{ from: "2025-11-20" }, "2025-11-20", "2026-11-20", 366],
  [{ from: "2024-02-28", to: "2024-03-01" }, "2024-02-28", "2024-03-01", 3],
  [{ from: "2026-12-31", to: "2027-01-01" }, "2026-12-31", "2027-01-01", 2],
])("%j are days from %s to %s, %i of them", (query, from, to, count) => {
  expect(read(query)).toEqual({ days: { from, to }, faults: {} });
  const days = listDays({ from, to });
  expect([days.length, days[0], days.at(-1)]).toEqual([count, from, to]);
});

test("every day stands once, over a leap day and a change of clocks", () => {
  expect(listDays({ from: "2024-02-27", to: "2024-03-01" })).toEqual([
    "2024-02-27",
    "2024-02-28",
    "2024-02-29",
    "2024-03-01",
  ]);
  expect(new Set(listDays({ from: "2026-01-01", to: "2026-12-31" })).size).toBe(365);
});

test.each([
  "",
  "yesterday",
  "2026-2-1",
  "2026-02-30",
  "20261120",
  "2026-11-20T00:00:00Z",
  "0000-01-01",
  [],
  7,
])("%j is no day, and the fault says what is", (day) => {
  const says = (name: string) => [`The ${name} must be a day of the calendar, in UTC, such as 2026-11-20.`];
  expect(read({ from: day }).faults).toEqual({ from: says("from") });
  expect(read({ from: day, to: day }).faults).toEqual({ from: says("from"), to: says("to") });
});

test("a first day after the last, and more days than an answer has, are told with the days that mend them", () => {
  expect(read({ from: "2026-11-21" }).faults).toEqual({
    from: [
      "The from, 2026-11-21, is after the to, 2026-11-20, which is today in UTC. Take 2026-11-20 or an earlier day.",
    ],
  });
  expect(read({ from: "2025-11-19", to: "2026-11-20" }).faults).toEqual({
    from: [
      "There are 367 days from 2025-11-19 to 2026-11-20; one request takes 366. Take 2025-11-20 or a later day as from, or an earlier to.",
    ],
  });
});

test("a fault that a parameter has already stays", () => {
  const faults: FieldErrors = { from: ["The from is given 2 times. Give it once."] };
  readDays({ from: ["2026-11-19", "2026-11-20"] }, NOW_MS, faults);
  expect(faults).toEqual({ from: ["The from is given 2 times. Give it once."] });
});
