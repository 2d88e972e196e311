import { expect, test } from "vitest";
import { describeMissing } from "../../../../shared/text/charts/chart-words.ts";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import { stackAreas } from "../../../../shared/text/charts/stack.ts";
import { acceptChart } from "./arbitrary-charts.ts";
import { expectSound } from "./check-drawing.ts";
import { listElements, readDrawing } from "./read-drawing.ts";

type Row = [x: number | string, y: number | null, group: string];

function stack(xType: string, rows: readonly Row[]) {
  const encoding = {
    x: { field: "x", type: xType },
    y: { field: "y", type: "quantitative" },
    color: { field: "c", type: "nominal" },
  };
  const values = rows.map(([x, y, c]) => ({ x, y, c }));
  return acceptChart(JSON.stringify({ mark: "area", data: { values }, encoding }));
}

test.each<[largest: number, drawn: number, exponent: string]>([
  [6, 2e-323, "⁻³²³"],
  [1e308, 3e-115, "⁻¹¹⁴"],
  [5e-324, 3e120, "¹²¹"],
])(
  "beside %d on a gap, which is not drawn, %d has an axis of its own magnitude",
  (onGap, drawn, exponent) => {
    const chart = stack("nominal", [
      ["gap", null, "below"],
      ["gap", onGap, "above"],
      ["first", drawn, "below"],
      ["second", drawn * 3.5, "below"],
    ]);
    expectSound(chart);
    const texts = listElements(readDrawing(drawChart(chart, { idPrefix: "c" }))).map(({ text }) => text);
    expect(texts.filter((text) => text.endsWith(` × 10${exponent}`)).length).toBeGreaterThan(0);
  },
);

test("a layer runs straight between places whose distance is beyond a double", () => {
  const most = Number.MAX_VALUE;
  const chart = stack("quantitative", [
    [-most, 0, "below"],
    [most, 8, "below"],
    [-most / 2, 1, "above"],
    [most / 2, 1, "above"],
  ]);
  expect(stackAreas(chart, 1)[0]?.map((point) => point?.top)).toEqual([0, 2, 6, 8]);
  expectSound(chart);
});

test("a layer between places that are one beside a huge one keeps its value", () => {
  const chart = stack("quantitative", [
    [1e-150, 4, "below"],
    [3e-150, 4, "below"],
    [1e308, 4, "below"],
    [2e-150, 1, "above"],
    [1e308, 1, "above"],
  ]);
  expect(stackAreas(chart, 1)[1]?.map((point) => point?.base)).toEqual([undefined, 4, 4, 4]);
  expectSound(chart);
});

test("a layer between two of the largest values stays below them", () => {
  const chart = stack("nominal", [
    ...["a", "b", "c"].map((x): Row => [x, 1, "below"]),
    ["a", Number.MAX_VALUE, "above"],
    ["c", Number.MAX_VALUE, "above"],
  ]);
  expect(stackAreas(chart, 1e-200)[1]?.map((point) => point?.top)).toEqual(
    Array.from({ length: 3 }, () => Number.MAX_VALUE * 1e-200 + 1e-200),
  );
  expectSound(chart);
});

test("what a stack leaves out above a gap is said", () => {
  const chart = stack("nominal", [
    ["first", null, "below"],
    ["first", 2, "above"],
    ["second", 1, "below"],
    ["second", 3, "above"],
  ]);
  const said = describeMissing(chart).map((text) => text.replace(/[\u2066-\u2069]/g, ""));
  expect(said).toEqual(["No value: below, first.", "Not drawn above a gap: above, first."]);
});
