import { expect, test } from "vitest";
import { isRobot, openTally } from "../../../../shared/reading/view-counts/read-counter.ts";

const EVENING_MS = Date.parse("2026-11-20T23:59:59.999Z");
const page = (...creationIds: string[]) => ({ creationIds, form: "page" as const });

test("counts are apart by work, day in UTC, form and kind of reader", () => {
  const tally = openTally(10);
  tally.add(page("A"), false, EVENING_MS);
  tally.add(page("A"), false, EVENING_MS);
  tally.add(page("A"), true, EVENING_MS);
  tally.add(page("A"), false, EVENING_MS + 1);
  tally.add({ creationIds: ["A", "B"], form: "download" }, true, EVENING_MS + 1);
  expect(tally.size()).toBe(3);
  expect(tally.take()).toEqual([
    { creation_id: "A", day: "2026-11-20", form: "page", readers: 2, robots: 1 },
    { creation_id: "A", day: "2026-11-21", form: "page", readers: 1, robots: 0 },
    { creation_id: "A", day: "2026-11-21", form: "download", readers: 0, robots: 1 },
    { creation_id: "B", day: "2026-11-21", form: "download", readers: 0, robots: 1 },
  ]);
  expect([tally.take(), tally.size()]).toEqual([[], 0]);
});

test("without room no further work is counted, and how many reads that were is told", () => {
  const tally = openTally(2);
  for (const id of ["A", "B", "C", "C", "A"]) tally.add(page(id), false, EVENING_MS);
  expect([tally.size(), tally.dropped()]).toEqual([2, 2]);
  expect(tally.take().map(({ creation_id, readers }) => [creation_id, readers])).toEqual([
    ["A", 2],
    ["B", 1],
  ]);
  tally.add(page("C"), false, EVENING_MS);
  expect([tally.size(), tally.dropped()]).toEqual([1, 0]);
});

test("robots are those whose User-Agent says so", () => {
  const browser =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";
  expect([browser, undefined, ""].map(isRobot)).toEqual([false, false, false]);
  expect(["Googlebot/2.1 (+http://www.google.com/bot.html)", "curl/8.5.0"].map(isRobot)).toEqual([
    true,
    true,
  ]);
  expect(isRobot(`${browser} ${"x".repeat(600)} crawler`)).toBe(true);
});
