import { measureText, wrapText } from "../drawing/measure-text.ts";
import { element, formatNumber, isolate, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { formatFigure } from "./figures.ts";
import { AXIS_FONT, AXIS_TITLE_LINES, CHART_SIZES, drawLabel, type Plot, RIGHT_PX } from "./frame.ts";
import type { LevelLabel } from "./labels.ts";
import type { Marks } from "./marks.ts";
import { type NameColumn, setNames, setNamesAbove } from "./name-column.ts";
import type { Panel, PanelRoom, Ruler } from "./panel.ts";
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

/** Where values lie across the plot, and its edges. */
interface Across {
  left: number;
  right: number;
  place(value: number): number;
  ticks: number[];
  labels: LevelLabel[];
}

/** Where bars and names lie: middles of bars, tops of names. */
interface BarRows {
  barPx: number;
  centers: number[];
  texts: number[];
  bottom: number;
}

const FIGURE_GAP_PX = 5;
/** Lengths are told by their figures: a few ticks are enough, and some keep the axis close to its values. */
const TICK_PX = 44;
const [LEAST_TICKS, MOST_TICKS] = [3, 6];
/** A narrower plot shows no lengths any more. */
const LEAST_PLOT_PX = 48;
const BAR_PX = 18;
const BAR_UNDER_NAME_PX = 14;
/** White between two bars, or between a bar and the name of the next. */
const BETWEEN_PX = 9;
const BASELINE = 4.5;

/** Plans a panel of bars that lie: a name, its bar, and the figure at the end of it. */
export function planHorizontal(chart: Chart, marks: Marks, ruler: Ruler, room: PanelRoom): Panel {
  const figures = listFigures(chart, ruler);
  const { column, across } = layOut(chart, figures, ruler, room);
  const draw = (top: number) => {
    const head = drawTicks(chart, column, across, { top, widthPx: room.widthPx });
    const rows = placeRows(column, head.bottom);
    const plot: Plot = { left: across.left, right: across.right, top: head.bottom, bottom: rows.bottom };
    const x = (at: number): number => rows.centers[at] ?? 0;
    const { factor } = ruler;
    const places = { x, y: across.place, barPx: rows.barPx, factor, hatchPrefix: room.hatchPrefix };
    const nodes = [
      drawGrid(across, plot),
      ...head.nodes,
      ...marks.draw({ ...places, tips: room.tips }),
      drawBaseline(across, plot),
      ...(column.widthPx > 0 ? [] : [drawStrips(column, rows, room.widthPx)]),
      drawNames(column, rows),
      element(
        "g",
        {},
        figures.flatMap((figure) => drawFigure(figure, x(figure.at), across)),
      ),
    ];
    return { nodes, bottom: rows.bottom + CHART_SIZES.edge };
  };
  return { namesGroups: false, draw };
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
  const fitRight = (left: number): number =>
    figures.reduce((right, figure) => {
      const share = place(figure.end);
      if (figure.isLeft || share <= 0) return right;
      return Math.min(right, left + (last - left - FIGURE_GAP_PX - figure.widthPx) / share);
    }, last);
  const right = fitRight(safe.from);
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

/** Where the bars lie from a height on, each with the room that its name needs. */
function placeRows({ widthPx, names }: NameColumn, top: number): BarRows {
  const isBeside = widthPx > 0;
  const barPx = isBeside ? BAR_PX : BAR_UNDER_NAME_PX;
  const rows: BarRows = { barPx, centers: [], texts: [], bottom: top };
  for (const { lines } of names) {
    const textPx = lines.length * CHART_SIZES.line;
    const rowPx = isBeside ? Math.max(barPx, textPx) : textPx + barPx;
    const from = rows.bottom + BETWEEN_PX / 2;
    rows.centers.push(isBeside ? from + rowPx / 2 : from + rowPx - barPx / 2);
    rows.texts.push(from + (isBeside ? (rowPx - textPx) / 2 : 0));
    rows.bottom += rowPx + BETWEEN_PX;
  }
  return rows;
}

/** Paper under names that stand above their bars, so that no line of the grid runs through them. */
function drawStrips({ names }: NameColumn, { texts }: BarRows, widthPx: number): SvgNode {
  const strips = names.map(({ lines }, index) => {
    const height = lines.length * CHART_SIZES.line;
    return `M0,${formatNumber(texts[index] ?? 0)}h${widthPx}v${height}h${-widthPx}z`;
  });
  return element("path", { class: "paper", d: strips.join(""), fill: "currentColor" });
}

function drawNames({ widthPx, names }: NameColumn, { texts }: BarRows): SvgNode {
  const place = widthPx > 0 ? { x: widthPx, "text-anchor": "end" } : { x: 0 };
  const nodes = names.flatMap(({ lines, whole }, index) => {
    const top = (texts[index] ?? 0) + 13;
    const drawn = lines.map((line, at) => drawLabel(line, { ...place, y: top + at * CHART_SIZES.line }));
    return whole === null ? drawn : [element("g", {}, [element("title", {}, [isolate(whole)]), ...drawn])];
  });
  return element("g", {}, nodes);
}

/** Ticks and the title of the names above the plot. */
function drawTicks(
  chart: Chart,
  column: NameColumn,
  across: Across,
  { top, widthPx }: { top: number; widthPx: number },
): { nodes: SvgNode[]; bottom: number } {
  const [first] = across.labels;
  const startPx = (first?.x ?? 0) - measureText(first?.lines.join("") ?? "", CHART_SIZES.text) / 2;
  const title = placeTitle(chart.x.title, column.widthPx, startPx - 1.5 * CHART_SIZES.gap);
  const lines =
    title === null
      ? wrapText(chart.x.title, widthPx - CHART_SIZES.edge, AXIS_TITLE_LINES, AXIS_FONT)
      : [chart.x.title];
  const height = top + 4 + (title === null ? lines.length * CHART_SIZES.line : 0);
  const titles = lines.map((line, index) =>
    drawLabel(line, { ...(title ?? { x: 0 }), y: top + 4 + index * CHART_SIZES.line }),
  );
  const labels = across.labels.map(({ x, lines }) =>
    element("text", { x, y: height, "text-anchor": "middle" }, [lines.join("")]),
  );
  const nodes = [element("g", { class: "soft", fill: "currentColor" }, [...titles, ...labels])];
  return { nodes, bottom: height + CHART_SIZES.gap };
}

/** Where the title of the names stands in the line of the ticks; null where that has no room for it. */
function placeTitle(title: string, columnPx: number, roomPx: number) {
  const titlePx = measureText(title, CHART_SIZES.text);
  if (titlePx <= columnPx && columnPx <= roomPx) return { x: columnPx, "text-anchor": "end" };
  return titlePx <= roomPx ? { x: 0 } : null;
}

function drawGrid({ ticks }: Across, plot: Plot): SvgNode {
  const lines = ticks.map((x) => element("line", { x1: x, x2: x, y1: plot.top, y2: plot.bottom }));
  return element("g", { class: "grid", stroke: "currentColor" }, lines);
}

function drawBaseline({ place }: Across, plot: Plot): SvgNode {
  const x = place(0);
  return element("line", { x1: x, x2: x, y1: plot.top, y2: plot.bottom, stroke: "currentColor" });
}

/** The figure beside the end of its bar, on paper, so that no line of the grid runs through it. */
function drawFigure({ end, isLeft, text, widthPx }: EndFigure, y: number, { place }: Across): SvgNode[] {
  const x = place(end) + (isLeft ? -FIGURE_GAP_PX : FIGURE_GAP_PX);
  const paper = { x: isLeft ? x - widthPx : x, y: y - 8, width: widthPx, height: 16 };
  return [
    element("rect", { class: "paper", ...paper, fill: "currentColor" }),
    element("text", { x, y: y + BASELINE, "text-anchor": isLeft ? "end" : undefined }, [text]),
  ];
}
