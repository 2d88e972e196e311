import { describe, expect, test } from "vitest";
import { describeChart, tableOfChart } from "../../../../shared/text/charts/chart-words.ts";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import { renderChartAsText, renderChartFigure } from "../../../../shared/text/charts/render-chart-figure.ts";
import { CHART_RULES } from "../../../../shared/text/stylesheets.ts";
import { CHART_PALETTE } from "../../../../shared/text/theme/tokens.ts";
import { acceptChart } from "./arbitrary-charts.ts";
import { expectSound } from "./check-drawing.ts";
import { listElements, readDrawing } from "./read-drawing.ts";

const HOSTILE = `<script>alert("1")</script>&'`;
const chart = acceptChart(
  JSON.stringify({
    mark: "line",
    title: HOSTILE,
    description: HOSTILE,
    data: {
      values: [
        { a: "2026", b: 1.5, c: HOSTILE },
        { a: "2027-03", b: null, c: "תה" },
      ],
    },
    encoding: {
      x: { field: "a", type: "temporal", title: HOSTILE },
      y: { field: "b", type: "quantitative" },
      color: { field: "c", type: "nominal", title: HOSTILE },
    },
  }),
);

describe("a figure", () => {
  const html = renderChartFigure(chart, { idPrefix: "k7", number: 3 });

  test("shows every text as text", () => {
    expect(html).not.toContain("<script");
    expect(html.split("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;").length).toBeGreaterThan(
      10,
    );
  });

  test("holds drawing, number, description and the data as a table", () => {
    expect(html).toMatch(/^<figure class="chart">\n<svg /);
    expect(html).toContain("<figcaption>Chart 3. ");
    expect(html).toContain("<details><summary>Data as a table</summary>");
    expect(html).toContain('<th scope="col" class="fg">b</th>');
    expect(html).toContain('<tr><td>2027-03</td><td><bdi>תה</bdi></td><td class="blank"></td></tr>');
  });

  test("has no caption where nothing describes it", () => {
    const plain = renderChartFigure({ ...chart, description: null }, { idPrefix: "k7", number: 3 });
    expect(plain).not.toContain("<figcaption>");
    expect(plain).toMatch(/<\/details>\n<\/figure>$/);
    expect(renderChartAsText({ ...chart, description: null }, 3)).not.toContain("<figcaption>");
  });

  test("repeats no id and points to ids that are there", () => {
    const ids = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id ?? "");
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id.startsWith("k7-"))).toBe(true);
    for (const [, labels = ""] of html.matchAll(/aria-labelledby="([^"]+)"/g)) {
      expect(labels.split(" ").every((id) => ids.includes(id))).toBe(true);
    }
    for (const [, id = ""] of html.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(id);
  });
});

describe("the drawing", () => {
  const root = readDrawing(drawChart(chart, { idPrefix: "k7" }));

  test("is an image with a title and a description", () => {
    expect(root.attributes).toMatchObject({ role: "img", "aria-labelledby": "k7-title k7-desc" });
    const [title, description] = root.children;
    expect(title).toMatchObject({ name: "title", text: HOSTILE });
    expect(description?.text).toContain("Line chart of");
    expect(description?.text).toContain("2 rows");
  });

  test("tells its groups by dash and shape as well as by colour", () => {
    const groups = listElements(root).filter(({ attributes }) => /^g\d$/.test(attributes.class ?? ""));
    const dashes = groups
      .flatMap(({ children }) => children)
      .map(({ attributes }) => attributes["stroke-dasharray"]);
    expect(new Set(groups.map(({ attributes }) => attributes.class))).toEqual(new Set(["g1", "g2"]));
    expect(dashes).toContain(CHART_PALETTE[1]?.dash);
  });

  test("keeps the direction of each text within it", () => {
    const labels = listElements(root).filter(({ name, text }) => name === "text" && text.includes("תה"));
    expect(labels.map(({ text }) => text)).toEqual(["\u2068תה\u2069"]);
  });
});

test("the table has x, group and y, and x alone where it is the group too", () => {
  expect(tableOfChart(chart).rows).toEqual([
    ["2026", HOSTILE, "1.5"],
    ["2027-03", "תה", null],
  ]);
  const own = acceptChart(
    '{"mark":"bar","data":{"values":[{"a":"A","b":1}]},"encoding":{"x":{"field":"a","type":"nominal"},"y":{"field":"b","type":"quantitative"},"color":{"field":"a","type":"nominal"}}}',
  );
  expect(tableOfChart(own)).toMatchObject({ caption: "b by a", rows: [["A", "1"]] });
});

test("words have the digits that a double loses, in their exact order", () => {
  const values = ["9007199254740993", "9007199254740992", "12345678901234567890"];
  const rows = values.map((value, index) => `{"a":"N${index}","b":${value}}`);
  const long = acceptChart(
    `{"mark":"point","data":{"values":[${rows}]},"encoding":{"x":{"field":"a","type":"nominal"},"y":{"field":"b","type":"quantitative"}}}`,
  );
  expect(describeChart(long)).toContain("runs from 9007199254740992 to 12345678901234567890.");
  const tips = listElements(readDrawing(drawChart(long, { idPrefix: "k" }))).map(({ text }) => text);
  for (const value of values) expect(tips.some((text) => text.endsWith(`: ${value}`))).toBe(true);
});

describe("groups are named", () => {
  const draw = (mark: string, name: string, lastGroup: string) => {
    const rows = ["2024", "2025", "2026"].flatMap((x, at) => [
      { x, y: 3 + at, c: name },
      ...(at === 2 && lastGroup === "" ? [] : [{ x, y: 9 - at, c: "Other" }]),
    ]);
    const source = {
      mark,
      data: { values: rows },
      encoding: {
        x: { field: "x", type: "temporal" },
        y: { field: "y", type: "quantitative" },
        color: { field: "c", type: "nominal", title: "Kind" },
      },
    };
    const elements = listElements(
      readDrawing(drawChart(acceptChart(JSON.stringify(source)), { idPrefix: "k" })),
    );
    const texts = elements.filter((one) => one.name === "text");
    const lines = elements.filter((one) => one.name === "line" && one.attributes.y1 === one.attributes.y2);
    const find = (text: string) => texts.find((one) => one.text.includes(text))?.attributes;
    return {
      label: find(name),
      hasLegend: find("Kind") !== undefined,
      right: Number(lines[0]?.attributes.x2),
    };
  };

  test.each(["line", "area", "bar"])("beside the right end of each %s, and without a legend", (mark) => {
    const { label, hasLegend, right } = draw(mark, "Wind", "Other");
    expect(hasLegend).toBe(false);
    expect(Number(label?.x)).toBeGreaterThan(right);
  });

  test.each([
    ["points end nowhere", "point", "Wind", "Other"],
    ["a name is long", "line", "The wind that blows from the north over the sea", "Other"],
    ["a group ends early", "line", "Wind", ""],
    ["the last bar is without a group", "bar", "Wind", ""],
  ])("in a legend where %s", (_, mark, name, lastGroup) => {
    expect(draw(mark, name, lastGroup).hasLegend).toBe(true);
  });

  test("in a narrow legend to the end of long names, which may be alike before it", () => {
    const name = "Federal Ministry for Economic Cooperation and Development, division";
    const values = ["A", "B"].flatMap((c) => [1, 2].map((x) => ({ x, y: 1, c: `${name} ${c}` })));
    const encoding = {
      x: { field: "x", type: "quantitative" },
      y: { field: "y", type: "quantitative" },
      color: { field: "c", type: "nominal" },
    };
    const long = acceptChart(JSON.stringify({ mark: "line", data: { values }, encoding }));
    expectSound(long);
    const elements = listElements(readDrawing(drawChart(long, { idPrefix: "k", size: "narrow" })));
    const texts = elements.filter((one) => one.name === "text").map(({ text }) => text);
    for (const end of ["division A", "division B"])
      expect(texts.some((text) => text.includes(end))).toBe(true);
  });
});

test("hatches lie over the colours of stacked marks, and show only where colours may not be told apart", () => {
  const own = acceptChart(
    '{"mark":"bar","data":{"values":[{"a":"A","b":1,"c":"x"},{"a":"A","b":2,"c":"y"}]},"encoding":{"x":{"field":"a","type":"nominal"},"y":{"field":"b","type":"quantitative"},"color":{"field":"c","type":"nominal"}}}',
  );
  const patterns = listElements(readDrawing(drawChart(own, { idPrefix: "k" }))).filter(
    ({ name }) => name === "pattern",
  );
  const [ground, hatch] = patterns[0]?.children ?? [];
  expect([ground?.name, ground?.attributes.fill]).toEqual(["rect", "currentColor"]);
  expect(hatch?.attributes.class).toBe("paper hatch");
  expect(CHART_RULES).toContain(".chart .hatch { display: none }");
  expect(CHART_RULES).toMatch(
    /@media print,\(prefers-contrast:more\),\(forced-colors:active\) \{\n\.chart \.hatch \{ display: inline \}/,
  );
});

test("the rules give each group its colour, a dark one on dark screens alone: paper is light", () => {
  const [always = "", dark = ""] = CHART_RULES.split("@media screen and (prefers-color-scheme:dark)");
  for (const [index, { color }] of CHART_PALETTE.entries()) {
    expect(always).toContain(`.chart .g${index + 1}{color:${color.light}}`);
    expect(dark).toContain(`.chart .g${index + 1}{color:${color.dark}}`);
  }
});
