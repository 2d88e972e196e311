import { expect, test } from "vitest";
import { cutStart, EXCERPT_CHARACTERS, findExcerpt } from "../../../../shared/text/search/excerpt.ts";

const lines = (...texts: string[]) => texts.map((text) => ({ text }));
const words = (...all: string[]) => ({ words: all, phrases: [] });

test("the line with the most terms is shown, the first of several", () => {
  const text = lines("A gauge.", "A gauge in Büsum.", "Büsum has a gauge.");
  expect(findExcerpt(text, words("gauge", "busum"))).toBe("A gauge in Büsum.");
  expect(findExcerpt(text, { words: [], phrases: ["busum has"] })).toBe("Büsum has a gauge.");
  expect(findExcerpt(text, words("surge"))).toBeNull();
});

test("a long line is cut around its first word, between words, and marked where it was", () => {
  const long = `${"before ".repeat(60)}Gauge ${"after ".repeat(60)}`;
  const excerpt = findExcerpt(lines(long), words("gau")) ?? "";
  expect([...excerpt].length).toBeLessThanOrEqual(EXCERPT_CHARACTERS);
  expect(excerpt).toMatch(/^…before (?:before )*Gauge (?:after )*after…$/);
  expect(findExcerpt(lines(`${"before ".repeat(60)}gauge`), words("gauge"))).toMatch(/^….*before gauge$/);
});

test.each(["x".repeat(2_000), "水".repeat(2_000), "😀".repeat(500), "a b".repeat(400)])(
  "no excerpt of %s has more than 160 characters",
  (text) => {
    for (const word of ["x", "水", "a"]) {
      const shown = findExcerpt(lines(text), words(word)) ?? cutStart(lines(text)) ?? "";
      expect([...shown].length).toBeLessThanOrEqual(EXCERPT_CHARACTERS);
      expect(shown.isWellFormed()).toBe(true);
    }
  },
);

test("marks are taken off the line that is shown", () => {
  const toText = (text: string) => text.replaceAll("*", "");
  expect(findExcerpt([{ text: "A *gauge*.", toText }], words("gauge"))).toBe("A gauge.");
  expect([cutStart([]), cutStart(lines("  "))]).toEqual([null, null]);
});
