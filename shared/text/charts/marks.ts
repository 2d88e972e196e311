import { line } from "d3-shape";
import { element, formatNumber, isolate, type SvgNode } from "../drawing/svg.ts";
import { type Chart, type ChartRow, listGroups, listRows } from "../markdown/charts/chart.ts";
import { drawAreas, JOINT_PX, layAreas } from "./areas.ts";
import { sayNumber, sayX } from "./field-words.ts";
import { nameLabel } from "./frame.ts";
import { classOf, createMarker, dashOf, fillOf } from "./palette.ts";
import { type SpannedRow, stackBars } from "./stack.ts";

/** Where marks go: px of a row's `at`, px of a scaled value; of horizontal bars `x` runs down and `y` across. */
export interface MarkPlaces {
  x(at: number): number;
  y(value: number): number;
  barPx: number;
  /** The factor by which values are multiplied before they are placed. */
  factor: number;
  hatchPrefix: string | null;
  /** Whether marks carry their figures for a pointer to show. */
  tips: boolean;
}

/** The marks of a chart, with the extent of scaled values that its axis must hold. */
export interface Marks {
  chart: Chart;
  values: number[];
  draw(places: MarkPlaces): SvgNode[];
}

/** Prepares the marks of a chart; drawing waits until the axes know the values. */
export function prepareMarks(chart: Chart, factor: number): Marks {
  if (chart.mark === "bar") {
    const spans = stackBars(chart, factor);
    return { chart, values: spans.map(({ top }) => top), draw: (places) => drawBars(chart, spans, places) };
  }
  if (chart.mark === "area") return prepareAreas(chart, factor);
  const values = chart.rows.flatMap(({ y }) => (y === null ? [] : [y * factor]));
  if (chart.mark === "point") return { chart, values, draw: (places) => drawPoints(chart, places) };
  return { chart, values, draw: (places) => drawLines(chart, places) };
}

/** Areas, and over bands their lines. */
function prepareAreas(chart: Chart, factor: number): Marks {
  const layers = layAreas(chart, factor);
  const ends = layers.flat().flatMap((point) => (point === null ? [] : [point.base, point.top]));
  const lines: Chart = { ...chart, mark: "line", rows: chart.rows.map((row) => ({ ...row, y: row.line })) };
  const values = lines.rows.flatMap(({ y }) => (y === null ? [] : [y * factor]));
  return {
    chart,
    values: [...ends, ...values],
    draw: (places) => [
      ...drawAreas(chart, layers, places),
      ...(chart.line === null ? [] : drawLines(lines, places)),
    ],
  };
}

function drawBars(chart: Chart, spans: readonly SpannedRow[], places: MarkPlaces): SvgNode[] {
  const bars: SvgNode[][] = listGroups(chart).map(() => []);
  for (const { row, base, top } of spans) {
    const [high, low] = [places.y(Math.max(base, top)), places.y(Math.min(base, top))];
    const side = places.x(row.at) - places.barPx / 2;
    const bar = chart.horizontal
      ? { x: low, y: side, width: Math.max(0, high - low), height: places.barPx }
      : { x: side, y: high, width: places.barPx, height: Math.max(0, low - high) };
    bars[row.group]?.push(element("rect", bar, drawTip(chart, row, places)));
  }
  const groups = bars.flatMap((nodes, group) => {
    if (nodes.length === 0) return [];
    return [element("g", { class: classOf(group), fill: fillOf(group, places.hatchPrefix) }, nodes)];
  });
  return [...groups, ...drawJoints(chart, spans, places)];
}

/** A part of a stack that is lower than this has no line at its edge, which would cover too much of it. */
const LEAST_PARTED_PX = 3;

/** Thin lines of paper between the parts of stacked bars; the parts keep their lengths. */
function drawJoints(
  { horizontal }: Chart,
  spans: readonly SpannedRow[],
  { x, y, barPx }: MarkPlaces,
): SvgNode[] {
  const topped = new Set(spans.filter((span) => isParted(span, y)).map(({ row, top }) => `${row.at} ${top}`));
  let d = "";
  for (const span of spans) {
    const { row, base } = span;
    if (base === 0 || !isParted(span, y) || !topped.has(`${row.at} ${base}`)) continue;
    const [side, edge] = [formatNumber(x(row.at) - barPx / 2), formatNumber(y(base))];
    d += horizontal ? `M${edge},${side}v${formatNumber(barPx)}` : `M${side},${edge}h${formatNumber(barPx)}`;
  }
  if (d === "") return [];
  return [element("path", { class: "paper", d, stroke: "currentColor", "stroke-width": JOINT_PX })];
}

function isParted({ base, top }: SpannedRow, y: MarkPlaces["y"]): boolean {
  return Math.abs(y(base) - y(top)) >= LEAST_PARTED_PX;
}

/** "label, group: value", shown by browsers under the pointer. */
function drawTip(chart: Chart, row: ChartRow, { tips }: MarkPlaces): SvgNode[] {
  if (!tips) return [];
  const group = chart.color === null ? "" : `, ${isolate(nameLabel(chart.groups[row.group] ?? ""))}`;
  const value = row.y === null ? "null" : sayNumber(chart.y, row.y, row.long?.y);
  return [element("title", {}, [`${isolate(sayX(chart, row.x, row.long?.x))}${group}: ${value}`])];
}

const MOST_MARKED_ROWS = 120;
const MOST_MARKED_PLACES = 30;
/** A longer line shows its group's shape this many times, for the legend promises it. */
const SHAPES_ON_LONG_LINE = 6;

function drawLines(chart: Chart, places: MarkPlaces): SvgNode[] {
  const path = line<ChartRow>()
    .digits(2)
    .defined(({ y }) => y !== null)
    .x(({ at }) => places.x(at))
    .y(({ y }) => places.y((y ?? 0) * places.factor));
  return listGroups(chart).map((group) => {
    const rows = listRows(chart, group);
    const stroke = {
      d: path(rows) ?? "",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": rows.length > 200 ? 1.5 : 2.25,
      "stroke-dasharray": chart.color === null ? undefined : dashOf(group),
      "stroke-linejoin": "round",
    } as const;
    const isMarked = chooseMarked(chart, rows, group);
    const marker = createMarker(group, 3.5);
    const markers = rows
      .filter((row, index) => row.y !== null && (isMarked(index) || standsAlone(rows, index)))
      .map((row) =>
        marker(places.x(row.at), places.y((row.y ?? 0) * places.factor), drawTip(chart, row, places)),
      );
    const look = { class: classOf(group), fill: "currentColor" };
    return element("g", look, [element("path", stroke), ...markers]);
  });
}

/** Every value of a short line; of a long one among others a few, each group's at other places than the next one's. */
function chooseMarked(chart: Chart, rows: readonly ChartRow[], group: number): (index: number) => boolean {
  if (chart.rows.length <= MOST_MARKED_ROWS && rows.length <= MOST_MARKED_PLACES) return () => true;
  if (chart.color === null) return () => false;
  const step = Math.max(2, Math.round(rows.length / SHAPES_ON_LONG_LINE));
  const first = Math.floor((step * (group + 0.5)) / listGroups(chart).length);
  return (index) => index % step === first;
}

/** A value between two gaps has no line to be seen by. */
function standsAlone(rows: readonly ChartRow[], index: number): boolean {
  const isGap = (row: ChartRow | undefined): boolean => row === undefined || row.y === null;
  return isGap(rows[index - 1]) && isGap(rows[index + 1]);
}

function drawPoints(chart: Chart, places: MarkPlaces): SvgNode[] {
  const radius = chart.rows.length > 250 ? 2.75 : chart.rows.length > 80 ? 3.5 : 4.5;
  const marks: SvgNode[][] = listGroups(chart).map(() => []);
  const markers = marks.map((_, group) => createMarker(group, radius));
  for (const row of chart.rows) {
    if (row.y === null) continue;
    const node = markers[row.group]?.(
      places.x(row.at),
      places.y(row.y * places.factor),
      drawTip(chart, row, places),
    );
    if (node !== undefined) marks[row.group]?.push(node);
  }
  const look = { fill: "currentColor", "fill-opacity": chart.rows.length > 40 ? 0.72 : 0.9 };
  return marks.map((nodes, group) => element("g", { class: classOf(group), ...look }, nodes));
}
