import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import {
  chooseDomain,
  createValueAxis,
  findExtent,
  findMagnitude,
} from "../../../../shared/text/charts/value-axis.ts";
import { GALLERY_CHARTS } from "../../../gallery/charts.ts";
import { runs } from "../../../support/depth.ts";
import { acceptChart } from "./arbitrary-charts.ts";
import { expectQuick, expectSound } from "./check-drawing.ts";
import { listElements, readDrawing } from "./read-drawing.ts";

test.each(GALLERY_CHARTS)("$name is drawn without a fault", ({ source }) => expectSound(acceptChart(source)));

describe("bars", () => {
  test("are as long as their values, from zero, upwards or downwards", () => {
    const values = fc.array(fc.integer({ min: -10_000, max: 10_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, (ys) => {
        const rows = ys.map((y, index) => ({ x: `label ${index}`, y }));
        const chart = acceptChart(writeBlock("bar", rows));
        const bars = listElements(readDrawing(drawChart(chart, { idPrefix: "c" }))).filter(
          ({ name }) => name === "rect",
        );
        expect(bars).toHaveLength(ys.length);
        const heights = bars.map(({ attributes }) => Number(attributes.height));
        const tops = bars.map(({ attributes }) => Number(attributes.y));
        const largest = Math.max(...ys.map(Math.abs));
        const scale = Math.max(...heights) / Math.max(1, largest);
        const up = ys.findIndex((y) => y >= 0);
        const zero = up === -1 ? (tops[0] ?? 0) : (tops[up] ?? 0) + (heights[up] ?? 0);
        for (const [index, y] of ys.entries()) {
          expect(Math.abs((heights[index] ?? 0) - Math.abs(y) * scale)).toBeLessThan(0.03);
          const from = (tops[index] ?? 0) + (y < 0 ? 0 : (heights[index] ?? 0));
          expect(Math.abs(from - zero)).toBeLessThan(0.03);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("of one category are stacked end to end, negative ones downwards", () => {
    const rows = [3, -2, 5, -4].map((y, index) => ({ x: "A", y, c: `g${index}` }));
    const chart = acceptChart(writeBlock("bar", rows, "c"));
    const root = readDrawing(drawChart(chart, { idPrefix: "c" }));
    const bars = root.children
      .filter(({ attributes }) => attributes.class?.startsWith("g") === true && attributes.class !== "grid")
      .flatMap(({ children }) => children)
      .filter(({ name, attributes }) => name === "rect" && attributes.width !== "14");
    const spans = bars.map(({ attributes }) => [
      Number(attributes.y),
      Number(attributes.y) + Number(attributes.height),
    ]);
    const [first, second, third, fourth] = spans;
    expect(third?.[1]).toBeCloseTo(first?.[0] ?? 0, 1);
    expect(second?.[0]).toBeCloseTo(first?.[1] ?? 0, 1);
    expect(fourth?.[0]).toBeCloseTo(second?.[1] ?? 0, 1);
    const joints = root.children.find(({ attributes }) => attributes.class === "paper")?.attributes.d ?? "";
    const heights = [...joints.matchAll(/M[-\d.]+,([-\d.]+)h/g)].map(([, y]) => Number(y));
    expect(heights).toHaveLength(2);
    expect(heights[0]).toBeCloseTo(third?.[1] ?? 0, 1);
    expect(heights[1]).toBeCloseTo(fourth?.[0] ?? 0, 1);
  });

  test("keep the order of the data", () => {
    const rows = ["pear", "apple", "zebra"].map((x, index) => ({ x, y: index + 1 }));
    const texts = listElements(
      readDrawing(drawChart(acceptChart(writeBlock("bar", rows)), { idPrefix: "c" })),
    );
    const labels = texts.filter(({ name, text }) => name === "text" && /pear|apple|zebra/.test(text));
    const order = labels.toSorted((one, other) => Number(one.attributes.x) - Number(other.attributes.x));
    expect(order.map(({ text }) => text.slice(1, -1))).toEqual(["pear", "apple", "zebra"]);
  });
});

test("ticks of a value axis are evenly spaced round numbers and hold every value between them", () => {
  const bound = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
  fc.assert(
    fc.property(bound, bound, fc.boolean(), (one, other, zero) => {
      const { factor, shift } = findMagnitude([one, other]);
      const extent = findExtent([one * factor, other * factor]);
      const domain = chooseDomain(extent, zero ? Number.POSITIVE_INFINITY : 1);
      const { ticks, place } = createValueAxis(domain, 6, shift);
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
      expect(ticks.length).toBeGreaterThan(1);
      expect(place(domain[0])).toBeGreaterThanOrEqual(-1e-9);
      expect(place(domain[1])).toBeLessThanOrEqual(1 + 1e-9);
      const gap = (ticks[1]?.at ?? 0) - (ticks[0]?.at ?? 0);
      for (const [index, { at }] of ticks.entries())
        expect(Math.abs(at - index * gap - (ticks[0]?.at ?? 0))).toBeLessThan(1e-6);
      for (const { label } of ticks)
        expect(label).toMatch(/^−?[\d,]+(?:\.\d+)?[MBT]?$|^−?\d\.?\d* × 10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+$/);
    }),
    { numRuns: runs(500) },
  );
});

test("a hostile chart is parsed and drawn within bounds", () => {
  const wide = "\u{1f469}\u200d\u{1f467}W\u202e".repeat(12);
  const rows = Array.from({ length: 500 }, (_, index) => ({
    x: `${index}${wide}`,
    y: index,
    c: `${index % 8} ${wide}`,
  }));
  expectQuick(writeBlock("bar", rows, "c"));
});

function writeBlock(mark: string, rows: object[], color?: string): string {
  return JSON.stringify({
    mark,
    data: { values: rows },
    encoding: {
      x: { field: "x", type: "nominal" },
      y: { field: "y", type: "quantitative" },
      ...(color !== undefined && { color: { field: color, type: "nominal" } }),
    },
  });
}
