import { describe, expect, test } from "vitest";
import { findMarkdownProblems } from "../../../../shared/text/markdown/find-problems.ts";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { renderMarkdown } from "../../../../shared/text/markdown/render.ts";
import { findUnsafeHtml, visibleText } from "./find-unsafe-html.ts";
import { readCorpus } from "./read-corpus.ts";

interface MarkdownCase {
  name: string;
  source?: string;
  markdown: string;
  expect: "accept" | "reject" | "unclear";
  text?: string;
}
interface MarkdownCorpus {
  cases: MarkdownCase[];
  own: MarkdownCase[];
}
interface XssCorpus {
  payloads: { payload: string; in_markdown: "accept" | "reject" }[];
}

/** Where the contract decides a case that the corpus leaves open. */
const DECIDED: Readonly<Record<string, "accept" | "reject">> = {
  "link: javascript mixed case": "reject",
  "link: vbscript": "reject",
  "link: file": "reject",
  "edge: chart fence wrong case": "reject",
  "edge: lone surrogate": "accept", // refused by the field around the text, not by Markdown
};
// The reference knows no tables and no strikethrough; there its text keeps the marks.
const OTHER_DIALECT = /^markdown-it (?:tables|strikethrough)/;
// A newer Unicode table of punctuation than the reference's.
const NEWER_RULES = new Set(["markdown-it commonmark_extras 61"]);

function verdictOf(markdown: string): "accept" | "reject" {
  return findMarkdownProblems(parseMarkdown(markdown)).length === 0 ? "accept" : "reject";
}

const markdownCorpus = readCorpus<MarkdownCorpus>("markdown.json");
const xssCorpus = readCorpus<XssCorpus>("xss.json");

describe.skipIf(markdownCorpus === null)("Markdown corpus", () => {
  const cases = [...(markdownCorpus?.cases ?? []), ...(markdownCorpus?.own ?? [])];

  test.each(cases)("$name", ({ name, markdown, text, ...given }) => {
    const expected = given.expect === "unclear" ? DECIDED[name] : given.expect;
    expect(verdictOf(markdown)).toBe(expected);
    const html = renderMarkdown(parseMarkdown(markdown));
    expect(findUnsafeHtml(html)).toEqual([]);
    if (expected === "reject" || text === undefined || OTHER_DIALECT.test(name) || NEWER_RULES.has(name))
      return;
    expect(visibleText(html)).toBe(text.replace(/\s+/g, ""));
  });
});

test.skipIf(xssCorpus === null)("every script injection is refused or comes out as text", () => {
  for (const { payload, in_markdown } of xssCorpus?.payloads ?? []) {
    expect({ payload, verdict: verdictOf(payload) }).toEqual({ payload, verdict: in_markdown });
    expect({ payload, unsafe: findUnsafeHtml(renderMarkdown(parseMarkdown(payload))) }).toEqual({
      payload,
      unsafe: [],
    });
  }
});
