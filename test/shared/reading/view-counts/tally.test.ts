import { expect, test } from "vitest";
import { isRobot, openTally } from "../../../../shared/reading/view-counts/read-counter.ts";

const EVENING_MS = Date.parse("2026-11-20T23:59:59.999Z");
const page = (...creationIds: string[]) => ({ creationIds, form: "page" as const });

test("counts are apart by work, day in UTC, form and kind of reader", () => {
  const tally = openTally();
  tally.add(page("A"), false, EVENING_MS);
  tally.add(page("A"), false, EVENING_MS);
  tally.add(page("A"), true, EVENING_MS);
  tally.add(page("A"), false, EVENING_MS + 1);
  tally.add({ creationIds: ["A", "B"], form: "download" }, true, EVENING_MS + 1);
  expect(tally.take()).toEqual([
    { creation_id: "A", day: "2026-11-20", form: "page", readers: 2, robots: 1 },
    { creation_id: "A", day: "2026-11-21", form: "page", readers: 1, robots: 0 },
    { creation_id: "A", day: "2026-11-21", form: "download", readers: 0, robots: 1 },
    { creation_id: "B", day: "2026-11-21", form: "download", readers: 0, robots: 1 },
  ]);
  expect(tally.take()).toEqual([]);
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
