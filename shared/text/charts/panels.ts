import { type Chart, listAnnotated, splitFacets } from "../markdown/charts/chart.ts";
import { planHorizontal } from "./horizontal-panel.ts";
import { prepareMarks } from "./marks.ts";
import type { Panel, PanelRoom, Ruler } from "./panel.ts";
import { planUpright } from "./upright-panel.ts";
import { findDomain, findMagnitudeOf } from "./value-axis.ts";

/** Plans the panel of a chart, or one for each of its facets: all share the axes. */
export function planPanels(whole: Chart, room: PanelRoom): Panel[] {
  const charts = splitFacets(whole);
  const annotated = listAnnotated(whole.annotations, "y");
  const unscaled = charts.map((chart) => prepareMarks(chart, 1));
  // That of what is drawn: a stack leaves out what stands on a gap.
  const { factor, shift } = findMagnitudeOf(whole.y, [
    ...unscaled.flatMap((marks) => marks.values),
    ...annotated,
  ]);
  const scaled = factor === 1 ? unscaled : charts.map((chart) => prepareMarks(chart, factor));
  const values = [...scaled.flatMap((marks) => marks.values), ...annotated.map((value) => value * factor)];
  // The length of a bar or an area is its value, so both stand on zero; lines, points and bands only where it is near.
  const nearZero = isFilled(whole) && whole.y2 === null ? Number.POSITIVE_INFINITY : 1;
  const domain = findDomain(values, whole.y.scale, { factor, nearZero });
  const ruler: Ruler = { whole, marks: scaled, look: whole.y, domain, values, factor, shift };
  return scaled.map(whole.horizontal ? planHorizontal(ruler, room) : planUpright(ruler, room));
}

/** Whether marks cover a span of values. */
export function isFilled({ mark }: Chart): boolean {
  return mark === "bar" || mark === "area";
}
