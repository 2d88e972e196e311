import fc from "fast-check";
import { expect, test } from "vitest";
import { readText } from "../../../../shared/text/markdown/read-text.ts";
import { renderText } from "../../../../shared/text/markdown/render-text.ts";
import { countNumbers, listOccurrences } from "../../../../shared/text/numbers/count-numbers.ts";
import { runs } from "../../../support/depth.ts";

const count = (markdown: string, ...texts: string[]) => countNumbers(readText(markdown), texts);
const occurrences = (markdown: string, ...texts: string[]) => listOccurrences(readText(markdown), texts);

test("a number counts as often as it occurs, and is checked where a figure says it", () => {
  expect(count("4.12 m, 4.12 m and 4.12 km\n\nof 5", "4.12 m")).toEqual({
    ...{ numbers_in_text: 4, numbers_checked: 2 },
    unchecked: [
      { text: "4.12", line: 1 },
      { text: "5", line: 3 },
    ],
  });
  expect(count("", "4.12 m")).toEqual({ numbers_in_text: 0, numbers_checked: 0, unchecked: [] });
});

test.each([
  ["a year", "In 2021 and 2022", "2021"],
  ["a number of a heading", "# Now 4.12 m\n\nand 5", "4.12 m"],
  ["a year with a unit behind a blank", "over 2000 m", "2000 m"],
  ["a negative number", "at -4.12 m", "-4.12 m"],
  ["groups", "with 1,234.5 m", "1,234.5 m"],
  ["a number in the text of a link", "[4.12 m](/a)", "4.12 m"],
  ["a number with an emphasis within", "**4**.12 *m*", "4.12 m"],
  ["a number before a line end", "4.12\nm", "4.12 m"],
  ["a number before a hard line end", "4.12\\\nm", "4.12 m"],
])("%s that a figure says counts and is checked", (_, markdown, text) => {
  expect(count(markdown, text)).toMatchObject({ numbers_checked: 1 });
  expect(count(markdown, text).numbers_in_text).toBe(1 + count(markdown, text).unchecked.length);
});

test("numbers within the unit of a figure are checked too", () => {
  expect(count("4 per 1000 km", "4 per 1000 km")).toMatchObject({ numbers_in_text: 2, numbers_checked: 2 });
});

test.each([
  ["a longer number", "14.12 m", "4.12 m"],
  ["a longer unit", "4.12 mm", "4.12 m"],
  ["digits behind a point", "3.4.12 m", "4.12 m"],
  ["digits before a point", "4.12", "4"],
  ["groups", "12 000 and 12\u00a0000 and 12,000", "12"],
  ["another sign", "-12", "12"],
  ["letters before", "x4.12 m and é4.12 m and д4.12 m", "4.12 m"],
  ["a low line", "_4.12 m_4", "4.12 m"],
  ["code", "`4.12 m` and `a`4.12 m", "4.12 m"],
  ["an address", "https://a.org/4.12 and [http://a.org/4.12](/b)", "4.12"],
  ["a date", "2026-01-31 at 12:31", "31"],
  ["a footnote within", "4.12[^1] m\n\n[^1]: a", "4.12 m"],
  ["two cells", "|4.12|m|\n|-|-|", "4.12 m"],
  ["two blocks", "4.12\n\nm", "4.12 m"],
])("%s: no occurrence", (_, markdown, text) => {
  expect(occurrences(markdown, text)).toEqual([]);
  expect(count(markdown, text).numbers_checked).toBe(0);
});

test("occurrences have their lines, behind code and links of several lines too", () => {
  const markdown =
    "7 `a\nb` 7 [c](/d 'e\nf') 7 &#55;\n&#55; 7\\\n7  \n<https://a.org> 7\n\n- > 7[^1]\n\n[^1]: 7\n    7";
  expect(occurrences(markdown, "7").map(({ line }) => line)).toEqual([1, 2, 3, 3, 4, 4, 5, 6, 8, 10, 11]);
});

test("of texts within each other the longest occurs, of equal ones the first", () => {
  expect(occurrences("4.12 m\n4.12", "4.12", "4.12 m", "4.12")).toMatchObject([
    { index: 1, line: 1 },
    { index: 0, line: 2 },
  ]);
});

test("at most fifty unchecked numbers are listed", () => {
  const { unchecked, ...counted } = count("3 ".repeat(60));
  expect([unchecked.length, counted]).toEqual([50, { numbers_in_text: 60, numbers_checked: 0 }]);
});

const PIECES = ["4.12 m", "4.12", "12", "**4**.12", "`4.12`", "[^1]", " ", "\n", "\\\n", "m", ".", "_"];

test("what the page marks is what occurs, once each", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
      const markdown = `${pieces.join("")}\n\n[^1]: 4.12 m [12](/a)`;
      const texts = ["4.12", "4.12 m"];
      const checked = texts.map((text) => ({ text, question: "", line: "" }));
      const html = renderText({
        markdown,
        checked,
        page: "https://example.org/@a/b",
        idPrefix: "",
        topHeading: 2,
        figures: new Map(),
      });
      const marks = html.match(/<a class="checked" id=/g) ?? [];
      expect(marks.length).toBe(occurrences(markdown, ...texts).length);
    }),
    { numRuns: runs(4_000) },
  );
});
