import { measureText, wrapText } from "../drawing/measure-text.ts";
import { element, isolate, type SvgAttributes, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { DRAWING_FONT } from "../theme/tokens.ts";
import { describeChart, nameChart, nameValues } from "./chart-words.ts";
import {
  AXIS_FONT,
  AXIS_TITLE_LINES,
  BLEED_PX,
  CHART_SIZES,
  drawLabel,
  type Plot,
  RIGHT_PX,
} from "./frame.ts";
import { SLANT } from "./labels.ts";
import { drawEndLabels, drawLegend, measureEndLabels, placeEndLabels } from "./legend.ts";
import { type Marks, prepareMarks } from "./marks.ts";
import { drawHatches } from "./palette.ts";
import {
  chooseDomain,
  countTicks,
  createValueAxis,
  findExtent,
  findMagnitude,
  type Magnitude,
  type ValueAxis,
} from "./value-axis.ts";
import { createXAxis, type XAxis } from "./x-axis.ts";

/** How a chart is drawn; ids within it begin with `idPrefix`, so that several can stand on one page. */
interface DrawOptions {
  idPrefix: string;
  /** Whether bars and areas carry the hatches that a stylesheet may show; true by default. */
  hatched?: boolean;
  /** "wide" is 640 px for a column of text, "narrow" 320 px for a phone; type has the same size in both. */
  size?: "wide" | "narrow";
}

const FRAMES = {
  wide: { widthPx: 640, plotPx: 280, ticks: 6, tips: true },
  narrow: { widthPx: 320, plotPx: 220, ticks: 5, tips: false },
} as const;
// More tips than this double the page's weight; the table has every figure.
const MOST_TIPS = 200;
const TITLE_FONT = { sizePx: CHART_SIZES.title, bold: true };
const TITLE_LINES = 9;

/**
 * Draws a chart as one SVG element: a pure function of chart and options, for every chart that `parseChart` accepts.
 * Colours come from the classes of `CHART_RULES`; nothing in it is fetched, run or styled inline.
 */
export function drawChart(chart: Chart, options: DrawOptions): string {
  const { idPrefix, size = "wide" } = options;
  const { nodes, widthPx, heightPx } = drawShapes(chart, options);
  const width = widthPx + 2 * BLEED_PX;
  const frame = { class: size, viewBox: `${-BLEED_PX} 0 ${width} ${heightPx}`, width, height: heightPx };
  return drawRoot(chart, idPrefix, frame, nodes).markup;
}

/** Draws what stands within a chart's frame, and tells the room that it takes from the upper left corner on. */
export function drawShapes(chart: Chart, { idPrefix, size = "wide", hatched = true }: DrawOptions) {
  const frame = FRAMES[size];
  const hatchPrefix = hatched ? idPrefix : null;
  const { marks, factor, shift } = scaleMarks(chart);
  // The length of a bar or an area is its value, so both stand on zero; lines, points and bands only where it is near.
  const filled = chart.mark === "bar" || chart.mark === "area";
  const nearZero = filled && chart.y2 === null ? Number.POSITIVE_INFINITY : 1;
  const domain = chooseDomain(findExtent(marks.values), nearZero);
  const yAxis = createValueAxis(domain, countTicks(domain, frame.ticks, marks.values), shift);
  const axes = layOutAcross(chart, { yAxis, factor, size });
  const { xAxis } = axes;
  const head = drawHead(chart, axes.ends === null, frame.widthPx, hatchPrefix);
  const plot: Plot = {
    left: xAxis.left,
    right: xAxis.right,
    top: head.heightPx,
    bottom: head.heightPx + frame.plotPx,
  };
  const y = (share: number): number => plot.bottom - share * (plot.bottom - plot.top);
  const foot = drawFoot(chart, xAxis, plot);
  const places = {
    x: xAxis.place,
    y: (value: number) => y(yAxis.place(value)),
    barPx: xAxis.barPx,
    factor,
    hatchPrefix,
    tips: frame.tips && chart.rows.length <= MOST_TIPS,
  };
  const hatches = filled && chart.color !== null ? drawHatches(chart.groups.length, hatchPrefix) : [];
  const nodes = [
    ...(hatches.length > 0 ? [element("defs", {}, hatches)] : []),
    ...head.nodes,
    drawGrid(yAxis, plot, y),
    ...marks.draw(places),
    ...drawBaseline(yAxis, plot, y),
    ...drawEndLabels(chart, axes.ends ?? [], { left: plot.right, top: plot.top, hatchPrefix }),
    ...foot.nodes,
  ];
  return { nodes, widthPx: frame.widthPx, heightPx: Math.ceil(foot.bottom) };
}

/** The marks in a magnitude that is fit for arithmetic: that of what is drawn, as a stack leaves out what stands on a gap. */
function scaleMarks(chart: Chart): Magnitude & { marks: Marks } {
  const unscaled = prepareMarks(chart, 1);
  const magnitude = findMagnitude(unscaled.values);
  const { factor } = magnitude;
  return { ...magnitude, marks: factor === 1 ? unscaled : prepareMarks(chart, factor) };
}

/** The horizontal axis, and the heights in the plot at which groups are named at its right; null for a legend above. */
function layOutAcross(
  chart: Chart,
  { yAxis, factor, size }: { yAxis: ValueAxis; factor: number; size: keyof typeof FRAMES },
): { xAxis: XAxis; ends: number[] | null } {
  const { widthPx, plotPx } = FRAMES[size];
  const labelPx = Math.max(...yAxis.ticks.map(({ label }) => measureText(label, CHART_SIZES.text)));
  const [left, right] = [labelPx + CHART_SIZES.gap, widthPx - RIGHT_PX];
  const endPx = measureEndLabels(chart, widthPx);
  if (endPx !== null) {
    const xAxis = createXAxis(chart, left, right - endPx, widthPx);
    const y = (value: number) => plotPx * (1 - yAxis.place(value));
    const ends = placeEndLabels(chart, { axis: xAxis, y, factor, heightPx: plotPx });
    if (ends !== null) return { xAxis, ends };
  }
  return { xAxis: createXAxis(chart, left, right, widthPx), ends: null };
}

/** The root of a chart's drawing, with what it says to readers who do not see it. */
export function drawRoot(
  chart: Chart,
  idPrefix: string,
  { color, ...frame }: SvgAttributes,
  nodes: readonly SvgNode[],
): SvgNode {
  const attributes = {
    ...{ xmlns: "http://www.w3.org/2000/svg", ...frame, role: "img" },
    "aria-labelledby": `${idPrefix}-title ${idPrefix}-desc`,
    "font-family": DRAWING_FONT,
    "font-size": CHART_SIZES.text,
    ...{ color, fill: "currentColor" },
  };
  return element("svg", attributes, [
    element("title", { id: `${idPrefix}-title` }, [nameChart(chart)]),
    element("desc", { id: `${idPrefix}-desc` }, [describeChart(chart)]),
    ...nodes,
  ]);
}

/** Title, legend where there is to be one, and the name of the vertical axis, from the top. */
function drawHead(chart: Chart, withLegend: boolean, widthPx: number, hatchPrefix: string | null) {
  const roomPx = widthPx - CHART_SIZES.edge;
  const nodes: SvgNode[] = [];
  let top = CHART_SIZES.edge;
  const title = chart.title === null ? [] : wrapText(chart.title, roomPx, TITLE_LINES, TITLE_FONT);
  for (const line of title) {
    nodes.push(drawLabel(line, { x: 0, y: top + 16, "font-size": CHART_SIZES.title, "font-weight": 700 }));
    top += CHART_SIZES.titleLine;
  }
  if (title.length > 0) top += CHART_SIZES.gap;
  if (withLegend) {
    const legend = drawLegend(chart, { top, widthPx, hatchPrefix });
    nodes.push(...legend.nodes);
    top += legend.heightPx;
  }
  const name = wrapText(nameValues(chart), roomPx, AXIS_TITLE_LINES, AXIS_FONT);
  const lines = name.map((line, index) => drawLabel(line, { x: 0, y: top + 13 + index * CHART_SIZES.line }));
  nodes.push(element("g", { class: "soft", fill: "currentColor" }, lines));
  // Half a line more, for the uppermost tick's label stands across the plot's upper edge.
  return { nodes, heightPx: top + name.length * CHART_SIZES.line + CHART_SIZES.line / 2 + CHART_SIZES.gap };
}

function drawGrid(axis: ValueAxis, plot: Plot, y: (share: number) => number): SvgNode {
  const lines = axis.ticks.map(({ at }) => {
    const height = y(at);
    return element("line", { x1: plot.left, x2: plot.right, y1: height, y2: height });
  });
  const labels = axis.ticks.map(({ at, label }) =>
    element("text", { x: plot.left - CHART_SIZES.gap, y: y(at) + 4.5, "text-anchor": "end" }, [label]),
  );
  return element("g", {}, [
    element("g", { class: "grid", stroke: "currentColor" }, lines),
    element("g", { class: "soft", fill: "currentColor" }, labels),
  ]);
}

/** The line of zero, over the marks that stand on it; an axis without zero has none, so that none is mistaken for it. */
function drawBaseline(axis: ValueAxis, plot: Plot, y: (share: number) => number): SvgNode[] {
  const zero = axis.place(0);
  if (zero < 0 || zero > 1) return [];
  const height = y(zero);
  return [element("line", { x1: plot.left, x2: plot.right, y1: height, y2: height, stroke: "currentColor" })];
}

/** Ticks, labels and name of the horizontal axis; `bottom` is where the drawing ends. */
export function drawFoot(chart: Chart, axis: XAxis, plot: Plot): { nodes: SvgNode[]; bottom: number } {
  const strokes = axis.ticks.map((x) =>
    element("line", { x1: x, x2: x, y1: plot.bottom, y2: plot.bottom + 5 }),
  );
  const { level, slanted, every } = axis.labels;
  // A marker on the lowest line reaches below it.
  const markerPx = chart.mark === "line" || chart.mark === "point" ? 4 : 0;
  const first = plot.bottom + CHART_SIZES.gap + 11 + markerPx;
  const levels = level.flatMap(({ x, lines }) =>
    lines.map((line, index) =>
      drawLabel(line, { x, y: first + index * CHART_SIZES.line, "text-anchor": "middle" }),
    ),
  );
  const slants = slanted.map(({ x, text }) => {
    const [endX, endY] = [(x + 4).toFixed(2), (plot.bottom + CHART_SIZES.gap + 6).toFixed(2)];
    return drawLabel(text, { transform: `translate(${endX} ${endY}) rotate(-45)`, "text-anchor": "end" });
  });
  const lineCount = Math.max(0, ...level.map(({ lines }) => lines.length));
  const slantPx = Math.max(
    0,
    ...slanted.map(({ text }) => (measureText(text, CHART_SIZES.text) + 6) * SLANT),
  );
  const under =
    slanted.length > 0
      ? plot.bottom + CHART_SIZES.gap + 8 + slantPx
      : first + (lineCount - 1) * CHART_SIZES.line + 5;
  const note = every > 1 ? ` (every ${ordinal(every)} is labelled)` : "";
  const name = nameXAxis(chart.x.title, note, plot.right - CHART_SIZES.edge);
  const titles = name.map((line, index) =>
    drawLabel(line, { x: plot.right, y: under + 15 + index * CHART_SIZES.line, "text-anchor": "end" }),
  );
  const nodes = [
    element("g", { class: "grid", stroke: "currentColor" }, strokes),
    element("g", {}, [...levels, ...slants]),
    element("g", { class: "soft", fill: "currentColor" }, titles),
  ];
  return { nodes, bottom: under + 15 + (name.length - 1) * CHART_SIZES.line + 7 };
}

function nameXAxis(title: string, note: string, roomPx: number): string[] {
  if (note === "") return wrapText(title, roomPx, AXIS_TITLE_LINES, AXIS_FONT);
  const whole = `${isolate(title)}${note}`;
  if (measureText(whole, CHART_SIZES.text) <= roomPx) return [whole];
  return [...wrapText(title, roomPx, 1, AXIS_FONT), note.trim()];
}

function ordinal(number: number): string {
  const ending =
    number % 100 >= 11 && number % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
