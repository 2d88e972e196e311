import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { renderMarkdown } from "../../../../shared/text/markdown/render.ts";

function render(text: string, idPrefix?: string): string {
  return renderMarkdown(parseMarkdown(text), { idPrefix }).trim();
}

describe("headings", () => {
  test("begin at h2, end at h6 and skip no level, whatever levels the text uses", () => {
    const levels = (text: string, topHeading?: number) =>
      [...renderMarkdown(parseMarkdown(text), { topHeading }).matchAll(/<h(\d)/g)].map(([, level]) => level);
    expect(levels("# a\n###### b")).toEqual(["2", "3"]);
    expect(levels("## a\n### b\n## c")).toEqual(["2", "3", "2"]);
    expect(levels("### a\n# b\n### c\n## d")).toEqual(["2", "2", "3", "3"]);
    expect(levels("# a\n## b\n### c\n#### d\n##### e\n###### f")).toEqual(["2", "3", "4", "5", "6", "6"]);
    expect(levels("> ## a\n\n## b\n#### c", 3)).toEqual(["3", "3", "4"]);
    expect(levels("plain\n\nSetext\n===\n\nLower\n---")).toEqual(["2", "3"]);
  });
  test("open and close with the same tag", () => {
    expect(render("## a\n#### b")).toBe('<h2 id="text-a">a</h2>\n<h3 id="text-b">b</h3>');
  });

  test("have ids of their own, in any script, under the prefix", () => {
    const ids = (text: string, prefix?: string) =>
      [...render(text, prefix).matchAll(/ id="([^"]+)"/g)].map((id) => id[1]);
    expect(ids("# Über `Maß` & *Zahl*\n# 潮位 観測\n# !?\n# 🎈")).toEqual([
      "text-über-maß-zahl",
      "text-潮位-観測",
      "text-section",
      "text-section-1",
    ]);
    expect(ids("# a\n# a\n# a-1\n# a\n# A", "about-")).toEqual([
      "about-a",
      "about-a-1",
      "about-a-1-1",
      "about-a-2",
      "about-a-3",
    ]);
    expect(ids("# constructor\n# `__proto__`")).toEqual(["text-constructor", "text-__proto__"]);
  });

  test("are found by links inside the text", () => {
    expect(render("[a](#h%C3%A9) [b](#else)\n# Hé", "p-")).toContain(
      '<a href="#p-h%C3%A9" rel="nofollow ugc noopener">a</a>',
    );
    expect(render("[a](#h) [b](#else)\n# H", "p-")).toContain(
      '<a href="#else" rel="nofollow ugc noopener">b</a>',
    );
  });

  test("a prefix cannot leave its attribute", () => {
    expect(render("# a", '"><b>')).toBe('<h2 id="&quot;&gt;&lt;b&gt;a">a</h2>');
  });
});

describe("links", () => {
  test("carry rel and their title, escaped", () => {
    expect(render('[a](https://example.org/?b&c "d\\" onclick=x")')).toBe(
      '<p><a href="https://example.org/?b&amp;c" title="d&quot; onclick=x" rel="nofollow ugc noopener">a</a></p>',
    );
  });

  test("bare addresses and mail addresses become links, file names do not", () => {
    const html = render("https://example.org, www.example.org, a@example.org, README.md");
    expect([...html.matchAll(/href="([^"]+)"/g)].map((link) => link[1])).toEqual([
      "https://example.org",
      "http://www.example.org",
      "mailto:a@example.org",
    ]);
  });

  test("relative addresses lead from the text's own page, all others stay", () => {
    const page = "https://example.org/@a/b";
    const lead = (href: string) =>
      /href="([^"]+)"/.exec(renderMarkdown(parseMarkdown(`[x](<${href}>)`), { page }))?.[1];
    expect(["c", "./c?d=e#f", "../c", "?d=e", "c d"].map(lead)).toEqual([
      ...["/@a/c", "/@a/c?d=e#f", "/c", "/@a/b?d=e", "/@a/c%20d"],
    ]);
    const others = ["#f", "/c", "//example.net/c", "mailto:a@example.org", "https://example.net", "http:c"];
    expect(others.map(lead)).toEqual(others);
    expect(lead("..//example.net")).toBe("https://example.org//example.net");
    expect(lead("\\\\example.net/c")).toMatch(/^(?:%5C|\/@a\/%5C)/);
  });

  test("other schemes show their text alone", () => {
    expect(render("[a *b*](gopher://x) <irc://y> ftp://example.org")).toBe(
      "<p>a <em>b</em> irc://y ftp://example.org</p>",
    );
    expect(render("[a](javascript:x) [b](c)")).toBe('<p>a <a href="c" rel="nofollow ugc noopener">b</a></p>');
  });
});

test("tables scroll in a region that the keyboard reaches, aligned without styles", () => {
  expect(render("|a|b|\n|:-:|-|\n|`c`||")).toBe(
    [
      '<div class="table-scroll" role="group" tabindex="0" aria-label="Table">',
      "<table>",
      "<thead>",
      "<tr>",
      '<th scope="col" class="ac">a</th>',
      '<th scope="col">b</th>',
      "</tr>",
      "</thead>",
      "<tbody>",
      "<tr>",
      '<td class="ac"><code>c</code></td>',
      "<td></td>",
      "</tr>",
      "</tbody>",
      "</table>",
      "</div>",
    ].join("\n"),
  );
});

test("task lists are disabled, labelled checkboxes", () => {
  expect(render("- [ ] a\n- [x] *b*\n- \\[ ] c\n- [ ]\n- [x](d)")).toBe(
    [
      "<ul>",
      '<li class="task"><input type="checkbox" disabled aria-label="to do"> a</li>',
      '<li class="task"><input type="checkbox" disabled checked aria-label="done"> <em>b</em></li>',
      "<li>[ ] c</li>",
      "<li>[ ]</li>",
      '<li><a href="d" rel="nofollow ugc noopener">x</a></li>',
      "</ul>",
    ].join("\n"),
  );
});

test("strikethrough, quotes, rules, breaks and numbered lists are plain elements", () => {
  expect(render("~~a~~ b  \nc\n\n> d\n\n---\n\n3. e")).toBe(
    '<p><del>a</del> b<br>\nc</p>\n<blockquote>\n<p>d</p>\n</blockquote>\n<hr>\n<ol start="3">\n<li>e</li>\n</ol>',
  );
});

describe("code", () => {
  test.each([
    ["```js", ' class="language-js"'],
    ["```C++ x", ' class="language-c++"'],
    ["```chart", ' class="language-chart"'],
    ["```js&quot;x", ""],
    ['``` "><script>', ""],
    ["```{.r}", ""],
    ["```", ""],
  ])("%s names its language safely", (fence, attribute) => {
    expect(render(`${fence}\n<b>\n\`\`\``)).toBe(
      `<pre tabindex="0"><code${attribute}>&lt;b&gt;\n</code></pre>`,
    );
  });

  test("by indentation or in a line is escaped", () => {
    expect(render("    <b>\n\n`<i>`")).toBe(
      '<pre tabindex="0"><code>&lt;b&gt;\n</code></pre>\n<p><code>&lt;i&gt;</code></p>',
    );
  });
});

test("the first ten places of a footnote alone have a way back", () => {
  const html = renderMarkdown(parseMarkdown(`${"[^a] ".repeat(12)}\n\n[^a]: b`));
  expect(html.match(/class="footnote-ref"/g)).toHaveLength(12);
  expect(html.match(/class="footnote-back"/g)).toHaveLength(10);
});

describe("footnotes", () => {
  test("gather at the end with a way back from each use", () => {
    expect(render("a[^n] b[^n]\n\n[^n]: note *x*\n\nc", "s-")).toBe(
      [
        '<p>a<sup class="footnote-ref" id="s-noteref:1"><a href="#s-note:1" aria-label="Footnote 1">1</a></sup>' +
          ' b<sup class="footnote-ref" id="s-noteref:1:2"><a href="#s-note:1" aria-label="Footnote 1">1</a></sup></p>',
        "<p>c</p>",
        '<section class="footnotes" aria-label="Footnotes">',
        "<ol>",
        '<li id="s-note:1">',
        '<p>note <em>x</em> <a href="#s-noteref:1" class="footnote-back" aria-label="Back to the text">\u21a9\ufe0e</a>' +
          ' <a href="#s-noteref:1:2" class="footnote-back" aria-label="Back to the text">\u21a9\ufe0e</a></p>',
        "</li>",
        "</ol>",
        "</section>",
      ].join("\n"),
    );
  });

  test("are numbered by first use; the first definition of a label counts", () => {
    const html = render("[^b] [^a]\n\n[^a]: one\n\n[^b]: two\n\n[^b]: three");
    expect(html.indexOf("two")).toBeLessThan(html.indexOf("one"));
    expect(html).not.toContain("three");
  });

  test("defined inside one another keep blocks whole", () => {
    const html = render("[^a] [^b]\n\n[^a]: > x\n    > [^b]: y\n    > z");
    expect(html.match(/<blockquote>/g)).toHaveLength(1);
    expect(html.indexOf("<blockquote>")).toBeLessThan(html.indexOf("</blockquote>"));
    expect(html).toContain("y");
  });

  test("that end in code have their way back behind it", () => {
    expect(render("a[^1]\n\n[^1]: b\n\n        c")).toContain("</code></pre>\n <a href=");
  });

  test("a caret before a link stays a caret", () => {
    expect(render("x^[a]")).toBe("<p>x^[a]</p>");
  });
});

test("refused content is shown as text if it is rendered at all", () => {
  expect(render("<b>x</b>\n\n<div>\n\n![a<i>](b)")).toBe(
    "<p>&lt;b&gt;x&lt;/b&gt;</p>\n<p>&lt;div&gt;\n</p>\n<p>a&lt;i&gt;</p>",
  );
});

test("one parse renders many times, under any prefix, to the same text", () => {
  const parsed = parseMarkdown("# a\n\n- [x] b[^1]\n\n[^1]: c");
  const first = renderMarkdown(parsed, { idPrefix: "x-" });
  expect(renderMarkdown(parsed, { idPrefix: "y-" })).toBe(first.replaceAll("x-", "y-"));
  expect(renderMarkdown(parsed, { idPrefix: "x-" })).toBe(first);
});

test.each([
  ["**具体：**与其说", "<p><strong>具体：</strong>与其说</p>"],
  ["他说**“好”**，她说~~（不）~~是", "<p>他说<strong>“好”</strong>，她说<del>（不）</del>是</p>"],
  ["이것은 **중요(重要)**합니다", "<p>이것은 <strong>중요(重要)</strong>합니다</p>"],
  ["**ｱ（𠮷）**𠮷です", "<p><strong>ｱ（𠮷）</strong>𠮷です</p>"],
  ["a **b.**c 2 * 3 * 4 和 * 号", "<p>a **b.**c 2 * 3 * 4 和 * 号</p>"],
])("emphasis stands beside characters of scripts without blanks: %s", (text, shown) => {
  expect(render(text)).toBe(shown);
});
