import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { readText } from "../../../../shared/text/markdown/read-text.ts";
import { countNumbers } from "../../../../shared/text/numbers/count-numbers.ts";
import { findPlaces } from "../../../../shared/text/numbers/figure-places.ts";
import { findNumerals, hideDates } from "../../../../shared/text/numbers/numerals.ts";
import { runs, some } from "../../../support/depth.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../support/growth.ts";

const PAGE = join(import.meta.dirname, "../../../../api/docs/reference-numbers.md");
const CASES = readCases(readFileSync(PAGE, "utf8"));

/** The cases that the documentation shows: a Markdown text, the numbers that count in it, and why. */
function readCases(page: string) {
  const { shown } = parseMarkdown(page.slice(page.indexOf("## Which numbers count")));
  const cells = shown.filter((token, at) => token.type === "inline" && shown[at - 1]?.type === "td_open");
  const codesOf = (at: number) =>
    (cells[at]?.children ?? []).flatMap(({ type, content }) => (type === "code_inline" ? [content] : []));
  return Array.from({ length: cells.length / 3 }, (_, row) => ({
    markdown: codesOf(3 * row)[0]?.replaceAll(" ⏎ ", "\n") ?? "",
    numbers: codesOf(3 * row + 1),
    because: cells[3 * row + 2]?.content ?? "",
  }));
}

test("there are sixty cases", () => {
  expect(new Set(CASES.map(({ markdown }) => markdown)).size).toBe(60);
});

test.each(CASES)("$markdown: $because", ({ markdown, numbers }) => {
  const { unchecked, numbers_in_text } = countNumbers(readText(markdown), []);
  // The page has plain blanks where the text has some that do not break.
  expect(unchecked.map(({ text }) => text.replace(/[\u00a0\u2009\u202f]/g, " "))).toEqual(numbers);
  expect(numbers_in_text).toBe(numbers.length);
});

/** Cases of one line that mean the same wherever they stand. */
const LINES = CASES.filter(({ markdown }) => /^[^\n`|<>[#*&\\~]+$/.test(markdown));

/** Where words may stand, and whether their numbers count there. */
const SEEN_AT: readonly ((line: string, index: number) => string)[] = [
  (line) => line,
  (line) => `> - ${line}`,
  (line) => `1. *${line}*`,
  (line) => `|a|**${line}**|\n|-|-|\n|b|c|`,
  (line) => `[${line}](/9 "8\n7") \`6\n5\``,
  (line, index) => `a[^${index}]\n\n[^${index}]: ${line}`,
];
const UNSEEN_AT: readonly ((line: string) => string)[] = [
  (line) => `### ${line}`,
  (line) => `${line}\n===`,
  (line) => `\`${line}\``,
  (line) => `~~~\n${line}\n~~~`,
  (line) => `\`\`\`chart\n${line}\n\`\`\``,
  (line) => `    ${line}`,
  (line) => `[a]: /b "${line}"`,
];

test("numbers count wherever readers see them, each on its line, and nowhere else", () => {
  expect(LINES.length).toBeGreaterThan(40);
  const anyLine = fc.constantFrom(...LINES);
  const anyBlock = fc.record({ line: anyLine, at: fc.nat(SEEN_AT.length - 1), unseen: anyLine });
  const anyText = fc.tuple(fc.array(anyBlock, { maxLength: 8 }), fc.nat(UNSEEN_AT.length - 1));
  fc.assert(
    fc.property(anyText, ([blocks, from]) => {
      const written = blocks.flatMap(({ line, at, unseen }, index) => [
        SEEN_AT[at]?.(line.markdown, index) ?? "",
        UNSEEN_AT[(from + index) % UNSEEN_AT.length]?.(unseen.markdown) ?? "",
      ]);
      const markdown = written.join("\n\n***\n\n");
      const lines = markdown.split("\n");
      const { unchecked, ...count } = countNumbers(readText(markdown), []);
      const numbers = blocks.flatMap(({ line }) => line.numbers);
      expect(count).toEqual({ numbers_in_text: numbers.length, numbers_checked: 0 });
      expect(unchecked.map(({ text }) => text).toSorted()).toEqual(numbers.slice(0, 50).toSorted());
      for (const { text, line } of unchecked) expect(lines[line - 1]).toContain(text);
    }),
    { numRuns: runs(4_000) },
  );
});

const UNITS = [
  ...["1", "1 ", "1 234 ", "123 ", "1,", "1.", "1'", "1:", "1e", "1E-", "a-1 ", "水1", "aé", "5 Ma", "- "],
  ...["2026-01-", "2026-01-31T12:30:00.", "2019/2", "4.12 m ", "1\u00a0", "1\n"],
];

test.each(some(UNITS, 5))("a long text of %j takes no long time", (unit) => {
  const text = unit.repeat(200_000 / unit.length);
  const figures = Array.from({ length: 50 }, (_, index) => `${unit.repeat(1 + index)}.12 m`);
  const work = () => findPlaces(hideDates(text), findNumerals(text), [...figures, unit]);
  expect(leastCpuMs(work)).toBeLessThan(GROWTH_BOUND_MS);
});
