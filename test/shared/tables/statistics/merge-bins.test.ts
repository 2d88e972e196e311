import { expect, test } from "vitest";
import { mergeBins } from "../../../../shared/tables/statistics/number-histogram.ts";

const ones = (bins: number, each: number) => Array(bins).fill(each);

test.each([
  ["few values take few bins", { from: 0, to: 20, counts: ones(20, 1) }, { counts: ones(4, 5), to: 20 }],
  ["many values take all", { from: 0, to: 20, counts: ones(20, 5_000) }, { counts: ones(20, 5_000) }],
  [
    "joined bins begin at a multiple of their width, also below zero",
    { from: -6, to: 8, counts: ones(14, 1) },
    { from: -10, to: 10, counts: [1, 5, 5, 3] },
  ],
  [
    "widths stay 1, 2 or 5 times a power of ten: two are joined by five",
    { from: 0, to: 40, counts: ones(20, 2) },
    { from: 0, to: 40, counts: ones(4, 10) },
  ],
  [
    "decimal edges stay exact",
    { from: 0.2, to: 0.8, counts: ones(6, 1) },
    { from: 0.2, to: 0.8, counts: ones(3, 2) },
  ],
  ["two bins stay two", { from: 1, to: 3, counts: [1, 1] }, { from: 1, to: 3, counts: [1, 1] }],
])("%s", (_name, histogram, merged) => {
  expect(mergeBins(histogram)).toMatchObject(merged);
});
