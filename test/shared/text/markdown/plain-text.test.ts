import { expect, test } from "vitest";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { plainTextOfMarkdown } from "../../../../shared/text/markdown/plain-text.ts";

test.each([
  ["marks disappear", "# A *b* `c`\n\n**d** [e](f) ~~g~~ &amp; \\*", "A b c\nd e g & *"],
  ["lines of a paragraph join", "a\nb  \nc", "a b c"],
  ["a table gives one line a row", "|a|b|\n|-|-|\n|c|`d`|", "a | b\nc | d"],
  ["lists and quotes give one line a block", "- a\n  - [x] b\n\n> c", "a\nb\nc"],
  ["code is kept, drawings are left out", "```js\nx\n```\n\n```chart\n{}\n```\n\n    y", "x\ny"],
  ["footnotes come last", "a[^1]\n\n[^1]: b\n\nc", "a\nc\nb"],
  ["links to other schemes keep their words", "[a](gopher:b)", "a"],
  ["a rule says nothing", "---", ""],
])("%s", (_, markdown, text) => {
  expect(plainTextOfMarkdown(parseMarkdown(markdown))).toBe(text);
});
