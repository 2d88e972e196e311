import fc from "fast-check";
import MarkdownIt, { type MarkdownIt as MarkdownParser } from "markdown-it";
import footnotePlugin from "markdown-it-footnote";
import { expect, test } from "vitest";
import { MAX_NESTING } from "../../../../shared/text/markdown/parse.ts";
import { readQuote } from "../../../../shared/text/markdown/quotes.ts";
import { runs } from "../../../support/depth.ts";

const alt = ["paragraph", "reference", "blockquote", "list"];
const ours = makeParser();
ours.block.ruler.at("blockquote", readQuote, { alt });
const theirs = makeParser();

function makeParser(): MarkdownParser {
  return new MarkdownIt({ html: true, maxNesting: MAX_NESTING }).use(footnotePlugin);
}

const MARKS = [
  ">",
  "> ",
  ">\t",
  "- ",
  "-\t",
  "1. ",
  "[^1]: ",
  "```",
  "# ",
  "---",
  "===",
  "<div>",
  "|",
  "|-|",
];
const pieces = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("\n", "\na", "a\n", "a\n", "\n\n") },
  { weight: 4, arbitrary: fc.constantFrom(...MARKS) },
  { weight: 2, arbitrary: fc.constantFrom(" ", "  ", "    ", "\t", "a", "[a]: b") },
  { weight: 1, arbitrary: fc.constantFrom(">>>>", "> > > > ", "> - > - ", "a\nb\nc\n") },
);

test("quotes are read as markdown-it reads them, token by token", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const text = parts.join("");
      expect(ours.parse(text, {})).toEqual(theirs.parse(text, {}));
    }),
    { numRuns: runs(6_000) },
  );
});

test("a lazy line is looked at no more than three times, however many quotes it continues", () => {
  const counting = makeParser();
  counting.block.ruler.at("blockquote", readQuote, { alt });
  let looks = 0;
  counting.block.ruler.before("hr", "count", (_state, _line, _end, silent) => silent && ++looks < 0, { alt });
  const lines = 1_000;
  counting.parse(`${">".repeat(31)}${"a\n".repeat(lines)}`, {});
  expect(looks).toBeGreaterThan(lines);
  expect(looks).toBeLessThan(3 * lines + 100);
});
