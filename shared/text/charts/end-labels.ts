import type { SvgNode } from "../drawing/svg.ts";
import { measureText } from "../drawing/text-width.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { CHART_SIZES, drawLabel, nameLabel } from "./frame.ts";
import { drawSwatch, hasGroupNames, swatchWidth } from "./legend.ts";
import { stackAreas, stackBars } from "./stack.ts";
import type { XAxis } from "./x-axis.ts";

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
  const room = Math.max(...names) + 2 * GAP_PX + swatchWidth(chart.mark);
  return room <= widthPx * MOST_SHARE ? room : null;
}

/** Where marks end within a plot of a height; y counts in px from the plot's top. */
export interface EndPlaces {
  axis: XAxis;
  y(value: number): number;
  factor: number;
  heightPx: number;
}

/**
 * The height in px of each group's name beside the end of its marks; null where a group ends early or the names have no
 * room.
 */
export function placeEndLabels(chart: Chart, { axis, y, factor, heightPx }: EndPlaces): number[] | null {
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
  const widthPx = swatchWidth(chart.mark);
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
    return stackAreas(chart, factor).map((layer) => {
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
