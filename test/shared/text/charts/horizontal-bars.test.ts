import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  describeChart,
  nameChart,
  tableOfChart,
  writeChartCsv,
} from "../../../../shared/text/charts/chart-words.ts";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import { formatFigure } from "../../../../shared/text/charts/figures.ts";
import { findMagnitude } from "../../../../shared/text/charts/value-axis.ts";
import { DEEP } from "../../../support/depth.ts";
import { SEED } from "../../../support/fixed-seed.ts";
import { acceptChart } from "./arbitrary-charts.ts";
import { horizontalBlocks } from "./arbitrary-members.ts";
import { expectQuick, expectSound, SIZES } from "./check-drawing.ts";
import { type DrawnElement, listElements, readDrawing } from "./read-drawing.ts";

const CHARTS = DEEP ? 300 : 40;

type Row = Record<string, string | number | null>;

function draw(rows: readonly Row[], size: "wide" | "narrow" = "wide", color = false): DrawnElement[] {
  return listElements(readDrawing(drawChart(readRows(rows, color), { idPrefix: "c", size })));
}

const readRows = (rows: readonly Row[], color = false) => acceptChart(writeBlock(rows, color));

function writeBlock(rows: readonly Row[], color: boolean): string {
  const encoding = {
    x: { field: "n", type: "quantitative", title: "Number" },
    y: { field: "name", type: "nominal", title: "Name" },
    ...(color && { color: { field: "c", type: "nominal" } }),
  };
  return JSON.stringify({ mark: "bar", data: { values: rows }, encoding });
}

const barsOf = (elements: readonly DrawnElement[]) =>
  elements
    .filter(({ name, attributes }) => name === "rect" && attributes.class === undefined)
    .map(({ attributes: { x, y, width, height } }) => ({
      ...{ left: Number(x), right: Number(x) + Number(width) },
      ...{ middle: Number(y) + Number(height) / 2, width: Number(width) },
    }));
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, "");
const textsOf = (elements: readonly DrawnElement[]) =>
  elements
    .filter(({ name }) => name === "text")
    .map(({ text, attributes }) => ({ text: plain(text), attributes }));

test("the drawing has a bar and a figure for each value of the table", () => {
  fc.assert(
    fc.property(horizontalBlocks, (source) => {
      const chart = acceptChart(source);
      if (chart.color !== null) return;
      const elements = listElements(readDrawing(drawChart(chart, { idPrefix: "c" })));
      const values = tableOfChart(chart).rows.flatMap(([, value]) => (value == null ? [] : [Number(value)]));
      const { factor, shift } = findMagnitude(values);
      const texts = textsOf(elements).map(({ text }) => text);
      expect(barsOf(elements)).toHaveLength(values.length);
      expect(texts.slice(texts.length - values.length)).toEqual(
        values.map((value) => formatFigure(value * factor, shift)),
      );
    }),
    { numRuns: CHARTS, seed: SEED },
  );
});

test("bars lie from zero, as long as their values, in the order of the data", () => {
  const bars = barsOf(draw([300, -150, 75].map((n, index) => ({ name: `N${index}`, n }))));
  const [first, second, third] = bars;
  expect(bars).toHaveLength(3);
  expect(second?.right).toBeCloseTo(first?.left ?? 0, 1);
  expect(third?.left).toBeCloseTo(first?.left ?? 0, 1);
  expect((first?.width ?? 0) / (second?.width ?? 1)).toBeCloseTo(2, 1);
  expect((first?.width ?? 0) / (third?.width ?? 1)).toBeCloseTo(4, 1);
  expect(bars.map(({ middle }) => middle)).toEqual(bars.map(({ middle }) => middle).sort((a, b) => a - b));
});

test.each(SIZES)("the figure stands at the end of each bar, %s", (size) => {
  const rows = [1204, -33, 0.5, null, 4_200_000].map((n, index) => ({ name: `N${index}`, n }));
  const texts = textsOf(draw(rows, size));
  const figures = ["1,204", "−33", "0.5", "4.2M"];
  expect(texts.filter(({ text }) => figures.includes(text)).map(({ text }) => text)).toEqual(figures);
  const negative = texts.find(({ text }) => text === "−33");
  expect(negative?.attributes["text-anchor"]).toBe("end");
});

test("a stack ends in its sum on each side of zero", () => {
  const rows = [2, 3, -4].map((n, index) => ({ name: "A", n, c: `g${index}` }));
  const texts = textsOf(
    draw([...rows, { name: "B", n: 0.1, c: "g0" }, { name: "B", n: 0.2, c: "g1" }], "wide", true),
  );
  for (const sum of ["5", "−4", "0.3"]) expect(texts.map(({ text }) => text)).toContain(sum);
});

describe("names", () => {
  const sixty = "No seat although one was reserved and paid for months before";
  test.each(SIZES)("of up to 60 characters are whole in at most three lines, %s", (size) => {
    const wide = ["W", "中", "😀", "க", "⸻"].map((letter) => letter.repeat(60));
    const words = Array(5).fill("W".repeat(11)).join(" ");
    for (const name of [sixty, ...wide, "Mm".repeat(30), words, words.replaceAll("W", "😀")]) {
      const rows = [
        { name, n: 1 },
        { name: "x", n: 2 },
      ];
      expectSound(readRows(rows));
      const elements = draw(rows, size);
      expect(elements.some(({ name: tag, text }) => tag === "title" && plain(text) === name)).toBe(false);
      const lines = textsOf(elements).filter(({ text }) => text.length > 4 && text !== "Number");
      expect(lines.length).toBeLessThanOrEqual(3);
      expect(
        lines
          .map(({ text }) => text)
          .join("")
          .replaceAll(" ", ""),
      ).toBe(name.replaceAll(" ", ""));
    }
  });

  test.each(SIZES)(
    "that are longer end in an ellipsis, and are whole in a title and in the table, %s",
    (size) => {
      const name = `${sixty}!`;
      const rows = [{ name, n: 1 }];
      const elements = draw(rows, size);
      const titles = elements.filter(({ name: tag }) => tag === "title").map(({ text }) => plain(text));
      expect(titles).toContain(name);
      expect(textsOf(elements).some(({ text }) => text.endsWith("…"))).toBe(true);
      expect(tableOfChart(readRows(rows)).rows).toEqual([[name, "1"]]);
    },
  );

  test("stand beside their bars where there is room, above them on a phone where there is not", () => {
    const rows = [{ name: sixty, n: 1 }];
    expect(barsOf(draw(rows, "wide"))[0]?.left).toBeGreaterThan(100);
    expect(barsOf(draw(rows, "narrow"))[0]?.left).toBeLessThan(10);
  });
});

test("the text version, table and CSV put names before values", () => {
  const chart = readRows([
    { name: "A", n: 1.5 },
    { name: "B", n: null },
  ]);
  expect(nameChart(chart)).toBe("Bar chart: \u2068Number\u2069 by \u2068Name\u2069");
  expect(plain(describeChart(chart))).toBe("Bar chart of Number by Name, 2 rows; Number is 1.5.");
  expect(tableOfChart(chart)).toMatchObject({
    caption: "Number by Name",
    rows: [
      ["A", "1.5"],
      ["B", null],
    ],
  });
  expect(writeChartCsv(chart)).toBe("name,n\r\nA,1.5\r\nB,\r\n");
});

test("sixty hostile names in eight groups are drawn within bounds", () => {
  const wide = "\u{1f469}\u200d\u{1f467}W\u202e".repeat(200);
  const rows = Array.from({ length: 480 }, (_, index) => ({
    ...{ name: `${Math.floor(index / 8)}${wide}`, n: index, c: `${index % 8} ${wide}` },
  }));
  expectQuick(writeBlock(rows, true));
});
