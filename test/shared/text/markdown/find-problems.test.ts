import { describe, expect, test } from "vitest";
import { findDrawingBlocks } from "../../../../shared/text/markdown/drawing-blocks.ts";
import { findMarkdownProblems, findUndrawnTables } from "../../../../shared/text/markdown/find-problems.ts";
import { MAX_NESTING, parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { GALLERY_FLOWCHARTS } from "../../../gallery/flowcharts.ts";
import { writeDenseText } from "../../../support/dense-flowchart.ts";

function linesOf(text: string): number[] {
  return findMarkdownProblems(parseMarkdown(text)).map(({ line }) => line);
}

function messagesOf(text: string): string[] {
  return findMarkdownProblems(parseMarkdown(text)).map(({ message }) => message);
}

describe("raw HTML", () => {
  test.each([
    ["a block", "a\n\n<div>\nx\n</div>", [3]],
    ["a tag in a paragraph's third line", "a\nb\nc <b>x</b>", [3]],
    ["generic code without backticks", "Use List<String> here.", [1]],
    ["a tag behind a code span over two lines", "a `x\ny` <b>", [2]],
    ["a tag that itself spans lines", "a\n<i\nid='1'> <u>", [2, 3]],
    ["several lines of one paragraph", "<b>\n<i>\nx <u>", [1]],
    ["a tag in a list in a quote", "> - a\n>   b <b>\n>\n> c <i>", [2, 4]],
    ["a tag in a table cell", "| a |\n|---|\n| b |\n| <b>x</b> |", [4]],
    ["a tag in a table head", "x\n\n| <b> |\n|---|", [3]],
    ["a tag in a heading", "# a\n\n## b <i>", [3]],
    ["a tag in a heading of two lines", "a\n<b> c\n===", [2]],
    ["a tag in a footnote's body", "a[^1]\n\n[^1]: b\n    c <b>", [4]],
    ["a tag in a footnote that nothing refers to", "a\n\n[^1]: <b>", [3]],
    ["a comment", "a\n\n<!-- b -->", [3]],
    ["a line break", "a<br>b", [1]],
    ["a tag in a link's text", "[a <b>](b)", [1]],
    ["a tag in a nested list's second item", "1. a\n   - b\n   - c <b>", [3]],
    ["lines that end in CRLF", "a\r\n\r\n<b>", [3]],
  ])("%s is refused with its line", (_, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  test.each([
    "`<b>`",
    "    <b>",
    "```\n<b>\n```",
    "\\<b>x\\</b>",
    "&lt;b&gt;",
    "a < b and c > d",
    "x <- y -> z",
    "List<int",
  ])("%j is text", (text) => {
    expect(linesOf(text)).toEqual([]);
  });

  test("the message says how to mend it", () => {
    expect(messagesOf("x\nList<String>")).toEqual([
      "Line 2: raw HTML is not accepted; if it is code, put it in backticks, as in `List<String>`.",
    ]);
  });
});

describe("images", () => {
  test.each([
    ["an inline image", "a\n![b](c)", [2]],
    ["an image by reference", "![b][c]\n\n[c]: d", [1]],
    ["an image in a link", "a\n\n[![b](c)](d)", [3]],
    ["an image with no text", "![](x)", [1]],
    ["an image on a link text's second line", "[a\n![b](c)](d)", [2]],
  ])("%s is refused", (_, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  test("a link behind an exclamation mark that is escaped is a link", () => {
    expect(linesOf("\\![a](https://example.org)")).toEqual([]);
  });
});

describe("links", () => {
  test.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](vbscript:x)",
    "[x](data:text/html,x)",
    "[x](file:///etc/passwd)",
    "[x](&#106;avascript:x)",
    "[x](&#x6A;avascript&colon;x)",
    "[x](java&#10;script:x)",
    "[x](java&Tab;script:x)",
    "[x](<java\tscript:x>)",
    "[x](javascript\\:x)",
    "[x](%6aavascript:x)",
    "[x](javascript%3Ax)",
    "[x](java%0Ascript:x)",
    "[x](java%250Ascript:x)",
    "[x](<  javascript:x>)",
    "[x](<\u200bjavascript:x>)",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "[x][y]\n\n[y]: javascript:x",
    "[y]: javascript:x",
    "| [x](javascript:x) |\n|---|",
    "# [x](javascript:x)",
    "a[^1]\n\n[^1]: [x](javascript:x)",
    "**[x *y*](javascript:x)**",
  ])("%j is refused", (text) => {
    expect(linesOf(text)).not.toEqual([]);
  });

  test.each([
    "[x](https://example.org)",
    "[x](http://example.org)",
    "[x](mailto:a@example.org)",
    "[x](#a)",
    "[x](/a)",
    "[x](a/b?c#d)",
    "[x](//example.org)",
    "[x]()",
    "[x](ftp://example.org)",
    "[x](tel:+1)",
    "<irc://example.org>",
    "javascript:alert(1)",
    "`[x](javascript:x)`",
    "[Data: a study](https://example.org/data:1)",
    "[x](database:1)",
    "https://example.org and a@example.org",
  ])("%j is accepted", (text) => {
    expect(linesOf(text)).toEqual([]);
  });

  test("the lines are those of the link, and of the definition that holds its address", () => {
    expect(linesOf("a\nb [x](javascript:1)\n\n[y][z]\n\n[z]: data:1")).toEqual([2, 4, 6]);
    expect(linesOf("| a |\n|---|\n| [x](data:1) |\n\n- b\n  - [c](file:x)")).toEqual([3, 6]);
  });
});

describe("drawings", () => {
  test("are numbered by kind, and named by line wherever the fence stands and however it is written", () => {
    const text = "```chart\n[]\n```\n\n~~~ Mermaid x\n~~~\n\n> ```CHART\n> ```";
    expect(messagesOf(text)).toEqual([
      expect.stringMatching(/^Chart 1 \(line 1\): /),
      "Flowchart 1 (line 6): The flowchart is empty. Begin with flowchart TD and write nodes and connections below.",
      expect.stringMatching(/^Chart 2 \(line 8\): It is not JSON/),
    ]);
  });

  test("are refused with number, line and every reason where they cannot be drawn", () => {
    const text =
      'a\n\n```chart\n{"mark": "pie"}\n```\n\n```mermaid\nflowchart TD\n  A --> B\n  subgraph x\n  end\n```';
    const messages = messagesOf(text);
    expect(messages.filter((message) => message.startsWith("Chart 1 (line 3): ")).length).toBeGreaterThan(1);
    expect(messages.some((message) => message.startsWith("Flowchart 1 (line 10): "))).toBe(true);
  });

  test.each([
    ["at the end of the text", 'a\n\n```chart\n{"mark": "pie"', true],
    ["behind a line end", 'a\n\n```chart\n{"mark": "pie"}\n', true],
    ["behind blank lines", 'a\n\n```chart\n{"mark": "pie"}\n\n\n', true],
    ["without a line below", "a\n\n```chart", true],
    ["with other words below", 'a\n\n```chart\n{"mark": "pie"}\n\nb\n', true],
    ["closed by too few marks", "a\n\n````chart\n{}\n```\n", true],
    ["at the end of a quote", "a\n\n> ```chart\n> {}\n\nb", true],
    ["of a flowchart", "a\n\n~~~mermaid\nflowchart TD\n  A -->\n", true],
    ["closed at the end of the text", "a\n\n```chart\n{}\n```", false],
    ["closed behind a blank line", "a\n\n```chart\n{}\n\n```\n\n", false],
    ["closed and empty", "a\n\n```chart\n```", false],
  ])("whose fence is open are refused with its line first: %s", (_, text, isOpen) => {
    const [first = ""] = messagesOf(text);
    expect(first).toMatch(/^(?:Chart|Flowchart) 1 \(line [3-5]\): /);
    expect(/ 1 \(line 3\): its fence is never closed, .*; close it with /.test(first)).toBe(isOpen);
  });

  test("are drawn where only the end of their fence is missing", () => {
    expect(messagesOf("```mermaid\nflowchart TD\n  A --> B\n")).toEqual([]);
  });

  test("are found with their source", () => {
    expect(
      findDrawingBlocks(parseMarkdown("a\n\n```chart\n{}\n```\n\n[^1]: b\n\n    ```mermaid\n    c\n    ```")),
    ).toEqual([
      { kind: "Chart", number: 1, line: 3, source: "{}\n" },
      { kind: "Flowchart", number: 1, line: 9, source: "c\n" },
    ]);
  });

  test.each(["```charts\n```", "```js chart\n```", "    ```chart", "`chart`"])("%j is none", (text) => {
    expect(linesOf(text)).toEqual([]);
  });

  test("number at most twenty in a text", () => {
    const block = "```mermaid\ngraph TD\nA --> B\n```\n";
    expect(messagesOf(block.repeat(20))).toEqual([]);
    expect(messagesOf(block.repeat(21))).toEqual([
      "Line 81: a text may hold 20 charts and flowcharts together; this one holds 21.",
    ]);
  });

  test("are refused from the flowchart on that makes the layout of a text too long", () => {
    expect(messagesOf(writeDenseText(16))).toEqual([]);
    expect(messagesOf(writeDenseText(20))).toEqual([
      "Flowchart 17 (line 1665): with this one the connections of the text's flowcharts lead down 41582 ranks in total; 40000 is the most. Remove connections that lead past many nodes, or move flowcharts to another text.",
    ]);
  });

  const full = GALLERY_FLOWCHARTS.filter(({ name }) => name.startsWith("Full size"));

  test.each(full)("twenty of $name are accepted", ({ source }) => {
    expect(messagesOf(`\`\`\`mermaid\n${source}\n\`\`\`\n`.repeat(20))).toEqual([]);
  });
});

test("blocks nested too deeply are refused instead of losing what is inside", () => {
  expect(linesOf(`a\n\n${"> ".repeat(MAX_NESTING)}x`)).toEqual([3]);
  expect(linesOf(`${"> ".repeat(MAX_NESTING - 1)}x`)).toEqual([]);
  expect(linesOf(`${"- ".repeat(MAX_NESTING)}<b>`)).toEqual([1]);
});

test("all problems come in the order of their lines, each once", () => {
  const text = "<b> <i>\n\n![a](b) <u>\n\n```chart\n```\n\n[x](data:1)";
  expect(linesOf(text)).toEqual([1, 3, 3, 5, 8]);
});

describe("a text of more than 20,000 blocks, cells, links and footnote marks", () => {
  const table = `|${"a|".repeat(100)}\n|${"-|".repeat(100)}\n`;
  test.each([
    ["items of a list, which is a block too", "- a\n", 19_999, "", 20_000],
    ["cells of a table, which is a block too", `|${"a|".repeat(100)}\n`, 198, table, 201],
    ["links in a paragraph", "[a](b)\n", 19_999, "", 20_000],
    ["addresses in a paragraph", "<ab:c>\n", 19_999, "", 20_000],
    ["marks of a footnote, whose body are two blocks", "[^a]\n", 19_997, "[^a]: b\n\n", 20_000],
    ["quotes, each with a paragraph", "> a\n\n", 10_000, "", 20_001],
  ])("is refused with the line of the first that is too many: %s", (_, piece, most, before, line) => {
    expect(linesOf(before + piece.repeat(most))).toEqual([]);
    expect(findMarkdownProblems(parseMarkdown(before + piece.repeat(most + 1)))).toEqual([
      { line, message: expect.stringMatching(/20000 blocks, .*; this one holds 2\d{4}\./) },
    ]);
  });
});

test.each([
  ["| a | b |\n| - |\n| 1 | 2 |", [1]],
  ["Words.\n\n> a | b\n> --- | --- | ---\n> 1 | 2", [3]],
  ["| a | b |\n| - | - |\n| 1 | 2 |", []],
  ["a | b\n\n| - | - |", []],
  ["```\n| a | b |\n| - |\n```", []],
])("a table whose second row does not fit is found by its line: %j", (text, lines) => {
  expect(findUndrawnTables(parseMarkdown(text))).toEqual(lines);
});
