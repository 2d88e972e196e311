import type { Chart } from "../markdown/charts/chart.ts";
import { stackAreas, stackBars } from "./stack.ts";

/** Where the marks of a group end on the right: the `at` of its last mark, and the scaled value of the mark's middle. */
export interface GroupEnd {
  at: number;
  value: number;
}

/** The right end of each group's line, layer or part of the last bar; null for a group without one. */
export function findEnds(chart: Chart, factor: number): (GroupEnd | null)[] {
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
