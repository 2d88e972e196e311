import { describe, expect, test } from "vitest";
import { describeChart, tableOfChart } from "../../../../shared/text/charts/chart-words.ts";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import { formatFigure } from "../../../../shared/text/charts/figures.ts";
import { acceptChart } from "./arbitrary-charts.ts";
import { listElements, readDrawing } from "./read-drawing.ts";

const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, "");

const numbers = (...xs: number[]) => `[${xs.map((a) => `{"a":${a},"b":1}`)}]`;

/** The texts of a chart of points by their values, and where the points lie from the left. */
function draw(ys: readonly number[], { y = {}, x = {} }: { y?: object; x?: object }) {
  const chart = acceptChart(
    JSON.stringify({
      mark: "point",
      data: { values: ys.map((b, a) => ({ a: a + 1, b })) },
      encoding: {
        x: { field: "a", type: "quantitative", ...x },
        y: { field: "b", type: "quantitative", title: "Height", ...y },
      },
    }),
  );
  const elements = listElements(readDrawing(drawChart(chart, { idPrefix: "c" })));
  const texts = elements.filter(({ name }) => name === "text").map(({ text }) => plain(text));
  const points = elements
    .filter(({ name }) => name === "circle")
    .map(({ attributes }) => Number(attributes.cy));
  const tips = elements.filter(({ name }) => name === "title").map(({ text }) => plain(text));
  return { chart, texts, points, tips, described: plain(describeChart(chart)) };
}

describe("a log scale", () => {
  test("puts equal ratios at equal distances, and says what it is", () => {
    const { points, texts, described } = draw([1, 10, 100, 1000], { y: { scale: { type: "log" } } });
    const [a = 0, b = 0, c = 0, d = 0] = points;
    expect([b - c, c - d].map((step) => step.toFixed(1))).toEqual([(a - b).toFixed(1), (a - b).toFixed(1)]);
    expect(texts).toEqual(expect.arrayContaining(["Height (log scale)", "1", "10", "100", "1,000"]));
    expect(described).toContain("of Height (log scale) by");
  });

  test.each([
    [
      [23, 78],
      ["20", "50", "100"],
    ],
    [
      [3, 2e6],
      ["1", "100", "10,000", "1M"],
    ],
    [[5e-324, 1.7e308], []],
    [
      [7, 7],
      ["5", "10"],
    ],
  ])("over %j has round ticks", (ys, ticks) => {
    const { texts } = draw(ys, { y: { scale: { type: "log" } } });
    for (const tick of ticks) expect(texts).toContain(tick);
    expect(texts.filter((text) => /\d/.test(text)).length).toBeGreaterThan(3);
  });

  test("has no tick that its format writes as 0", () => {
    const { texts } = draw([0.004, 1, 30], { y: { scale: { type: "log" }, axis: { format: ".0f" } } });
    expect(texts).toEqual(expect.arrayContaining(["0.001", "0.01", "1"]));
    expect(texts).not.toContain("0");
  });

  test("in a domain without a round number has even ticks", () => {
    const { texts } = draw([3.1, 3.2], { y: { scale: { type: "log", domain: [3.05, 3.45] } } });
    expect(texts).toEqual(expect.arrayContaining(["3.2", "3.4"]));
  });
});

describe("a domain", () => {
  test("is the axis, to both ends", () => {
    const { points } = draw([0, 10, 20], { y: { scale: { domain: [0, 40] } } });
    const [zero = 0, , twenty = 0] = points;
    expect(zero - twenty).toBeCloseTo(140, 0);
  });

  test("zero: false leaves zero out, true takes it in", () => {
    expect(draw([10, 30], { y: { scale: { zero: false } } }).texts).not.toContain("0");
    expect(draw([100, 101], { y: { scale: { zero: true } } }).texts).toContain("0");
  });
});

describe("an axis", () => {
  test("has its format at ticks and marks and its unit once, and the table keeps the data", () => {
    const { texts, tips, described, chart } = draw([0.125, 0.5], {
      y: { axis: { format: ".0%", unit: "of all" } },
    });
    expect(texts.filter((text) => text.includes("of all"))).toEqual(["Height (of all)"]);
    expect(texts).toContain("40%");
    expect(tips).toEqual(expect.arrayContaining(["1: 13% of all", "2: 50% of all"]));
    expect(described).toContain("runs from 13% of all to 50% of all");
    expect(tableOfChart(chart).rows).toEqual([
      ["1", "0.125"],
      ["2", "0.5"],
    ]);
  });

  test("is described without a format that writes its two ends alike", () => {
    const { described, texts } = draw([0.004, 0.0041], { y: { axis: { format: ".0%", unit: "of all" } } });
    expect(described).toContain("runs from 0.004 of all to 0.0041 of all");
    expect(texts).toContain("0.00405");
  });

  test("never labels a tick with what it is not", () => {
    const { texts } = draw([0.1, 0.4], { y: { axis: { format: "d" } } });
    expect(texts.filter((text) => /^0\.\d$/.test(text)).length).toBeGreaterThan(0);
  });

  test.each([
    [numbers(2016, 2018), ["2016", "2018"]],
    [numbers(2016, 20_018), ["5,000", "20,000"]],
  ])("across %s reads as years do where all are years", (values, ticks) => {
    const encoding = `{"x":{"field":"a","type":"quantitative"},"y":{"field":"b","type":"quantitative"}}`;
    const chart = acceptChart(`{"mark":"line","data":{"values":${values}},"encoding":${encoding}}`);
    const elements = listElements(readDrawing(drawChart(chart, { idPrefix: "c" })));
    const texts = elements.filter(({ name }) => name === "text").map(({ text }) => plain(text));
    expect(texts).toEqual(expect.arrayContaining(ticks));
  });

  test("never rounds a tick of thousands elsewhere", () => {
    const { texts } = draw([956, 1044], { y: { axis: { format: ".2s" } } });
    expect(texts).not.toContain("1.1k");
  });

  test("has two ticks where its format has too few digits for them", () => {
    const { texts } = draw([999_490, 1_000_078], { y: { axis: { format: ".2s" } } });
    expect(texts).toEqual(expect.arrayContaining(["999,000", "1,000,000", "1,001,000"]));
  });

  test.each([
    [",.1f", 1234.56, "1,234.6"],
    ["d", 1234.5, "1235"],
    [",", 1234567, "1,234,567"],
    ["%", 0.1234, "12.34%"],
    ["~s", 1500, "1.5k"],
    ["s", 1500, "1.5k"],
    [".2s", 1234567, "1.2M"],
    [".1f", -0.5, "−0.5"],
    ["f", 1e300, "1 × 10³⁰⁰"],
  ])("%s writes %d as %s", (format, value, text) => expect(formatFigure(value, 0, format)).toBe(text));
});
