import { measureText } from "../drawing/measure-text.ts";
import { element, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { drawAnnotations } from "./annotations.ts";
import { noteTimes, setFieldName } from "./field-words.ts";
import {
  CHART_SIZES,
  drawGridLines,
  drawLabel,
  drawSoft,
  drawStroke,
  drawTextLines,
  MINOR_OPACITY,
  RIGHT_PX,
} from "./frame.ts";
import { planStrip } from "./label-strip.ts";
import { SLANT } from "./labels.ts";
import { layAnnotations } from "./lay-annotations.ts";
import { drawEndLabels, measureEndLabels, placeEndLabels } from "./legend.ts";
import { listMarkShapes } from "./mark-shapes.ts";
import type { Marks } from "./marks.ts";
import type { DrawnPanel, DrawPanelOptions, Panel, PanelRoom, PlanPanel, Ruler } from "./panel.ts";
import { type Box, lineAcross, type Stroke } from "./shapes.ts";
import { countTicks, createValueAxis, type ValueAxis } from "./value-axis.ts";
import { createXAxis, type XAxis } from "./x-axis.ts";

/** Lays out the axes of panels with their values upwards, and plans each panel on them. */
export function planUpright(ruler: Ruler, room: PanelRoom): PlanPanel {
  const { look, domain, factor, shift } = ruler;
  const yAxis = createValueAxis(domain, countTicks(ruler, room.ticks), shift, look);
  const { xAxis, ends, widthPx, columnLeft } = layOutAcross(ruler.whole, { yAxis, factor, room });
  const { left, right } = xAxis;
  return (marks) => ({
    ...{ namesGroups: ends !== null, widthPx, left, right, columnLeft },
    draw: (top, options) =>
      drawUpright({ marks, ruler, room, yAxis, xAxis, ends, widthPx }, { top, ...options }),
    drawTitle: (under, edge) => drawXTitle(marks.chart, xAxis, under, edge),
  });
}

/** A panel with its values upwards, laid out. */
interface UprightPlan {
  marks: Marks;
  ruler: Ruler;
  room: PanelRoom;
  yAxis: ValueAxis;
  xAxis: XAxis;
  ends: readonly number[] | null;
  widthPx: number;
}

function drawUpright(
  { marks, ruler, room, yAxis, xAxis, ends, widthPx }: UprightPlan,
  { top: from, numbered, labels }: DrawPanelOptions & { top: number },
): DrawnPanel {
  const { chart } = marks;
  const { factor } = ruler;
  const { place: x, barPx, reachPx } = xAxis;
  const sides = layAnnotations(chart, { x, y: () => 0, factor, reachPx });
  const strip = planStrip(sides, { side: "above", widthPx, numbered });
  const top = from + strip.heightPx;
  const plot: Box = { left: xAxis.left, right: xAxis.right, top, bottom: top + room.plotPx };
  const y = (share: number): number => plot.bottom - share * (plot.bottom - plot.top);
  const foot = drawFoot(chart, xAxis, plot, labels.across);
  const places = {
    ...{ x, y: (value: number) => y(yAxis.place(value)), barPx },
    ...{ factor, hatchPrefix: room.hatchPrefix, tips: room.tips },
  };
  const baseline = findBaseline(yAxis, plot, y);
  const shapes = sides.length === 0 ? [] : [...listMarkShapes(chart, places), ...baseline];
  const laid = layAnnotations(chart, { ...places, reachPx });
  const annotated = drawAnnotations(chart, laid, { plot, shapes, strip, numbered });
  const nodes = [
    drawGrid(yAxis, plot, y, { rooms: annotated.rooms, isLabelled: labels.values }),
    ...annotated.under,
    ...marks.draw(places),
    ...baseline.map((line) => drawStroke(line)),
    ...annotated.over,
    ...drawEndLabels(chart, ends ?? [], { left: plot.right, top, hatchPrefix: room.hatchPrefix }),
    ...foot.nodes,
  ];
  return { nodes, bottom: foot.bottom, unplaced: annotated.unplaced };
}

/** The horizontal axis, and the heights in the plot at which groups are named at its right; null for a legend above. */
function layOutAcross(
  chart: Chart,
  { yAxis, factor, room }: { yAxis: ValueAxis; factor: number; room: PanelRoom },
): Pick<Panel, "widthPx" | "columnLeft"> & { xAxis: XAxis; ends: number[] | null } {
  const { widthPx, plotPx, columns } = room;
  const labelPx = Math.max(0, ...yAxis.ticks.map(({ label }) => measureText(label, CHART_SIZES.text)));
  const [left, right] = [labelPx + CHART_SIZES.gap, widthPx - RIGHT_PX];
  if (columns !== null) return layOutColumns(chart, { left, right, columns });
  const whole = { widthPx, columnLeft: () => 0 };
  const endPx = measureEndLabels(chart, widthPx);
  if (endPx !== null) {
    const xAxis = createXAxis(chart, left, right - endPx, widthPx);
    const y = (value: number) => plotPx * (1 - yAxis.place(value));
    const ends = placeEndLabels(chart, { axis: xAxis, y, factor, heightPx: plotPx });
    if (ends !== null) return { xAxis, ends, ...whole };
  }
  return { xAxis: createXAxis(chart, left, right, widthPx), ends: null, ...whole };
}

/** White at both sides of the plot of a small chart, which its labels may use. */
const INSET_PX = 12;

/** The same for small charts, whose plots lie between two edges. */
function layOutColumns(
  chart: Chart,
  { left, right, columns }: { left: number; right: number; columns: number },
): ReturnType<typeof layOutAcross> {
  const first = left - INSET_PX;
  const widthPx = (right + INSET_PX - first) / columns;
  const xAxis = createXAxis(chart, INSET_PX, widthPx - INSET_PX, widthPx);
  return { xAxis, ends: null, widthPx, columnLeft: (column) => first + column * widthPx };
}

/** Lines of the ticks, which leave out the rooms of texts, and their labels. */
function drawGrid(
  axis: ValueAxis,
  plot: Box,
  y: (share: number) => number,
  { rooms, isLabelled }: { rooms: readonly Box[]; isLabelled: boolean },
): SvgNode {
  const linesAt = (shares: readonly number[]) => shares.map((share) => lineAcross(plot, y(share)));
  const minor = drawGridLines(linesAt(axis.minor), rooms, { "stroke-opacity": MINOR_OPACITY });
  const lines = drawGridLines(linesAt(axis.ticks.map(({ at }) => at)), rooms);
  const labels = axis.ticks.map(({ at, label }) =>
    element("text", { x: plot.left - CHART_SIZES.gap, y: y(at) + 4.5, "text-anchor": "end" }, [label]),
  );
  return element("g", {}, [
    element("g", { class: "grid", stroke: "currentColor" }, [...minor, ...lines]),
    ...(isLabelled ? [drawSoft(labels)] : []),
  ]);
}

/** The line of zero, over the marks that stand on it; an axis without zero has none, so that none is mistaken for it. */
function findBaseline(axis: ValueAxis, plot: Box, y: (share: number) => number): Stroke[] {
  const zero = axis.place(0);
  return zero < 0 || zero > 1 ? [] : [lineAcross(plot, y(zero))];
}

/** Ticks of the horizontal axis, and their labels; `bottom` is where they end. */
function drawFoot(
  chart: Chart,
  axis: XAxis,
  plot: Box,
  isLabelled: boolean,
): { nodes: SvgNode[]; bottom: number } {
  const strokes = axis.ticks.map((x) =>
    element("line", { x1: x, x2: x, y1: plot.bottom, y2: plot.bottom + 5 }),
  );
  const { level, slanted } = axis.labels;
  // A marker on the lowest line reaches below it.
  const markerPx = chart.mark === "line" || chart.mark === "point" ? 4 : 0;
  const first = plot.bottom + CHART_SIZES.gap + 11 + markerPx;
  const levels = level.flatMap(({ x, lines }) =>
    drawTextLines(lines, { x, y: first, "text-anchor": "middle" }),
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
  const ticks = element("g", { class: "grid", stroke: "currentColor" }, strokes);
  if (!isLabelled) return { nodes: [ticks], bottom: plot.bottom + 5 };
  return { nodes: [ticks, element("g", {}, [...levels, ...slants])], bottom: under };
}

/** The name of the horizontal axis. */
function drawXTitle(chart: Chart, { labels: { every } }: XAxis, top: number, right: number) {
  const note = every > 1 ? ` (every ${ordinal(every)} is labelled)` : noteTimes(chart);
  const name = setFieldName(chart.x, right - CHART_SIZES.edge, note);
  const titles = drawTextLines(name, { x: right, y: top + 15, "text-anchor": "end" });
  return { nodes: [drawSoft(titles)], bottom: top + 15 + (name.length - 1) * CHART_SIZES.line + 7 };
}

function ordinal(number: number): string {
  const ending =
    number % 100 >= 11 && number % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
