import { expect, test } from "vitest";
import { readTerms } from "../../../../shared/text/search/lexemes.ts";

test.each([
  ['Tide "Wind Speed" gauge', { words: ["tide", "gauge"], phrases: ["wind speed"] }],
  ['"gauge" "Wind  speed" "wind-speed"', { words: ["gauge"], phrases: ["wind speed"] }],
  ['tide "wind speed', { words: ["tide", "wind", "speed"], phrases: [] }],
  ['"" "!?" "  "', { words: [], phrases: [] }],
])("%s", (text, terms) => {
  expect(readTerms(text, 10)).toMatchObject(terms);
});

test("what may be a column's name is each part between blanks, and what quotes hold", () => {
  expect(readTerms('height_m "Wind speed" !', 10).columns).toEqual([
    "height_m",
    "Wind",
    "speed",
    "Wind speed",
  ]);
});

test("phrases count before words, and no more than may be are read", () => {
  const { words, phrases } = readTerms('a b c d "e f" "g h"', 3);
  expect([words, phrases]).toEqual([["a"], ["e f", "g h"]]);
});
