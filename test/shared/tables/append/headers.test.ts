import { expect, test } from "vitest";
import { findHeaderDifference } from "../../../../shared/tables/append/read-part.ts";

test.each([
  [["a"], ["a", "b", "c"], 'The header has column 2, "b", and the base has only 1 column.'],
  [["a", "b"], ["a"], 'The header lacks column 2, "b": it has 1 column, and the base 2.'],
  [["a", "b"], ["b", "a"], 'The header names column 1 "b", and the base "a".'],
  [
    ["x".repeat(80)],
    [`${"x".repeat(79)}y`],
    "The names look the same and are not: compare their characters.",
  ],
])("%j and %j differ first where the sentence says", (base, part, sentence) => {
  expect(findHeaderDifference(base, part)).toContain(sentence);
  expect(findHeaderDifference(base, base)).toBeNull();
});
