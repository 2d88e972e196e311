import { type Chart, type ChartRow, listGroups, listRows, splitFacets } from "../markdown/charts/chart.ts";
import { findMagnitude } from "./value-axis.ts";

/** A row with the span that its mark covers, in scaled values: from `base` to `top`. */
export interface SpannedRow {
  row: ChartRow;
  base: number;
  top: number;
}

/** Stacks bars: positive values upwards from zero, negative ones downwards, groups in the order first seen. */
export function stackBars(chart: Chart, factor: number): SpannedRow[] {
  const ups = new Map<number, number>();
  const downs = new Map<number, number>();
  const spans: SpannedRow[] = [];
  for (const row of chart.rows.toSorted((one, other) => one.group - other.group)) {
    if (row.y === null) continue;
    const value = row.y * factor;
    const sums = value < 0 ? downs : ups;
    const base = sums.get(row.at) ?? 0;
    sums.set(row.at, base + value);
    spans.push({ row, base, top: base + value });
  }
  return spans;
}

/** One place of a layer; null where the group has a gap or has not begun. */
export type LayerPoint = { at: number; base: number; top: number } | null;

/**
 * Stacks areas: for each group its layer over all places of the chart. Between two of its own rows a group
 * runs straight, as a line would; before and after them it is absent. Where its value is missing it has a
 * gap, and so have the groups above, whose height is then unknown.
 */
export function stackAreas(chart: Chart, factor: number): LayerPoint[][] {
  const places = [...new Set(chart.rows.map(({ at }) => at))].sort((one, other) => one - other);
  const sums = new Map<number, number | null>();
  return listGroups(chart).map((group) => {
    const values = spreadValues(listRows(chart, group), places, factor);
    return places.map((at, index) => addPoint(sums, at, values[index]));
  });
}

/** The rows of stacked areas that have a value but no place, since a group below them has a gap there. */
export function listAboveGaps(whole: Chart): ChartRow[] {
  if (whole.mark !== "area" || whole.y2 !== null) return [];
  return splitFacets(whole).flatMap((chart) =>
    stackAreas(chart, 1).flatMap((layer, group) => {
      const drawn = new Set(layer.map((point) => point?.at));
      return listRows(chart, group).filter(({ at, y }) => y !== null && !drawn.has(at));
    }),
  );
}

/** Undefined is a group that is not there, null a value that is missing. */
function addPoint(
  sums: Map<number, number | null>,
  at: number,
  value: number | null | undefined,
): LayerPoint {
  const base = sums.get(at) ?? (sums.has(at) ? null : 0);
  if (value === undefined) return null;
  const top = value === null || base === null ? null : base + value;
  sums.set(at, top);
  return base === null || top === null ? null : { at, base, top };
}

/** The scaled values of a group's rows, which lie from left to right, at all places. */
function spreadValues(
  own: readonly ChartRow[],
  places: readonly number[],
  factor: number,
): (number | null | undefined)[] {
  // The distance of two places may leave the range of doubles.
  const scale = findMagnitude(places).factor;
  let next = 0;
  return places.map((at) => {
    while (next < own.length && (own[next]?.at ?? 0) < at) next++;
    const [before, after] = [own[next - 1], own[next]];
    if (after?.at === at) return after.y === null ? null : after.y * factor;
    if (before === undefined || after === undefined) return undefined;
    if (before.y === null || after.y === null) return null;
    const span = after.at * scale - before.at * scale;
    const share = span === 0 ? 0 : (at * scale - before.at * scale) / span;
    return before.y * factor * (1 - share) + after.y * factor * share;
  });
}
