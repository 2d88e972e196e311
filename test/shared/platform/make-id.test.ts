import { expect, test } from "vitest";
import { makeId } from "../../../shared/platform/make-id.ts";

test("ids of one millisecond, and of a clock that stands back, share nothing but their time", () => {
  const times = [1_000, 1_000, 999, 1_000];
  const ids = Array.from({ length: 2_000 }, (_, at) => makeId(times[at % times.length] ?? 0));
  expect(new Set(ids.map((id) => id.slice(0, 10)))).toEqual(new Set(["00000000Z8", "00000000Z7"]));
  // 40 of the 80 random bits: two of 2,000 are alike once in 500,000 runs.
  expect(new Set(ids.map((id) => id.slice(10, 18))).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.slice(18))).size).toBe(ids.length);
});
