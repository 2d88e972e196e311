import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { ATTRIBUTES, ELEMENTS } from "../../../../shared/text/drawing/svg.ts";
import { drawFlowchart } from "../../../../shared/text/flowcharts/draw-flowchart.ts";
import { renderFlowchartFigure } from "../../../../shared/text/flowcharts/render-figure.ts";
import { FLOWCHART_RULES, leastWidthClass } from "../../../../shared/text/flowcharts/rules.ts";
import { parseFlowchart } from "../../../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { runs } from "../../../support/depth.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../support/growth.ts";
import { FLOWCHART_TEXT, MUTATED_TEXT } from "../markdown/flowcharts/random-text.ts";
import { anyFlowchart } from "./generate.ts";
import { read } from "./read-flowchart.ts";

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
  test("is XML with listed elements and attributes, whatever the labels hold", { timeout: 240_000 }, () => {
    fc.assert(
      fc.property(SMALL, (flowchart) => {
        const svg = drawFlowchart(flowchart, { idPrefix: "p" });
        expect(XMLValidator.validate(svg)).toBe(true);
        const { elements, attributes } = listNames(parser.parse(svg) as XmlNode[]);
        for (const element of elements) expect(ELEMENTS.some((known) => known === element)).toBe(true);
        for (const attribute of attributes)
          expect(ATTRIBUTES.some((known) => known === attribute)).toBe(true);
        expect([...attributes].filter((name) => name === "style" || name.startsWith("on"))).toEqual([]);
        expect(svg).not.toMatch(/url\(|NaN|Infinity|undefined/);
      }),
      { numRuns: runs(2_000), seed: 7 },
    );
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
  test(`${2 * TEXTS} texts, good and changed, are drawn or refused`, { timeout: 360_000 }, () => {
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
