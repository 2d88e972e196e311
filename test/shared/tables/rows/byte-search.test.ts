import fc from "fast-check";
import { expect, test } from "vitest";
import { foldCase } from "../../../../shared/tables/rows/conditions.ts";
import { openByteSearch } from "../../../../shared/tables/rows/row-test.ts";
import { runs } from "../../../support/depth.ts";

/** What the search of bytes says, or, where it leaves the answer to texts, what these say. */
function holds(text: string, words: string): boolean {
  const wanted = foldCase(words);
  const bytes = Buffer.from(`,${text},`);
  return openByteSearch(wanted)(bytes, 1, bytes.length - 1) ?? foldCase(text).includes(wanted);
}

test("a search of bytes finds what a search of texts finds, case ignored", () => {
  const letter = fc.constantFrom(..."aAbBkK\u212AiI\u0130ıσςΣsſéÉ,€😀 ");
  const word = fc.array(letter, { minLength: 1, maxLength: 3 }).map((letters) => letters.join(""));
  const text = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(""));
  fc.assert(
    fc.property(text, word, (text, words) => {
      expect(holds(text, words)).toBe(foldCase(text).includes(foldCase(words)));
    }),
    { numRuns: runs(4_000) },
  );
});

test.each([
  ["Η ΟΔΟΣΑ", "οδος"],
  ["η οδός", "ΌΣ"],
  ["Straẞe", "straße"],
  ["ÅNGSTRÖM", "ngströ"],
])("%s holds %s: one letter has one case", (text, words) => {
  expect(foldCase(text)).toContain(foldCase(words));
});

test("no other character than the two that the search knows has an ASCII letter in its small form", () => {
  const found: string[] = [];
  for (let point = 0x80; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    if (/[\0-\x7f]/.test(foldCase(character))) found.push(character);
  }
  expect(found).toEqual(["\u0130", "\u212A"]);
});
