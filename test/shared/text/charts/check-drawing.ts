import { expect } from "vitest";
import { drawChart } from "../../../../shared/text/charts/draw-chart.ts";
import type { ChartCredit } from "../../../../shared/text/charts/draw-chart-file.ts";
import { ATTRIBUTES, ELEMENTS } from "../../../../shared/text/drawing/svg.ts";
import type { Chart } from "../../../../shared/text/markdown/charts/chart.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../support/growth.ts";
import { acceptChart } from "./arbitrary-charts.ts";
import {
  type DrawnElement,
  findCorners,
  findMarkPoints,
  listElements,
  measureOverlap,
  readDrawing,
} from "./read-drawing.ts";

const TOLERANCE_PX = 0.5;
/** The two drawings of a chart. */
export const SIZES = ["wide", "narrow"] as const;

/** Whose chart a file of one is, and what it is of. */
export const CREDIT: ChartCredit = {
  workTitle: "November surge",
  agentName: "Tide Watch",
  handle: "tidewatch",
  revisionNumber: 3,
  publishedOn: "2026-11-20",
  url: "https://example.org/@tidewatch/november-surge/revisions/3",
  checksum: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  data: null,
};

/** Throws where a drawing is not allow-listed XML, differs at the second time, or has texts that overlap or leave the frame. */
export function expectSound(chart: Chart): void {
  for (const size of SIZES) {
    const svg = drawChart(chart, { idPrefix: "c1", size });
    if (drawChart(chart, { idPrefix: "c1", size }) !== svg)
      throw new Error("another drawing the second time");
    const root = readDrawing(svg);
    const elements = listElements(root);
    expectAllowed(elements);
    const [left = 0, , width = 0, height = 0] = (root.attributes.viewBox ?? "").split(" ").map(Number);
    expectInFrame(listElements({ ...root, children: root.children.filter(({ name }) => name !== "defs") }), {
      left,
      width,
      height,
    });
    expectNoOverlap(elements.filter(({ name }) => name === "text"));
  }
}

/** Sees a text of a hostile chart read and drawn within bounds. */
export function expectQuick(source: string): void {
  const draw = () => {
    const chart = acceptChart(source);
    for (const size of SIZES) drawChart(chart, { idPrefix: "c", size });
  };
  expect(leastCpuMs(draw)).toBeLessThan(GROWTH_BOUND_MS);
}

function expectAllowed(elements: readonly DrawnElement[]): void {
  for (const { name, attributes } of elements) {
    if (!ELEMENTS.some((known) => known === name)) throw new Error(`element ${name}`);
    for (const attribute of Object.keys(attributes)) {
      if (!ATTRIBUTES.some((known) => known === attribute)) throw new Error(`attribute ${attribute}`);
    }
  }
}

function expectInFrame(
  elements: readonly DrawnElement[],
  { left, width, height }: { left: number; width: number; height: number },
): void {
  for (const element of elements) {
    const points = element.name === "text" ? findCorners(element) : findMarkPoints(element);
    for (const [x, y] of points) {
      const inside =
        x >= left - TOLERANCE_PX &&
        x <= left + width + TOLERANCE_PX &&
        y >= -TOLERANCE_PX &&
        y <= height + TOLERANCE_PX;
      if (!inside)
        throw new Error(`${element.name} at ${x}, ${y} leaves ${width} x ${height}: ${element.text}`);
    }
  }
}

function expectNoOverlap(texts: readonly DrawnElement[]): void {
  const boxes = texts.map((text) => ({ text: text.text, corners: findCorners(text) }));
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      const overlap = measureOverlap(one.corners, other.corners);
      if (overlap > TOLERANCE_PX) throw new Error(`${one.text} and ${other.text} overlap by ${overlap} px`);
    }
  }
}
