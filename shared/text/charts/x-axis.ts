import { type Chart, type ChartRow, type FieldLook, listAnnotated } from "../markdown/charts/chart.ts";
import {
  arrangeCategoryLabels,
  type CategoryLabels,
  findSlantedEdge,
  type LevelLabel,
  settleLevelLabels,
  thinLevelLabels,
} from "./labels.ts";
import { chooseTimes, labelTimes } from "./times.ts";
import {
  countTicks,
  createValueAxis,
  findDomain,
  findExtent,
  findMagnitudeOf,
  type Measure,
} from "./value-axis.ts";

/** The horizontal axis of a chart within a frame. */
export interface XAxis {
  left: number;
  right: number;
  /** The centre in px of the mark at a row's `at`. */
  place(at: number): number;
  /** Width in px of a bar. */
  barPx: number;
  /** How far in px what stands at a place reaches to both sides of it. */
  reachPx: number;
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
/** On a smaller width, that of a small chart, ticks lie closer, for few of them leave too much of an axis empty. */
const SMALL_PX = 300;
const SMALL_TICK_PX = 44;
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
  const place = (at: number) => start + at * spread.stepPx;
  return { left: edge, right, place, barPx, reachPx: spread.stepPx / 2, ticks, labels };
}

function spreadCategories(count: number, left: number, right: number): { stepPx: number; centers: number[] } {
  const stepPx = (right - left) / Math.max(1, count);
  return { stepPx, centers: Array.from({ length: count }, (_, index) => left + (index + 0.5) * stepPx) };
}

function chooseBar(stepPx: number): number {
  return stepPx < CLOSE_PX ? stepPx : Math.min(MOST_BAR_PX, stepPx * BAR_SHARE);
}

function createNumberAxis(chart: Chart, left: number, right: number, widthPx: number): XAxis {
  const values = [...chart.rows.map(({ at }) => at), ...listAnnotated(chart.annotations, "x")];
  const { factor, shift } = findMagnitudeOf(chart.x, values);
  const scaled = values.map((value) => value * factor);
  const domain = findDomain(scaled, chart.x.scale, { factor, nearZero: NEAR_ZERO });
  const [from, to] = [left + INSET_PX, right - INSET_PX];
  const tickPx = widthPx < SMALL_PX ? SMALL_TICK_PX : TICK_PX;
  const most = Math.max(2, Math.floor((right - left) / tickPx));
  const least = widthPx < SMALL_PX ? 2 : 1;
  const axis = fitNumbers(
    { look: lookOfNumbers(chart), domain, values: scaled, shift },
    { from, to, most, least, widthPx },
  );
  const place = (at: number) => axis.toPx(axis.place(at * factor));
  return { left, right, place, barPx: 0, reachPx: 0, ticks: axis.ticks, labels: asLevel(axis.labels) };
}

/** Whole numbers from 1000 to 2999 across a chart are read as years, which have no comma. */
function lookOfNumbers({ x, rows }: Chart): FieldLook {
  const isYear = ({ at }: ChartRow) => Number.isInteger(at) && at >= 1000 && at < 3000;
  return x.format === null && rows.every(isYear) ? { ...x, format: "d" } : x;
}

/** Numbers from left to right: where they lie, and ticks of `most` to `least` whose labels stand clear of each other. */
export function fitNumbers(
  ruler: Measure,
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
  const [first, last] = findExtent([...times, ...listAnnotated(chart.annotations, "x")]);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const gap = gaps.length === 0 ? last - first : Math.min(...gaps);
  const bars = chart.mark === "bar";
  // Half a gap on both sides keeps the outer bars inside; one date alone stands in the middle.
  const pad = last === first ? 1 : bars ? gap / 2 : 0;
  const [from, to] = bars ? [left, right] : [left + INSET_PX, right - INSET_PX];
  const scale = (to - from) / (last - first + 2 * pad);
  const place = (time: number): number => from + (time - first + pad) * scale;
  const stepPx = last === first ? right - left : gap * scale;
  const barPx = Math.max(1, chooseBar(stepPx));
  const labels = settleTimes(chart, times, { place, span: [first, last], plotPx: right - left, widthPx });
  const ticks = labels.times.map(place);
  return { left, right, place, barPx, reachPx: bars ? barPx / 2 : 0, ticks, labels: asLevel(labels.labels) };
}

function settleTimes(
  chart: Chart,
  times: readonly number[],
  axis: { place(time: number): number; span: [number, number]; plotPx: number; widthPx: number },
): { labels: LevelLabel[]; times: number[] } {
  const { place, span, plotPx, widthPx } = axis;
  const label = (kept: readonly number[]): LevelLabel[] =>
    labelTimes(kept, chart.grain).map(({ time, lines }) => ({ x: place(time), lines }));
  if (times.length <= MOST_DATES) {
    const own = settleLevelLabels(label(times), widthPx);
    if (own.clear) return { labels: own.labels, times: [...times] };
  }
  for (let count = Math.floor(plotPx / TICK_PX) + 1; count > 1; count--) {
    const round = chooseTimes(span, count, chart.grain);
    const settled = settleLevelLabels(label(round), widthPx);
    if (settled.clear && round.length > 1) return { labels: settled.labels, times: round };
  }
  const thinned = thinLevelLabels(times, widthPx, label);
  return { labels: thinned.labels, times: times.filter((_, index) => index % thinned.step === 0) };
}

function asLevel(level: LevelLabel[]): CategoryLabels {
  return { level, slanted: [], every: 1 };
}
