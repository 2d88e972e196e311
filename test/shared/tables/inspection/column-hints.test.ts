import { expect, test } from "vitest";
import { findColumnHints, KIND_BITS } from "../../../../shared/tables/inspection/column-types.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../support/growth.ts";

const hintsFor = (text: string) =>
  findColumnHints([{ name: "a", type: "text", blanks: 0 }], [[{ kind: KIND_BITS.text, row: 2, text }]]);

test.each(["- 5 %", "$ 1,000", "\u2212 3", "+1.5e3", "1 234,5", "€ .5", "5."])(
  "%j looks like a number",
  (text) => {
    expect(hintsFor(text)).toEqual([
      `Column "a" is text: row 2 holds "${text}", which is no number as it is written.`,
    ]);
  },
);

test.each([
  ["blanks before a word", `${" ".repeat(2_000)}x`],
  ["a sign, blanks and a word", `- ${" ".repeat(2_000)}x`],
  ["digits and blanks", `1${" ".repeat(2_000)}x`],
  ["groups of digits", `${"1 ".repeat(2_000)}x`],
])("a cell of %s is read at once", (_name, text) => {
  expect(leastCpuMs(() => expect(hintsFor(text)).toEqual([]))).toBeLessThan(GROWTH_BOUND_MS);
});
