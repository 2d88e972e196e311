import { expect, test } from "vitest";
import { markTexts } from "../../../../shared/text/markdown/mark-texts.ts";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { renderMarkdown } from "../../../../shared/text/markdown/render.ts";

/** The text as HTML, with each mark as [number of the figure|text]. */
function mark(markdown: string, texts: readonly string[]): string {
  const parsed = parseMarkdown(markdown);
  markTexts(parsed.shown, texts);
  return renderMarkdown(parsed)
    .replace(/<a class="checked" id="[^"]*" href="#text-figure:(\d+)"[^>]*>(.*?)<\/a>/gs, "[$1|$2]")
    .trim();
}

test("every place is marked, in headings, lists, tables and footnotes too", () => {
  expect(mark("4.12 m, and 4.12 m.", ["4.12 m"])).toBe("<p>[1|4.12 m], and [1|4.12 m].</p>");
  const all = mark("# 5\n\n- **5**\n\n|5|\n|-|\n|5|\n\n> 5[^1]\n\n[^1]: 5", ["5"]);
  expect(all.match(/\[1\|5\]/g)).toHaveLength(6);
});

test("code and links are left alone, a text that looks like a link is not", () => {
  const kept = "<p><code>4.12</code> ";
  expect(mark("`4.12` [4.12](https://example.org/4.12) 4.12", ["4.12"]).startsWith(kept)).toBe(true);
  expect(mark("`4.12` [4.12](https://example.org/4.12) 4.12", ["4.12"]).match(/\[1\|/g)).toHaveLength(1);
  expect(mark("```\n4.12\n```\n", ["4.12"])).not.toContain("[1|");
});

test("a part of a longer number or word is not marked", () => {
  const parts = [
    "112",
    "120",
    "3.12",
    "3,12",
    "12.5",
    "12,000",
    "12\u2009000",
    "-12",
    "−12",
    ".12",
    "CO12",
    "12k",
    "1'12",
  ];
  for (const text of parts) expect(mark(`${text} x`, ["12"]), text).not.toContain("[1|");
  for (const text of ["12.", "12,", "(12)", "12%", "均12米", "11-12", "$12", "*12*"])
    expect(mark(`x ${text}`, ["12"]), text).toContain("[1|12]");
});

test("a line break counts as a blank", () => {
  expect(mark("It was 4.12\nm.", ["4.12 m"])).toBe("<p>It was [1|4.12\nm].</p>");
  expect(mark("It was 4.12\\\nm.", ["4.12 m"])).toBe("<p>It was [1|4.12<br>\nm].</p>");
});

test("a mark ends before other marks of the text and goes on behind them, with one id", () => {
  const goesOn = '<a class="checked" href="#text-figure:1" title="Checked against the data">';
  expect(mark("It was **4**.12 *m*.", ["4.12 m"])).toBe(
    `<p>It was <strong>[1|4]</strong>${goesOn}.12 </a><em>${goesOn}m</a></em>.</p>`,
  );
  expect(mark("4.12 [m](/a)", ["4.12 m"])).toBe(
    '<p>[1|4.12 ]<a href="/a" rel="nofollow ugc noopener">m</a></p>',
  );
});

test("texts that look like HTML are shown as texts", () => {
  const text = '5 <b title="x">&amp;';
  expect(mark(`\`x\` 5 \\<b title="x">\\&amp;.`, [text])).toBe(
    "<p><code>x</code> [1|5 &lt;b title=&quot;x&quot;&gt;&amp;amp;].</p>",
  );
});
