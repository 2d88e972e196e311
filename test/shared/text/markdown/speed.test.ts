import { describe, expect, test } from "vitest";
import { findMarkdownProblems } from "../../../../shared/text/markdown/find-problems.ts";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { plainTextOfMarkdown } from "../../../../shared/text/markdown/plain-text.ts";
import { renderMarkdown } from "../../../../shared/text/markdown/render.ts";
import { some } from "../../../support/depth.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../support/growth.ts";
import { readSlowCorpus, SLOW_DRAWINGS, SLOW_TEXTS } from "./slow-texts.ts";

const corpus = readSlowCorpus();

function readWhole(text: string): void {
  const parsed = parseMarkdown(text);
  findMarkdownProblems(parsed);
  renderMarkdown(parsed);
  plainTextOfMarkdown(parsed);
}

describe.skipIf(corpus === null)("slow inputs of the corpus", () => {
  test.each(some(corpus ?? [], 3))("$name", ({ text }) => {
    expect(leastCpuMs(() => readWhole(text))).toBeLessThan(GROWTH_BOUND_MS);
  });
});

describe("hostile texts of our own", () => {
  test.each(some([...SLOW_TEXTS, ...SLOW_DRAWINGS], 3))("$name", ({ text }) => {
    expect(leastCpuMs(() => readWhole(text))).toBeLessThan(GROWTH_BOUND_MS);
  });
});
