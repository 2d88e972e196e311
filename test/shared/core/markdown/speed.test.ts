import { describe, expect, test } from "vitest";
import { findMarkdownProblems } from "../../../../shared/core/markdown/find-problems.ts";
import { parseMarkdown } from "../../../../shared/core/markdown/parse.ts";
import { plainTextOfMarkdown } from "../../../../shared/core/markdown/plain-text.ts";
import { renderMarkdown } from "../../../../shared/core/markdown/render.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../support/growth.ts";
import { readCorpus } from "./read-corpus.ts";

const CHARACTERS = 100_000;

interface SlowCase {
  name: string;
  parts: [string, number][] | null;
}

const corpus = readCorpus<{ slow_inputs: { cases: SlowCase[] } }>("markdown.json");

function readWhole(text: string): void {
  const parsed = parseMarkdown(text);
  findMarkdownProblems(parsed);
  renderMarkdown(parsed);
  plainTextOfMarkdown(parsed);
}

function fill(piece: (index: number) => string): string {
  let text = "";
  for (let index = 0; text.length < CHARACTERS; index++) text += piece(index);
  return text.slice(0, CHARACTERS);
}

describe.skipIf(corpus === null)("slow inputs of the corpus", () => {
  const cases = (corpus?.slow_inputs.cases ?? []).flatMap(({ name, parts }) =>
    parts === null ? [] : [{ name, text: parts.map(([unit, times]) => unit.repeat(times)).join("") }],
  );

  test.each(cases)("$name", ({ text }) => {
    expect(leastCpuMs(() => readWhole(text))).toBeLessThan(GROWTH_BOUND_MS);
  });
});

describe("hostile texts of our own", () => {
  test.each([
    ["lists nested ever deeper", fill((depth) => `${" ".repeat(depth * 2)}- a\n`)],
    ["backticks growing", fill((length) => `e${"`".repeat(length)}`)],
    ["equal headings", fill(() => "# a\n")],
    ["headings that take each other's slugs", fill((index) => `# a-${index}\n# a\n`)],
    ["footnotes that are used", fill((index) => `[^${index}]: n[^${index}]\n`)],
    ["one footnote used often", `[^1]: a\n\n${fill(() => "[^1]")}`],
    ["footnotes inside footnotes", fill((index) => `[^${index}]: `)],
    ["inline footnotes nested", "^[".repeat(33_000) + "]".repeat(33_000)],
    ["raw HTML on every line", fill(() => "<b>\n\n")],
    ["raw HTML in one line", fill(() => "<b>")],
    ["refused links in one paragraph", fill(() => "[a](javascript:b)\n")],
    ["percent escapes in an address", `[a](${fill(() => "%6a")})`],
    ["empty columns", `${"|a".repeat(300)}|\n${"|-".repeat(300)}|\n${fill(() => "|\n")}`],
    ["bare addresses", fill(() => "http://a.b ")],
  ])("%s", (_, text) => {
    expect(leastCpuMs(() => readWhole(text))).toBeLessThan(GROWTH_BOUND_MS);
  });
});
