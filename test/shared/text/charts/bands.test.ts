import { expect, test } from "vitest";
import { describeChart, tableOfChart, writeChartCsv } from "../../../../shared/text/charts/chart-words.ts";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import { renderChartAsText } from "../../../../shared/text/charts/render-chart-figure.ts";
import { acceptChart } from "./arbitrary-charts.ts";
import { listElements, readDrawing } from "./read-drawing.ts";

const bandOf = (values: object[], channels = {}) =>
  acceptChart(
    JSON.stringify({
      mark: "area",
      data: { values },
      encoding: {
        x: { field: "day", type: "temporal" },
        y: { field: "high", type: "quantitative", title: "High (cm)" },
        y2: { field: "low", title: "Low (cm)" },
        ...channels,
      },
    }),
  );

const ROWS = [
  { day: "2026-01-01", high: 640, low: 600, mean: 610 },
  { day: "2026-01-02", high: 660, low: 620, mean: 630 },
  { day: "2026-01-03", high: 650, low: null, mean: null },
  { day: "2026-01-04", high: 655, low: 615, mean: 640 },
];
const WITH_LINE = { line: { field: "mean", title: "Mean" } };

test("a band runs from y2 to y, breaks at a gap, and its scale need not hold zero", () => {
  const elements = listElements(readDrawing(drawChart(bandOf(ROWS), { idPrefix: "c" })));
  const [shape, low, high] = elements.filter(
    ({ name, attributes }) => name === "path" && attributes.class === undefined,
  );
  expect(shape?.attributes.d?.match(/M/g)).toHaveLength(2);
  const heights = (d = "") => Array.from(d.matchAll(/[ML][-\d.]+,([-\d.]+)/g), ([, y]) => Number(y));
  const ticks = new Map(
    elements.flatMap(({ text, attributes: { y } }) => (y ? [[text, Number(y) - 4.5]] : [])),
  );
  expect(ticks.has("0")).toBe(false);
  expect(heights(low?.attributes.d)[0]).toBeCloseTo(ticks.get("600") ?? 0, 1);
  expect(heights(high?.attributes.d)[1]).toBeCloseTo(ticks.get("660") ?? 0, 1);
});

test("description, table and CSV have both ends and the line", () => {
  const chart = bandOf(ROWS, WITH_LINE);
  expect(describeChart(chart).replace(/[\u2068\u2069]/g, "")).toBe(
    "Band chart of Low (cm) to High (cm); line: Mean by day, 4 rows; it runs from 600 to 660.",
  );
  expect(tableOfChart(chart).columns.map(({ name }) => name)).toEqual([
    "day",
    "High (cm)",
    "Low (cm)",
    "Mean",
  ]);
  expect(writeChartCsv(chart)).toBe(
    "day,high,low,mean\r\n2026-01-01,640,600,610\r\n2026-01-02,660,620,630\r\n2026-01-03,650,,\r\n2026-01-04,655,615,640\r\n",
  );
});

test("an end beside a gap is not drawn, and not in the range of the text version", () => {
  const rows = [...ROWS, { day: "2026-01-05", high: 900, low: null, mean: 610 }];
  expect(describeChart(bandOf(rows))).toContain("runs from 600 to 660.");
});

test("the text version names the rows without a value, up to ten and then their number", () => {
  expect(renderChartAsText(bandOf(ROWS, WITH_LINE), 1)).toContain(
    "<p>No value: 2026-01-03.</p>\n<p>No value of Mean: 2026-01-03.</p>",
  );
  const values = Array.from({ length: 14 }, (_, index) => ({
    m: `2026-${String((index % 12) + 1).padStart(2, "0")}`,
    v: index === 0 ? 1 : null,
    place: index < 12 ? "Bremen" : "Ems <1>",
  }));
  const grouped = acceptChart(
    JSON.stringify({
      mark: "line",
      data: { values },
      encoding: {
        x: { field: "m", type: "temporal" },
        y: { field: "v", type: "quantitative" },
        color: { field: "place", type: "nominal" },
      },
    }),
  );
  expect(renderChartAsText(grouped, 1)).toMatch(
    /<p>No value: Bremen, 2026-02; (?:Bremen, [-\d]+; ){9}and 3 more\.<\/p>/,
  );
  expect(renderChartAsText(bandOf(ROWS.slice(0, 2)), 1)).not.toContain("No value");
});

test("the first fifty rows of a table stand open, the others in a part that opens", () => {
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ day: String(1900 + index), high: index, low: -1 }));
  expect(renderChartAsText(bandOf(rowsOf(50)), 2).match(/<details/g)).toHaveLength(1);
  const html = renderChartAsText(bandOf(rowsOf(120)), 2);
  const [open = "", folded = ""] = html.split("<details><summary>Rows 51 to 120</summary>");
  expect([open, folded].map((part) => part.match(/<tr><td>/g)?.length)).toEqual([50, 70]);
  expect(folded).toContain('aria-label="Data of chart 2, rows 51 to 120"');
  expect(renderChartAsText(bandOf(rowsOf(51)), 2)).toContain("<summary>Row 51</summary>");
});
