import { measureText } from "../drawing/measure-text.ts";
import { element, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { drawAnnotations } from "./annotations.ts";
import { formatFigure } from "./figures.ts";
import { CHART_SIZES, drawGridLines, drawStroke, RIGHT_PX } from "./frame.ts";
import { type Across, drawTicks } from "./horizontal-head.ts";
import { planStrip } from "./label-strip.ts";
import { layAnnotations } from "./lay-annotations.ts";
import { listMarkShapes } from "./mark-shapes.ts";
import type { Marks } from "./marks.ts";
import {
  drawNames,
  drawStrips,
  listNameRooms,
  type NameColumn,
  placeRows,
  setNames,
  setNamesAbove,
} from "./name-column.ts";
import type { DrawnPanel, DrawPanelOptions, PanelRoom, PlanPanel, Ruler } from "./panel.ts";
import { type Box, cornersOf, lineDown } from "./shapes.ts";
import { stackBars } from "./stack.ts";
import { fitNumbers } from "./x-axis.ts";

/** The figure at one end of the bars of a name, in scaled values. */
interface EndFigure {
  at: number;
  end: number;
  isLeft: boolean;
  text: string;
  widthPx: number;
}

const FIGURE_GAP_PX = 5;
/** Lengths are told by their figures: a few ticks are enough, and some keep the axis close to its values. */
const TICK_PX = 44;
const [LEAST_TICKS, MOST_TICKS] = [3, 6];
/** A narrower plot shows no lengths any more. */
const LEAST_PLOT_PX = 48;
const BASELINE = 4.5;
/** White between small charts. */
const COLUMN_GAP_PX = 24;

/** Lays out panels of bars that lie, each a name, its bar, and the figure at the end of it. */
export function planHorizontal(ruler: Ruler, given: PanelRoom): PlanPanel {
  const columns = given.columns ?? 1;
  const room = { ...given, widthPx: (given.widthPx - (columns - 1) * COLUMN_GAP_PX) / columns };
  const figures = new Map(ruler.marks.map((marks) => [marks, listFigures(marks.chart, ruler)]));
  const { column, across } = layOut(ruler.whole, [...figures.values()].flat(), ruler, room);
  return (marks) => ({
    namesGroups: false,
    widthPx: room.widthPx,
    left: 0,
    right: across.right,
    columnLeft: (column) => column * (room.widthPx + COLUMN_GAP_PX),
    draw: (top, options) => {
      const plan = { marks, room, figures: figures.get(marks) ?? [], column, across };
      return drawHorizontal(plan, ruler.factor, { top, ...options });
    },
    drawTitle: (bottom) => ({ nodes: [], bottom }),
  });
}

/** A panel of bars that lie, laid out. */
interface HorizontalPlan {
  marks: Marks;
  room: PanelRoom;
  figures: readonly EndFigure[];
  column: NameColumn;
  across: Across;
}

function drawHorizontal(
  { marks, room, figures, column, across }: HorizontalPlan,
  factor: number,
  { top, numbered, isTitled }: DrawPanelOptions & { top: number },
): DrawnPanel {
  const { chart } = marks;
  const head = drawTicks(isTitled ? chart.x.title : "", column, across, { top, widthPx: room.widthPx });
  const rows = placeRows(column, head.bottom);
  const plot: Box = { left: across.left, right: across.right, top: head.bottom, bottom: rows.bottom };
  const x = (at: number): number => rows.centers[at] ?? 0;
  const places = { x, y: across.place, barPx: rows.barPx, factor, hatchPrefix: room.hatchPrefix };
  const baseline = lineDown(plot, across.place(0));
  const reachPx = (plot.bottom - plot.top) / chart.categories.length / 2;
  const laid = layAnnotations(chart, { ...places, reachPx });
  const strip = planStrip(laid, { side: "below", widthPx: room.widthPx, numbered });
  const stands = [
    baseline,
    ...figures.map((figure) => cornersOf(roomOfFigure(figure, x(figure.at), across))),
    ...listNameRooms(column, rows, room.widthPx),
  ];
  const shapes = laid.length === 0 ? [] : [...listMarkShapes(chart, places), ...stands];
  const annotated = drawAnnotations(chart, laid, { plot, shapes, strip, numbered });
  const lines = across.ticks.map((tick) => lineDown(plot, tick));
  const nodes = [
    element("g", { class: "grid", stroke: "currentColor" }, drawGridLines(lines, annotated.rooms)),
    ...head.nodes,
    ...annotated.under,
    ...marks.draw({ ...places, tips: room.tips }),
    ...(laid.length === 0 ? [] : figures.map((figure) => drawGap(figure, x(figure.at), across))),
    drawStroke(baseline),
    ...annotated.over,
    ...(column.widthPx > 0 ? [] : [drawStrips(column, rows, room.widthPx)]),
    drawNames(column, rows),
    element(
      "g",
      {},
      figures.flatMap((figure) => drawFigure(figure, x(figure.at), across)),
    ),
  ];
  return {
    nodes,
    bottom: rows.bottom + strip.heightPx + CHART_SIZES.edge,
    unplaced: annotated.unplaced,
  };
}

/** The figures at the ends of bars: of a stack the sum of what lies on each side of zero. */
function listFigures(chart: Chart, { factor, shift, look }: Ruler): EndFigure[] {
  const sides = new Map<string, { at: number; end: number; isLeft: boolean }>();
  for (const { row, top } of stackBars(chart, factor)) {
    const isLeft = (row.y ?? 0) < 0;
    sides.set(`${row.at} ${isLeft}`, { at: row.at, end: top, isLeft });
  }
  // A nought says nothing beside what lies on the other side of it.
  const isNought = ({ at, end, isLeft }: { at: number; end: number; isLeft: boolean }) =>
    end === 0 && !isLeft && sides.has(`${at} true`);
  return [...sides.values()]
    .filter((side) => !isNought(side))
    .map((side) => {
      const text = formatFigure(side.end, shift, look.format);
      return { ...side, text, widthPx: measureText(text, CHART_SIZES.text) };
    });
}

/** Names beside the bars where the plot keeps room, else above them. */
function layOut(
  chart: Chart,
  figures: readonly EndFigure[],
  ruler: Ruler,
  { widthPx }: PanelRoom,
): { column: NameColumn; across: Across } {
  const column = setNames(chart.categories, widthPx);
  const across = fitAcross(column, figures, ruler, widthPx);
  if (column.widthPx === 0 || across.right - across.left >= LEAST_PLOT_PX) return { column, across };
  const above = setNamesAbove(chart.categories, widthPx);
  return { column: above, across: fitAcross(above, figures, ruler, widthPx) };
}

/** The widest plot beside which every figure stays clear of names and within the frame. */
function fitAcross(column: NameColumn, figures: readonly EndFigure[], ruler: Ruler, widthPx: number): Across {
  const first = column.widthPx === 0 ? 1 : column.widthPx + CHART_SIZES.gap;
  const last = widthPx - RIGHT_PX;
  const widest = (isLeft: boolean): number =>
    Math.max(0, ...figures.map((one) => (one.isLeft === isLeft ? one.widthPx + FIGURE_GAP_PX : 0)));
  const safe = { from: first + widest(true), to: last - widest(false) };
  const most = Math.min(MOST_TICKS, Math.max(LEAST_TICKS, Math.floor((safe.to - safe.from) / TICK_PX)));
  const { place, count } = fitNumbers(ruler, { ...safe, most, widthPx });
  const right = figures.reduce((edge, figure) => {
    const share = place(figure.end);
    if (figure.isLeft || share <= 0) return edge;
    return Math.min(edge, safe.from + (last - safe.from - FIGURE_GAP_PX - figure.widthPx) / share);
  }, last);
  const left = figures.reduce((edge, figure) => {
    if (!figure.isLeft) return edge;
    const share = place(figure.end);
    // The end lies at this share between the edges, so moving the left one moves it by the rest.
    return Math.max(edge, (first + FIGURE_GAP_PX + figure.widthPx - share * right) / (1 - share));
  }, first);
  // Another number of ticks would round the ends of the axis elsewhere.
  const axis = fitNumbers(ruler, { from: left, to: right, most: count, least: count, widthPx });
  const { ticks, labels } = axis;
  return { left, right, place: (value) => axis.toPx(axis.place(value)), ticks, labels };
}

/** The room of the figure beside the end of its bar. */
function roomOfFigure({ end, isLeft, widthPx }: EndFigure, y: number, { place }: Across): Box {
  const x = place(end) + (isLeft ? -FIGURE_GAP_PX : FIGURE_GAP_PX);
  return { left: isLeft ? x - widthPx : x, right: isLeft ? x : x + widthPx, top: y - 8, bottom: y + 8 };
}

/** Paper between a bar and its figure: the piece of an author's line that shows there would be taken for a minus sign. */
function drawGap({ end, isLeft }: EndFigure, y: number, { place }: Across): SvgNode {
  const x = place(end) - (isLeft ? FIGURE_GAP_PX : 0);
  return element("rect", {
    class: "paper",
    ...{ x, y: y - 8, width: FIGURE_GAP_PX, height: 16 },
    fill: "currentColor",
  });
}

/** The figure beside the end of its bar, on paper, so that no line of the grid runs through it. */
function drawFigure(figure: EndFigure, y: number, across: Across): SvgNode[] {
  const { isLeft, text, widthPx } = figure;
  const { left, right, top } = roomOfFigure(figure, y, across);
  const x = isLeft ? right : left;
  const paper = { x: left, y: top, width: widthPx, height: 16 };
  return [
    element("rect", { class: "paper", ...paper, fill: "currentColor" }),
    element("text", { x, y: y + BASELINE, "text-anchor": isLeft ? "end" : undefined }, [text]),
  ];
}
