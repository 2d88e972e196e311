import { describe, expect, test } from "vitest";
import {
  describeFlowchart,
  renderFlowchartFigure,
} from "../../../../shared/text/flowcharts/render-figure.ts";
import { FLOWCHART_RULES } from "../../../../shared/text/flowcharts/rules.ts";
import type { Flowchart } from "../../../../shared/text/markdown/flowcharts/flowchart.ts";
import { read } from "./read-flowchart.ts";

describe("text version", () => {
  test("tells every node and connection along the flow", () => {
    const body =
      "C[Late]\nA([Start]) --> B{Good?}\nB -->|yes| C\nB -.->|no| A\nC ==> D((End))\nC --- E\nL[Loose]";
    expect(describeFlowchart(read(body))).toEqual([
      "“Loose” stands alone.",
      "“Late” leads by a thick arrow to “End”; is joined with “E”.",
      "“End” ends here.",
      "“E” ends here.",
      "“Start” leads to “Good?”.",
      "Decision “Good?” leads to “Late”, labelled “yes”; leads by a dashed arrow to “Start”, labelled “no”.",
    ]);
  });

  test("tells nodes with the same label or none apart by their ids", () => {
    expect(describeFlowchart(read("a[Step] --> b[Step]\nb --> c[ ]"))).toEqual([
      "“Step” (a) leads to “Step” (b).",
      "“Step” (b) leads to “c” (without text).",
      "“c” (without text) ends here.",
    ]);
  });

  test("stands beside the drawing as escaped text", () => {
    const html = renderFlowchartFigure(read('A["<script>alert(1)</script>"] --> B'), {
      idPrefix: "f1",
      number: 3,
    });
    expect(html).not.toContain("<script");
    expect(html).toContain("<li>“&lt;script&gt;alert(1)&lt;/script&gt;” leads to “B”.</li>");
    expect(html).toContain('aria-label="Flowchart 3"');
    expect(html).toContain("<details><summary>As text</summary><ol>");
  });
});

describe("a flowchart for pages", () => {
  const figureOf = (direction: string, body: string): string => {
    const flowchart = { ...read(body), direction } as Flowchart;
    return renderFlowchartFigure(flowchart, { idPrefix: "f1", number: 1 });
  };
  const drawingsIn = (html: string): string[][] =>
    [...html.matchAll(/<svg [^>]*class="([^"]+)"[\s\S]*?<\/svg>/g)].map(([svg, names = ""]) => [
      ...(names.match(/wide|narrow/g) ?? []),
      /It runs ([a-z ]+)/.exec(svg)?.[1] ?? "",
    ]);

  test.each(["LR", "RL"])("is drawn from top to bottom for phones where %s is too wide", (direction) => {
    const html = figureOf(direction, "A[Read the file] --> B[Count the days] --> C[Compare] --> D[Publish]");
    const way = direction === "LR" ? "from left to right" : "from right to left";
    expect(drawingsIn(html)).toEqual([
      ["wide", way],
      ["narrow", "from top to bottom"],
    ]);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([4, 4]);
    expect(FLOWCHART_RULES).toContain(".flowchart .wide { display: none }");
  });

  test("is drawn once where it fits, where it runs down, and where it would not fit the other way", () => {
    const wide = Array.from({ length: 8 }, (_, index) => `A[Read] --> n${index}[Count the days ${index}]`);
    const dense = Array.from(
      { length: 19 },
      (_, index) => `A[Read the file] --> B${index % 2}[Count the days]`,
    );
    expect(drawingsIn(figureOf("LR", "A --> B"))).toEqual([["from left to right"]]);
    expect(drawingsIn(figureOf("TB", wide.join("\n")))).toEqual([["from top to bottom"]]);
    expect(drawingsIn(figureOf("LR", `${wide.join("\n")}\nn0 --> m[Compare] --> k[Publish]`))).toHaveLength(
      1,
    );
    expect(drawingsIn(figureOf("LR", `${dense.join("\n")}\nB0 --> m[Compare] --> k[Publish]`))).toHaveLength(
      1,
    );
  });
});

test("the rules for the stylesheet ask for nothing from elsewhere", () => {
  expect(FLOWCHART_RULES).not.toMatch(/url\(|@import|expression/);
});
