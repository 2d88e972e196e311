import fc from "fast-check";
import { expect, test } from "vitest";
import { describeChart, tableOfChart, writeChartCsv } from "../../../../shared/text/charts/chart-words.ts";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import { renderChartFigure } from "../../../../shared/text/charts/render-chart-figure.ts";
import type { Chart } from "../../../../shared/text/markdown/charts/chart.ts";
import { GALLERY_CHARTS } from "../../../gallery/charts.ts";
import { runs } from "../../../support/depth.ts";
import { SEED } from "../../../support/fixed-seed.ts";
import { withMembers } from "./arbitrary-additions.ts";
import { acceptChart, extremeBlocks, largeBlocks, smallBlocks } from "./arbitrary-charts.ts";
import { horizontalBlocks } from "./arbitrary-members.ts";
import { expectQuick, expectSound, SIZES } from "./check-drawing.ts";
import { type DrawnElement, findCorners, listElements, measureOverlap, readDrawing } from "./read-drawing.ts";

const CHARTS = runs(300);
const WORD = "zzq";

test(`${CHARTS} charts with bands, facets and annotations are drawn as allow-listed XML, with no texts overlapping or outside the frame`, () => {
  const blocks = fc.oneof(smallBlocks, horizontalBlocks, extremeBlocks, largeBlocks);
  fc.assert(
    fc.property(withMembers(blocks), (source) => {
      const chart = acceptChart(source);
      expectSound(chart);
      expectAgreement(chart);
    }),
    { numRuns: CHARTS, seed: SEED, endOnFailure: true },
  );
}, 240_000);

/** Every annotation is in the words, and in each drawing or below it; the table has every row, the CSV its columns. */
function expectAgreement(chart: Chart): void {
  const words = describeChart(chart);
  for (const { label } of chart.annotations) expect(words).toContain(label);
  const { fields, rows } = tableOfChart(chart);
  expect(rows).toHaveLength(chart.rows.length);
  for (const field of [chart.y2, chart.line, chart.facet])
    if (field !== null) expect(fields).toContain(field.field);
  expect(writeChartCsv(chart).startsWith(fields[0] ?? "")).toBe(true);
  expect(renderChartFigure(chart, { idPrefix: "k", number: 1 })).not.toMatch(/<script| style=/);
}

test(`no label of ${CHARTS} annotated charts lies on a line, a mark or an axis`, () => {
  const blocks = withMembers(fc.oneof(smallBlocks, horizontalBlocks, largeBlocks)).map((source) => {
    const block = JSON.parse(source);
    for (const [index, one] of (block.annotations ?? []).entries()) {
      one.label = Array.from({ length: 1 + (one.label.length % 16) + (index % 3) }, () => WORD).join(" ");
    }
    return JSON.stringify(block);
  });
  let seen = 0;
  fc.assert(
    fc.property(blocks, (source) => {
      const chart = acceptChart(source);
      for (const size of SIZES) seen += expectClear(drawChart(chart, { idPrefix: "c", size }));
    }),
    { numRuns: CHARTS, seed: SEED, endOnFailure: true },
  );
  expect(seen).toBeGreaterThan(CHARTS);
}, 240_000);

test.each(GALLERY_CHARTS.filter(({ name }) => /^(?:annotations|facets)/.test(name)))(
  "$name: every annotation is named in the drawing or below it",
  ({ source }) => {
    const chart = acceptChart(source);
    for (const size of SIZES) {
      const svg = drawChart(chart, { idPrefix: "c", size });
      const texts = listElements(readDrawing(svg)).filter(({ name }) => name === "text");
      const words = texts.map(({ text }) => text.slice(1, -1)).join(" ");
      for (const { label } of chart.annotations) expect(words).toContain(label);
    }
  },
);

/** Throws where a label of an annotation touches what is drawn; tells how many there are. */
function expectClear(svg: string): number {
  const elements = listElements(readDrawing(svg));
  const labels = elements.filter(
    ({ name, text }) => name === "text" && /^\u2068(?:zzq ?)+\u2069$|^\u2068\(\d+\)\u2069$/.test(text),
  );
  const shapes = elements.flatMap(listShapes);
  for (const label of labels) {
    const corners = findCorners(label);
    for (const shape of shapes) {
      const overlap = measureOverlap(corners, shape);
      if (overlap > 0.5) throw new Error(`${label.text} lies on ${JSON.stringify(shape)} by ${overlap} px`);
    }
  }
  return labels.length;
}

type Corners = [x: number, y: number][];

/** Strokes, bars and points, each as a convex shape; bands that are annotations and fills of areas have none. */
function listShapes(element: DrawnElement): Corners[] {
  const { name, attributes, shiftPx } = element;
  const at = (attribute: string) => Number(attributes[attribute] ?? 0);
  const box = (x: number, y: number, width: number, height: number): Corners => [
    [x + shiftPx, y],
    [x + shiftPx + width, y],
    [x + shiftPx + width, y + height],
    [x + shiftPx, y + height],
  ];
  if (name === "line")
    return [
      [
        [at("x1") + shiftPx, at("y1")],
        [at("x2") + shiftPx, at("y2")],
      ],
    ];
  if (name === "circle") return [box(at("cx") - at("r"), at("cy") - at("r"), 2 * at("r"), 2 * at("r"))];
  if (name === "rect" && attributes.class === undefined && attributes.width !== "8")
    return [box(at("x"), at("y"), at("width"), at("height"))];
  if (name !== "path" || attributes.fill !== "none" || attributes.transform !== undefined) return [];
  return (attributes.d ?? "").split("M").flatMap((run) => {
    const points = Array.from(run.matchAll(/([-\d.e]+),([-\d.e]+)/g), ([, x, y]): [number, number] => [
      Number(x) + shiftPx,
      Number(y),
    ]);
    return points.slice(1).map((point, index): Corners => [points[index] ?? point, point]);
  });
}

test.each([
  ["bar", true],
  ["line", false],
])("a rule over the marks of a %s chart has paper under it: %s", (mark, hasPaper) => {
  const chart = acceptChart(
    JSON.stringify({
      mark,
      data: { values: [{ x: "A", y: 3 }] },
      encoding: { x: { field: "x", type: "nominal" }, y: { field: "y", type: "quantitative" } },
      annotations: [{ rule: { y: 2 }, label: "Limit" }],
    }),
  );
  const lines = listElements(readDrawing(drawChart(chart, { idPrefix: "c" }))).filter(
    ({ name }) => name === "line",
  );
  const rule = lines.find(({ attributes }) => attributes["stroke-dasharray"] === "5 4")?.attributes;
  const paper = lines.find(({ attributes }) => attributes.class === "paper")?.attributes;
  expect(paper && [paper.x1, paper.x2, paper.y1]).toEqual(
    hasPaper ? [rule?.x1, rule?.x2, rule?.y1] : undefined,
  );
});

test("a rule through a name's bar shows no piece between the bar and its figure, where it would be a minus sign", () => {
  const chart = acceptChart(
    JSON.stringify({
      mark: "bar",
      data: { values: [9, -7, 20].map((x) => ({ x, y: `N${x}` })) },
      encoding: { x: { field: "x", type: "quantitative" }, y: { field: "y", type: "nominal" } },
      annotations: [9, -7].map((x) => ({ rule: { y: `N${x}` }, label: "Capital" })),
    }),
  );
  const elements = listElements(readDrawing(drawChart(chart, { idPrefix: "c" })));
  const rects = elements.filter(({ name }) => name === "rect").map(({ attributes }) => attributes);
  const ends = rects
    .filter((rect) => rect.class === undefined)
    .flatMap(({ x, width }) => [Number(x), Number(x) + Number(width)]);
  const gaps = rects.filter((rect) => rect.class === "paper" && rect.width === "5").map(({ x }) => Number(x));
  expect(gaps).toHaveLength(3);
  for (const x of gaps)
    expect(ends.some((end) => Math.min(Math.abs(end - x), Math.abs(end - x - 5)) < 0.1)).toBe(true);
});

test("a hostile chart of 500 rows in 24 facets with ten long annotations is parsed and drawn within bounds", () => {
  const source = JSON.stringify({
    mark: "line",
    data: {
      values: Array.from({ length: 500 }, (_, index) => ({
        x: Math.sin(index) * 1e9,
        y: Math.cos(index * 7) * 1e9,
        c: `${index % 8} 👩‍👧W\u202e`.repeat(9),
        f: `${index % 24} 👩‍👧W\u202e`.repeat(12),
      })),
    },
    encoding: {
      x: { field: "x", type: "quantitative" },
      y: { field: "y", type: "quantitative" },
      color: { field: "c", type: "nominal" },
      facet: { field: "f", type: "nominal" },
    },
    annotations: Array.from({ length: 10 }, (_, index) => ({
      point: { x: index * 1e7, y: 1e8 },
      label: `${index} long words `.repeat(9).slice(0, 80),
    })),
  });
  expectQuick(source);
});
