import { measureText, truncateText, wrapText } from "../drawing/measure-text.ts";
import { element, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { layAreas, PALE } from "./areas.ts";
import { hasGroupNames } from "./chart-words.ts";
import { AXIS_FONT, CHART_SIZES, drawLabel, drawSoft, drawTextLines, nameLabel } from "./frame.ts";
import { classOf, createMarker, dashOf, fillOf } from "./palette.ts";
import { stackBars } from "./stack.ts";
import type { XAxis } from "./x-axis.ts";

const ROW_PX = 20;
/** Names alike at their beginning are told apart by their end: a long one has so many lines. */
const NAME_LINES = 3;
const BETWEEN_PX = 18;
const AFTER_SWATCH_PX = 6;

/** Width in px of a group's swatch: a piece of a line with its shape, or a square. */
function swatchWidth({ mark, y2 }: Chart): number {
  return mark === "line" || y2 !== null ? 28 : 14;
}

/** Draws the legend in rows from `top` on; draws nothing where no groups are to be named. */
export function drawLegend(
  chart: Chart,
  { top, widthPx, hatchPrefix }: { top: number; widthPx: number; hatchPrefix: string | null },
): { nodes: SvgNode[]; heightPx: number } {
  if (chart.color === null || !hasGroupNames(chart)) return { nodes: [], heightPx: 0 };
  const nodes: SvgNode[] = [];
  let [x, y, rowPx] = [0, top + 14, ROW_PX];
  const place = (itemPx: number): number => {
    if (x > 0 && x + itemPx > widthPx - CHART_SIZES.edge) [x, y, rowPx] = [0, y + rowPx, ROW_PX];
    const at = x;
    x += itemPx + BETWEEN_PX;
    return at;
  };
  const heading = truncateText(chart.color.title, widthPx - 2 * CHART_SIZES.edge, AXIS_FONT);
  const headingX = place(measureText(heading, AXIS_FONT.sizePx));
  nodes.push(drawSoft([drawLabel(heading, { x: headingX, y })]));
  const swatchPx = swatchWidth(chart);
  for (const [group, name] of chart.groups.entries()) {
    const roomPx = widthPx - swatchPx - AFTER_SWATCH_PX - 2 * CHART_SIZES.edge;
    const lines = wrapText(nameLabel(name), roomPx, NAME_LINES, AXIS_FONT);
    const namePx = Math.max(...lines.map((line) => measureText(line, AXIS_FONT.sizePx)));
    const itemX = place(swatchPx + AFTER_SWATCH_PX + namePx);
    rowPx = Math.max(rowPx, ROW_PX + (lines.length - 1) * CHART_SIZES.line);
    nodes.push(
      drawSwatch(chart, group, { x: itemX, y: y - 5, widthPx: swatchPx, hatchPrefix }),
      ...drawTextLines(lines, { x: itemX + swatchPx + AFTER_SWATCH_PX, y }),
    );
  }
  return { nodes, heightPx: y - top - 14 + rowPx + CHART_SIZES.gap };
}

interface Swatch {
  x: number;
  y: number;
  widthPx: number;
  hatchPrefix: string | null;
}

/** Draws a group's swatch; x is its left edge, y its middle. */
function drawSwatch(chart: Chart, group: number, { x, y, widthPx, hatchPrefix }: Swatch): SvgNode {
  const look = { class: classOf(group), fill: "currentColor" };
  if (chart.mark === "point") return element("g", look, [createMarker(group, 5)(x + widthPx / 2, y)]);
  if (chart.mark === "line") {
    const line = { x1: x, y1: y, x2: x + widthPx, y2: y, stroke: "currentColor", "stroke-width": 2.5 };
    return element("g", look, [
      element("line", { ...line, "stroke-dasharray": dashOf(group) }),
      createMarker(group, 4)(x + widthPx / 2, y),
    ]);
  }
  const fill = fillOf(group, hatchPrefix);
  if (chart.y2 !== null) return drawBandSwatch(chart, group, { x, y, widthPx, hatchPrefix });
  return element("g", { ...look, fill }, [element("rect", { x, y: y - 7, width: widthPx, height: 14 })]);
}

/** A piece of a band with its edges, or with its line where it has one. */
function drawBandSwatch(chart: Chart, group: number, { x, y, widthPx, hatchPrefix }: Swatch): SvgNode {
  const drawLine = (height: number, width: number) => {
    const look = { "stroke-width": width, "stroke-dasharray": dashOf(group) };
    return element("line", { x1: x, y1: height, x2: x + widthPx, y2: height, ...look });
  };
  const lines = chart.line === null ? [drawLine(y - 7, 1.25), drawLine(y + 7, 1.25)] : [drawLine(y, 2.25)];
  const fill = fillOf(group, hatchPrefix);
  return element("g", { class: classOf(group), fill, stroke: "currentColor" }, [
    element("rect", { x, y: y - 7, width: widthPx, height: 14, stroke: "none", ...PALE }),
    ...lines,
  ]);
}

const STEP_PX = CHART_SIZES.line;
/** A label further from its mark than this is taken for another group's. */
const MOST_MOVED_PX = 20;
/** Labels take no more of a drawing's width than this. */
const MOST_SHARE = 0.26;
/** A line that ends further to the left, as a share of the plot, has nothing beside its end. */
const LATE = 0.95;
const GAP_PX = 6;

/** The room in px that names at the right end need; null where the chart has no legend or the names are too long. */
export function measureEndLabels(chart: Chart, widthPx: number): number | null {
  if (!hasGroupNames(chart) || chart.mark === "point") return null;
  const names = chart.groups.map((name) => measureText(nameLabel(name), CHART_SIZES.text));
  const room = Math.max(...names) + 2 * GAP_PX + swatchWidth(chart);
  return room <= widthPx * MOST_SHARE ? room : null;
}

/**
 * The height in px of each group's name beside the end of its marks, from the plot's top as `y` counts it; null where a
 * group ends early or the names have no room.
 */
export function placeEndLabels(
  chart: Chart,
  { axis, y, factor, heightPx }: { axis: XAxis; y(value: number): number; factor: number; heightPx: number },
): number[] | null {
  const latePx = axis.left + LATE * (axis.right - axis.left);
  const wanted: { group: number; y: number }[] = [];
  for (const [group, end] of findEnds(chart, factor).entries()) {
    if (end === null) return null;
    if (chart.mark !== "bar" && axis.place(end.at) < latePx) return null;
    wanted.push({ group, y: y(end.value) });
  }
  wanted.sort((one, other) => one.y - other.y);
  const settled = spreadApart(
    wanted.map(({ y }) => y),
    STEP_PX / 2,
    heightPx - STEP_PX / 2,
  );
  if (settled === null) return null;
  const ys: number[] = [];
  for (const [index, { group, y }] of wanted.entries()) {
    const own = settled[index] ?? y;
    if (Math.abs(own - y) > MOST_MOVED_PX) return null;
    ys[group] = own;
  }
  return ys;
}

/** Moves sorted places apart by as little as it takes, first downwards, then up from the bottom; null without room. */
function spreadApart(places: readonly number[], low: number, high: number): number[] | null {
  if ((places.length - 1) * STEP_PX > high - low) return null;
  const spread = [...places];
  for (const [index, place] of places.entries()) {
    spread[index] = Math.max(place, low, index === 0 ? low : (spread[index - 1] ?? low) + STEP_PX);
  }
  let limit = high;
  for (let index = spread.length - 1; index >= 0; index--) {
    spread[index] = Math.min(spread[index] ?? limit, limit);
    limit = (spread[index] ?? limit) - STEP_PX;
  }
  return spread;
}

/** Draws the names from `left` on, each after its group's swatch. */
export function drawEndLabels(
  chart: Chart,
  ys: readonly number[],
  { left, top, hatchPrefix }: { left: number; top: number; hatchPrefix: string | null },
): SvgNode[] {
  const widthPx = swatchWidth(chart);
  return ys.flatMap((height, group) => {
    const y = top + height;
    return [
      drawSwatch(chart, group, { x: left + GAP_PX, y, widthPx, hatchPrefix }),
      drawLabel(nameLabel(chart.groups[group] ?? ""), { x: left + 2 * GAP_PX + widthPx, y: y + 4.5 }),
    ];
  });
}

/** Where the marks of a group end on the right: the `at` of its last mark, and the scaled value of the mark's middle. */
interface GroupEnd {
  at: number;
  value: number;
}

/** The right end of each group's line, layer or part of the last bar; null for a group without one. */
function findEnds(chart: Chart, factor: number): (GroupEnd | null)[] {
  if (chart.mark === "bar") return findBarEnds(chart, factor);
  if (chart.mark === "area") {
    return layAreas(chart, factor).map((layer) => {
      const last = layer.at(-1) ?? null;
      return last && { at: last.at, value: (last.base + last.top) / 2 };
    });
  }
  const ends: (GroupEnd | null)[] = chart.groups.map(() => null);
  for (const { at, y, group } of chart.rows) {
    if (y !== null && at >= (ends[group]?.at ?? at)) ends[group] = { at, value: y * factor };
  }
  return ends;
}

function findBarEnds(chart: Chart, factor: number): (GroupEnd | null)[] {
  const ends: (GroupEnd | null)[] = chart.groups.map(() => null);
  const last = chart.rows.reduce((most, { at }) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  for (const { row, base, top } of stackBars(chart, factor)) {
    if (row.at === last && top !== base) ends[row.group] = { at: last, value: (base + top) / 2 };
  }
  return ends;
}
