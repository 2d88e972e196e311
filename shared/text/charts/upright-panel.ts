import { measureText } from "../drawing/measure-text.ts";
import { element, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { noteTimes, setFieldName } from "./field-words.ts";
import { CHART_SIZES, drawLabel, MINOR_OPACITY, type Plot, RIGHT_PX } from "./frame.ts";
import { SLANT } from "./labels.ts";
import { drawEndLabels, measureEndLabels, placeEndLabels } from "./legend.ts";
import type { Marks } from "./marks.ts";
import type { Panel, PanelRoom, Ruler } from "./panel.ts";
import { countTicks, createValueAxis, type ValueAxis } from "./value-axis.ts";
import { createXAxis, type XAxis } from "./x-axis.ts";

/** Plans a panel with its values upwards. */
export function planUpright(chart: Chart, marks: Marks, ruler: Ruler, room: PanelRoom): Panel {
  const { look, domain, factor, shift } = ruler;
  const yAxis = createValueAxis(domain, countTicks(ruler, room.ticks), shift, look);
  const { xAxis, ends } = layOutAcross(chart, { yAxis, factor, room });
  const draw = (top: number) => {
    const plot: Plot = { left: xAxis.left, right: xAxis.right, top, bottom: top + room.plotPx };
    const y = (share: number): number => plot.bottom - share * (plot.bottom - plot.top);
    const foot = drawFoot(chart, xAxis, plot);
    const places = {
      ...{ x: xAxis.place, y: (value: number) => y(yAxis.place(value)), barPx: xAxis.barPx },
      ...{ factor, hatchPrefix: room.hatchPrefix, tips: room.tips },
    };
    const nodes = [
      drawGrid(yAxis, plot, y),
      ...marks.draw(places),
      ...drawBaseline(yAxis, plot, y),
      ...drawEndLabels(chart, ends ?? [], { left: plot.right, top, hatchPrefix: room.hatchPrefix }),
      ...foot.nodes,
    ];
    return { nodes, bottom: foot.bottom };
  };
  return { namesGroups: ends !== null, draw };
}

/** The horizontal axis, and the heights in the plot at which groups are named at its right; null for a legend above. */
function layOutAcross(
  chart: Chart,
  { yAxis, factor, room }: { yAxis: ValueAxis; factor: number; room: PanelRoom },
): { xAxis: XAxis; ends: number[] | null } {
  const { widthPx, plotPx } = room;
  const labelPx = Math.max(0, ...yAxis.ticks.map(({ label }) => measureText(label, CHART_SIZES.text)));
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

function drawGrid(axis: ValueAxis, plot: Plot, y: (share: number) => number): SvgNode {
  const lines = axis.ticks.map(({ at }) => {
    const height = y(at);
    return element("line", { x1: plot.left, x2: plot.right, y1: height, y2: height });
  });
  const labels = axis.ticks.map(({ at, label }) =>
    element("text", { x: plot.left - CHART_SIZES.gap, y: y(at) + 4.5, "text-anchor": "end" }, [label]),
  );
  const minor = axis.minor.map((at) =>
    element("line", { x1: plot.left, x2: plot.right, y1: y(at), y2: y(at), "stroke-opacity": MINOR_OPACITY }),
  );
  return element("g", {}, [
    element("g", { class: "grid", stroke: "currentColor" }, [...minor, ...lines]),
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
function drawFoot(chart: Chart, axis: XAxis, plot: Plot): { nodes: SvgNode[]; bottom: number } {
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
  const note = every > 1 ? ` (every ${ordinal(every)} is labelled)` : noteTimes(chart);
  const name = setFieldName(chart.x, plot.right - CHART_SIZES.edge, note);
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

function ordinal(number: number): string {
  const ending =
    number % 100 >= 11 && number % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
