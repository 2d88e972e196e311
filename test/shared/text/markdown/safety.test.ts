import fc from "fast-check";
import { expect, test } from "vitest";
import { findMarkdownProblems } from "../../../../shared/text/markdown/find-problems.ts";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { plainTextOfMarkdown } from "../../../../shared/text/markdown/plain-text.ts";
import { renderMarkdown } from "../../../../shared/text/markdown/render.ts";
import { runs } from "../../../support/depth.ts";
import { SCRIPT_PAYLOADS } from "../../../support/script-payloads.ts";
import { findUnsafeHtml, staysInside } from "./find-unsafe-html.ts";
import { readCorpus } from "./read-corpus.ts";

// Pieces that meet in dangerous ways far more often than random characters do.
const PIECES = [
  ..."<>[]()!\"'`*_~^|:-#&;/\\\n\t \r\0",
  ..."ax1é潮\u202e\u200b\ud800",
  "\n\n",
  "    ",
  "- [x] ",
  "[^1]",
  "[^1]: ",
  "> [^2]: ",
  "[^2]",
  "[a]: ",
  "](",
  "![",
  "```",
  "|-|",
  "<script>",
  "<!--",
  "<img src=x onerror=alert(1)>",
  "javascript:alert(1)",
  "java&#10;script:",
  "data:text/html,",
  "https://example.org/",
  "//example.org",
  '" onclick="x',
  "&quot;",
  "&#106;",
  "%0a",
  "[a](javascript:alert(1))",
  "[a](<java&#10;script:x>)",
  "[a](gopher://x)",
  '[a](https://example.org/ "<b>")',
  "![<b onclick=x>](data:x)",
  "<data:text/html,x>",
  "[a]: vbscript:x\n\n[a]",
  "| <b> | [a](file:x) |\n|-|-|\n",
];

const corpus = readCorpus<{ payloads: { payload: string }[] }>("xss.json");
const SCRIPTS = [...SCRIPT_PAYLOADS, ...(corpus?.payloads ?? []).map(({ payload }) => payload)];
// Whole and cut payloads, so that one opens what another closes.
const script = fc
  .tuple(fc.constantFrom(...SCRIPTS), fc.option(fc.nat(200), { freq: 2 }))
  .map(([payload, length]) => payload.slice(0, length ?? undefined));

const markdown = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200, size: "max" }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40, size: "max" }).map((pieces) => pieces.join("")),
  fc
    .array(fc.oneof(script, fc.constantFrom(...PIECES)), { maxLength: 12, size: "max" })
    .map((pieces) => pieces.join("")),
);

test("any text renders to allow-listed HTML, and any problem lies on a line of the text", () => {
  fc.assert(
    fc.property(markdown, fc.constantFrom("text-", '"x'), (text, idPrefix) => {
      const parsed = parseMarkdown(text);
      const html = renderMarkdown(parsed, { idPrefix });
      expect(findUnsafeHtml(html)).toEqual([]);
      expect(staysInside(html)).toBe(true);
      expect(typeof plainTextOfMarkdown(parsed)).toBe("string");
      const lines = text.split(/\r\n?|\n/).length;
      for (const { line } of findMarkdownProblems(parsed)) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines);
      }
    }),
    { numRuns: runs(4500) },
  );
});

test("the inspection itself finds what is unsafe", () => {
  expect(findUnsafeHtml('<a href="java\nscript:x" onclick="y">z</a><img><!-- -->')).toEqual([
    "href java\nscript:x",
    "<a onclick>",
    "<img>",
    "a comment",
  ]);
  expect([staysInside("<p>a</p>"), staysInside("a</div>"), staysInside("a</li>b")]).toEqual([
    true,
    false,
    false,
  ]);
});
