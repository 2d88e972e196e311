import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { describeFlowchart } from "../../../../../shared/core/draw/flowcharts/describe-flowchart.ts";
import { drawFlowchart } from "../../../../../shared/core/draw/flowcharts/draw-flowchart.ts";
import { renderFlowchartFigure } from "../../../../../shared/core/draw/flowcharts/render-figure.ts";
import { FLOWCHART_RULES, leastWidthClass } from "../../../../../shared/core/draw/flowcharts/rules.ts";
import { SVG_ALLOWED } from "../../../../../shared/core/draw/svg.ts";
import type { Flowchart } from "../../../../../shared/core/markdown/flowcharts/flowchart.ts";
import { parseFlowchart } from "../../../../../shared/core/markdown/flowcharts/parse-flowchart.ts";
import { runs } from "../../../../support/depth.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../../support/growth.ts";
import { FLOWCHART_TEXT, MUTATED_TEXT } from "../../markdown/flowcharts/random-text.ts";
import { anyFlowchart } from "./generate.ts";

function read(body: string): Flowchart {
  const verdict = parseFlowchart(`flowchart TD\n${body}`);
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.problems));
  return verdict.flowchart;
}

const draw = (body: string): string => drawFlowchart(read(body), { idPrefix: "f1" });
const SMALL = anyFlowchart({ leastNodes: 1, mostNodes: 12, leastConnections: 0, mostConnections: 16 });
const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "", preserveOrder: true });

interface XmlNode {
  [name: string]: unknown;
  ":@"?: Record<string, string>;
}

/** Names of elements and attributes, and what else stands in a drawing. */
function listNames(nodes: XmlNode[], names = { elements: new Set<string>(), attributes: new Set<string>() }) {
  for (const node of nodes) {
    for (const attribute of Object.keys(node[":@"] ?? {})) names.attributes.add(attribute);
    for (const [name, children] of Object.entries(node)) {
      if (name === ":@" || name === "#text") continue;
      names.elements.add(name);
      listNames(children as XmlNode[], names);
    }
  }
  return names;
}

describe("SVG", () => {
  test("is XML with listed elements and attributes, whatever the labels hold", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(SMALL, (flowchart) => {
        const svg = drawFlowchart(flowchart, { idPrefix: "p" });
        expect(XMLValidator.validate(svg)).toBe(true);
        const { elements, attributes } = listNames(parser.parse(svg) as XmlNode[]);
        for (const element of elements) expect(SVG_ALLOWED.elements.has(element)).toBe(true);
        for (const attribute of attributes) expect(SVG_ALLOWED.attributes.has(attribute)).toBe(true);
        expect([...attributes].filter((name) => name === "style" || name.startsWith("on"))).toEqual([]);
        expect(svg).not.toMatch(/url\(|NaN|Infinity|undefined/);
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  test("is the same for the same flowchart, to the byte", () => {
    const flowcharts = fc.sample(SMALL, { numRuns: 40, seed: 8 });
    const first = flowcharts.map((flowchart) => drawFlowchart(flowchart, { idPrefix: "p" }));
    const again = flowcharts
      .toReversed()
      .map((flowchart) => drawFlowchart(structuredClone(flowchart), { idPrefix: "p" }));
    expect(again.toReversed()).toEqual(first);
  });

  test("names itself, and every id carries the prefix", () => {
    const svg = draw("A --> B");
    expect(svg).toContain('role="img"');
    expect(svg).toContain('aria-labelledby="f1-title f1-desc"');
    expect(svg).toContain('<title id="f1-title">Flowchart: 2 nodes, 1 connection</title>');
    expect([...svg.matchAll(/ id="([^"]*)"/g)].every(([, id]) => id?.startsWith("f1-"))).toBe(true);
  });

  test("tells the lines apart by dash and weight, and draws a head only where there is one", () => {
    const svg = draw("A --> B\nA --- C\nA -.-> D\nA ==> E");
    expect(svg.match(/<polygon class="(solid|dashed|thick)"/g)).toHaveLength(3);
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(1);
    expect(svg).toContain('class="thick"');
  });

  test("has a direction: what follows lies below, above, right or left", () => {
    const placeOf = (direction: string) => {
      const verdict = parseFlowchart(`flowchart ${direction}\nA --> B`);
      const svg = verdict.ok ? drawFlowchart(verdict.flowchart, { idPrefix: "p" }) : "";
      const [a, b] = [...svg.matchAll(/<tspan x="([\d.]+)" y="([\d.]+)"/g)].map(([, x, y]) => [
        Number(x),
        Number(y),
      ]);
      return [Math.sign((b?.[0] ?? 0) - (a?.[0] ?? 0)), Math.sign((b?.[1] ?? 0) - (a?.[1] ?? 0))];
    };
    expect(["TB", "TD", "BT", "LR", "RL"].map(placeOf)).toEqual([
      [0, 1],
      [0, 1],
      [0, -1],
      [1, 0],
      [-1, 0],
    ]);
  });

  test("keeps neighbours in the order of the text", () => {
    const svg = draw("S --> A\nS --> B\nS --> C\nS --> D");
    const across = [...svg.matchAll(/<tspan x="([\d.]+)"[^>]*>([ABCD])</g)].toSorted(
      (one, other) => Number(one[1]) - Number(other[1]),
    );
    expect(across.map(([, , label]) => label)).toEqual(["A", "B", "C", "D"]);
  });

  test("isolates texts whose direction can reach further, and leaves the others plain", () => {
    expect(draw('A["שלום, עולם!"]')).toMatch(/>\u2068שלום, עולם!\u2069</);
    expect(draw("A[plain]")).toContain(">plain<");
  });

  test("may shrink only as far as its text can be read, by a class of the stylesheet", () => {
    const widths = [
      ...draw(Array.from({ length: 12 }, (_, index) => `S --> t${index}`).join("\n")).matchAll(
        /class="(w-[a-z\d]+)"/g,
      ),
    ];
    expect(widths).toHaveLength(1);
    expect(FLOWCHART_RULES).toContain(`.${widths[0]?.[1]}{min-width:`);
    expect(draw("A --> B")).toContain('class="w-any"');
    // Up to 704 px a flowchart takes the column beside a story's facts, and does not scroll.
    expect([795, 815, 830, 900].map(leastWidthClass)).toEqual(["w-680", "w-700", "w-720", "w-800"]);
  });
});

const TEXTS = runs(1_000);

describe("whatever the grammar accepts is drawn", () => {
  test(`${2 * TEXTS} texts, good and changed, are drawn or refused`, { timeout: 120_000 }, () => {
    const texts = [
      ...fc.sample(FLOWCHART_TEXT, { numRuns: TEXTS, seed: 9 }),
      ...fc.sample(MUTATED_TEXT, { numRuns: TEXTS, seed: 10 }),
    ];
    let drawn = 0;
    for (const text of texts) {
      const verdict = parseFlowchart(text);
      if (!verdict.ok) continue;
      expect(renderFlowchartFigure(verdict.flowchart, { idPrefix: "p", number: 1 })).toMatch(
        /^<figure[\s\S]*<\/figure>$/,
      );
      drawn += 1;
    }
    expect(drawn).toBeGreaterThan(0.7 * TEXTS);
  });

  test.each([
    ["one word of 95,000 letters", `A["${"w".repeat(95_000)}"]`],
    ["95,000 ideographs", `A["${"字".repeat(95_000)}"]`],
    ["95,000 letters without width", `A["${"\u200b".repeat(95_000)}"]`],
    ["19,000 breaks", `A["${"a<br>".repeat(19_000)}"]`],
    [
      "a chain with fifty shortcuts",
      [...chain(), ...Array.from({ length: 51 }, () => "n0 --> n49")].join("\n"),
    ],
    [
      "a chain with nested shortcuts",
      [
        ...chain(),
        ...Array.from({ length: 51 }, (_, index) => `n${index % 24} --> n${49 - (index % 24)}`),
      ].join("\n"),
    ],
    [
      "a chain with ways back",
      [
        ...chain(),
        ...Array.from({ length: 51 }, (_, index) => `n${49 - (index % 10)} -->|back| n${index % 7}`),
      ].join("\n"),
    ],
    ["a hundred loops", "A -->|x| A\n".repeat(100)],
    ["a hundred parallels", "A -->|x| B\n".repeat(100)],
    [
      "fifteen nodes, all joined",
      Array.from({ length: 100 }, (_, index) => `n${index % 15} --> n${(index * 7 + 1) % 15}`).join("\n"),
    ],
  ])("%s in bounded time", (_, body) => {
    const flowchart = read(body);
    expect(leastCpuMs(() => void drawFlowchart(flowchart, { idPrefix: "p" }))).toBeLessThan(GROWTH_BOUND_MS);
  });
});

function chain(): string[] {
  return Array.from({ length: 49 }, (_, index) => `n${index} --> n${index + 1}`);
}

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
