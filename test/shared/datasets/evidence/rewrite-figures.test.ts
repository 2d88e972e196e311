import fc from "fast-check";
import { expect, test } from "vitest";
import { rewriteFigures } from "../../../../shared/datasets/evidence/rewrite-figures.ts";
import type { Deps } from "../../../../shared/platform/deps.ts";
import { readText } from "../../../../shared/text/markdown/read-text.ts";
import { listOccurrences } from "../../../../shared/text/numbers/count-numbers.ts";
import { runs } from "../../../support/depth.ts";

let reads = 0;
const texts = {
  async read(markdown: string) {
    reads++;
    return readText(markdown);
  },
};
const rewrite = (markdown: string, ...pairs: [string, string][]) =>
  rewriteFigures(
    { texts } as unknown as Deps,
    markdown,
    pairs.map(([old, by]) => ({ old, new: by })),
  );

test.each([
  ["a line that ends within, in a quote", "> at 4.12\n> m high", "> at 5 km high"],
  ["a table cell", "| 4.12 m |\n|-|\n| *4.12 m* |", "| 5 km |\n|-|\n| *5 km* |"],
  ["a link and its address", "[4.12 m](/4.12) <https://a.org/4.12>", "[5 km](/4.12) <https://a.org/4.12>"],
  ["code and a fence", "`4.12 m` 4.12 m\n\n~~~\n4.12 m\n~~~", "`4.12 m` 5 km\n\n~~~\n4.12 m\n~~~"],
  ["a footnote that nothing uses", "4.12 m\n\n[^1]: 4.12 m", "5 km\n\n[^1]: 4.12 m"],
  ["a footnote above its mark", "[^1]: 4.12 m\n\n4.12 m[^1]", "[^1]: 5 km\n\n5 km[^1]"],
  ["the title of a link", '[4.12 m](/a "4.12 m")', '[5 km](/a "4.12 m")'],
])("%s", async (_, markdown, wanted) => {
  expect(await rewrite(markdown, ["4.12 m", "5 km"])).toEqual({ markdown: wanted, missed: [] });
});

test("each text is found in the text of before, the longest first", async () => {
  const { markdown } = await rewrite("1 of 2, 2 m of 1", ["1", "2"], ["2", "3"], ["2 m", "4 m"], ["7", "8"]);
  expect(markdown).toBe("2 of 3, 4 m of 2");
});

test("what is not written as readers see it is told by its line", async () => {
  const pair: [string, string] = ["4.12 m", "5 km"];
  expect((await rewrite("4.12 m\n\n4.12 *m*\n4.12&nbsp;m 4.12&#32;m", pair)).missed).toEqual([
    { index: 0, line: 3 },
    { index: 0, line: 4 },
  ]);
  expect((await rewrite("`4.12 m`", pair)).missed).toEqual([{ index: 0, line: 1 }]);
  expect((await rewrite("none", pair)).missed).toEqual([]);
});

test("a text of many such numbers is read a bounded number of times", async () => {
  reads = 0;
  const { missed } = await rewrite(`${"7. seven\n".repeat(2_000)}\n\n7 &#7;`, ["7", "8"]);
  expect(reads).toBeLessThan(40);
  expect(missed.length).toBeLessThan(2);
});

test("readers see what they saw with the new text in its place, or the line is told", async () => {
  const pieces = [
    "7",
    "**7**",
    "`7`",
    "[7](/7)",
    "7.",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "7. ",
    "| 7 |",
    "[^7]",
    "\\7",
    "&#55;",
    " ",
    "a",
    "7-7",
    "2026-01-07",
    "# 7",
    "<https://a.org/7>",
    "\n[^7]: 7\n\n",
  ];
  const markdowns = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(markdowns, async (markdown) => {
      const { markdown: after, missed } = await rewrite(markdown, ["7", "8.5"]);
      const count = (text: string, what: string) => listOccurrences(readText(text), [what]).length;
      if (missed.length === 0 && count(markdown, "7") > 0) {
        expect(count(after, "8.5")).toBe(count(markdown, "7"));
        expect(count(after, "7")).toBe(0);
      }
      expect(readText(after).seen.words.replaceAll("8.5", "7")).toBe(readText(markdown).seen.words);
    }),
    { numRuns: runs(5_000, 20) },
  );
});
