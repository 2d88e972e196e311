import { expect, test } from "vitest";
import { findMarkdownProblems, readPlace } from "../../../../shared/text/markdown/find-problems.ts";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";

test("the place of each problem of a text is read back from its sentence", () => {
  const chart = '```chart\n{"mark": "bar"}\n```\n';
  const text = `Up.\n\n${chart}\n${chart}\n\`\`\`mermaid\nflowchart LR\n  A -->\n\`\`\`\n<b>no</b>\n`;
  const problems = findMarkdownProblems(parseMarkdown(text));
  const places = problems.map(({ line, message }) => ({ ...readPlace(message), told: line }));
  expect(places.map(({ line, told }) => line === told)).toEqual(places.map(() => true));
  expect(new Set(places.map(({ line, block }) => `${line} ${block}`))).toEqual(
    new Set(["3 1", "7 2", "14 1", "15 null"]),
  );
});

test("a sentence of no place has none", () => {
  expect(readPlace("The title is required.")).toEqual({ line: null, block: null });
  expect(readPlace("See Chart 2 (line 41): no")).toEqual({ line: null, block: null });
  expect(readPlace("Chart 3: data.from names no file.")).toEqual({ line: null, block: 3 });
});
