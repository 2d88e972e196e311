import type { Chart } from "../markdown/charts/chart.ts";
import {
  arrangeCategoryLabels,
  type CategoryLabels,
  findSlantedEdge,
  type LevelLabel,
  settleLevelLabels,
  thinLevelLabels,
} from "./labels.ts";
import type { Ruler } from "./panel.ts";
import { chooseTimes, labelTimes } from "./times.ts";
import { countTicks, createValueAxis, findDomain, findExtent, findMagnitudeOf } from "./value-axis.ts";

/** The horizontal axis of a chart within a frame. */
export interface XAxis {
  left: number;
  right: number;
  /** The centre in px of the mark at a row's `at`. */
  place(at: number): number;
  /** Width in px of a bar. */
  barPx: number;
  /** Where short strokes mark the labels. */
  ticks: number[];
  labels: CategoryLabels;
}

const BAR_SHARE = 0.76;
/** Below this distance white between bars only makes them pale. */
const CLOSE_PX = 4;
const MOST_BAR_PX = 72;
const INSET_PX = 8;
const TICK_PX = 80;
/** Values from zero on are worth this share of empty axis, not more. */
const NEAR_ZERO = 0.25;
const MOST_DATES = 31;

/** Builds the axis between two edges of a frame; slanted labels may move the left one. */
export function createXAxis(chart: Chart, left: number, right: number, widthPx: number): XAxis {
  if (chart.x.type === "quantitative") return createNumberAxis(chart, left, right, widthPx);
  if (chart.x.type === "temporal") return createDateAxis(chart, left, right, widthPx);
  return createCategoryAxis(chart.categories, left, right, widthPx);
}

function createCategoryAxis(
  categories: readonly string[],
  left: number,
  right: number,
  widthPx: number,
): XAxis {
  const first = spreadCategories(categories.length, left, right);
  let labels = arrangeCategoryLabels(categories, first.centers, widthPx);
  let spread = first;
  let edge = left;
  if (labels.slanted.length > 0) {
    edge = Math.max(left, Math.min(findSlantedEdge(categories, right), widthPx / 4));
    spread = spreadCategories(categories.length, edge, right);
    labels = arrangeCategoryLabels(categories, spread.centers, widthPx);
  }
  const ticks = spread.centers.filter((_, index) => index % labels.every === 0);
  const barPx = chooseBar(spread.stepPx);
  const start = spread.centers[0] ?? edge;
  return { left: edge, right, place: (at) => start + at * spread.stepPx, barPx, ticks, labels };
}

function spreadCategories(count: number, left: number, right: number): { stepPx: number; centers: number[] } {
  const stepPx = (right - left) / Math.max(1, count);
  return { stepPx, centers: Array.from({ length: count }, (_, index) => left + (index + 0.5) * stepPx) };
}

function chooseBar(stepPx: number): number {
  return stepPx < CLOSE_PX ? stepPx : Math.min(MOST_BAR_PX, stepPx * BAR_SHARE);
}

function createNumberAxis(chart: Chart, left: number, right: number, widthPx: number): XAxis {
  const values = chart.rows.map(({ at }) => at);
  const { factor, shift } = findMagnitudeOf(chart.x, values);
  const scaled = values.map((value) => value * factor);
  const domain = findDomain(scaled, chart.x.scale, { factor, nearZero: NEAR_ZERO });
  const [from, to] = [left + INSET_PX, right - INSET_PX];
  const most = Math.max(2, Math.floor((right - left) / TICK_PX));
  const axis = fitNumbers({ look: chart.x, domain, values: scaled, shift }, { from, to, most, widthPx });
  const place = (at: number) => axis.toPx(axis.place(at * factor));
  return { left, right, place, barPx: 0, ticks: axis.ticks, labels: asLevel(axis.labels) };
}

/** Numbers from left to right: where they lie, and ticks of `most` to `least` whose labels stand clear of each other. */
export function fitNumbers(
  ruler: Omit<Ruler, "factor">,
  {
    from,
    to,
    most,
    least = 1,
    widthPx,
  }: { from: number; to: number; most: number; least?: number; widthPx: number },
) {
  const toPx = (share: number) => from + share * (to - from);
  for (let count = countTicks(ruler, most); ; count--) {
    const { place, ticks } = createValueAxis(ruler.domain, count, ruler.shift, ruler.look);
    const wanted = ticks.map(({ at, label }): LevelLabel => ({ x: toPx(at), lines: [label] }));
    const settled = settleLevelLabels(wanted, widthPx);
    if (!settled.clear && count > least) continue;
    const { labels } = thinLevelLabels(wanted, widthPx, (kept) => kept);
    return { place, toPx, count, ticks: ticks.map(({ at }) => toPx(at)), labels };
  }
}

function createDateAxis(chart: Chart, left: number, right: number, widthPx: number): XAxis {
  const times = [...new Set(chart.rows.map(({ at }) => at))].sort((one, other) => one - other);
  const [first, last] = findExtent(times);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const bars = chart.mark === "bar";
  // Half a gap on both sides keeps the outer bars inside; one date alone stands in the middle.
  const pad = last === first ? 1 : bars ? Math.min(...gaps) / 2 : 0;
  const [from, to] = bars ? [left, right] : [left + INSET_PX, right - INSET_PX];
  const scale = (to - from) / (last - first + 2 * pad);
  const place = (time: number): number => from + (time - first + pad) * scale;
  const stepPx = last === first ? right - left : Math.min(...gaps) * scale;
  const barPx = Math.max(1, chooseBar(stepPx));
  const labels = settleTimes(chart, times, { place, plotPx: right - left, widthPx });
  return { left, right, place, barPx, ticks: labels.times.map(place), labels: asLevel(labels.labels) };
}

function settleTimes(
  chart: Chart,
  times: readonly number[],
  { place, plotPx, widthPx }: { place(time: number): number; plotPx: number; widthPx: number },
): { labels: LevelLabel[]; times: number[] } {
  const label = (kept: readonly number[]): LevelLabel[] =>
    labelTimes(kept, chart.grain).map(({ time, lines }) => ({ x: place(time), lines }));
  if (times.length <= MOST_DATES) {
    const own = settleLevelLabels(label(times), widthPx);
    if (own.clear) return { labels: own.labels, times: [...times] };
  }
  for (let count = Math.floor(plotPx / TICK_PX) + 1; count > 1; count--) {
    const round = chooseTimes(findExtent(times), count, chart.grain);
    const settled = settleLevelLabels(label(round), widthPx);
    if (settled.clear && round.length > 1) return { labels: settled.labels, times: round };
  }
  const thinned = thinLevelLabels(times, widthPx, label);
  return { labels: thinned.labels, times: times.filter((_, index) => index % thinned.step === 0) };
}

function asLevel(level: LevelLabel[]): CategoryLabels {
  return { level, slanted: [], every: 1 };
}
