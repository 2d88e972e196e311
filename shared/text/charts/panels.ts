import { type Chart, PLAIN_LOOK } from "../markdown/charts/chart.ts";
import { planHorizontal } from "./horizontal-panel.ts";
import { prepareMarks } from "./marks.ts";
import type { Panel, PanelRoom, Ruler } from "./panel.ts";
import { planUpright } from "./upright-panel.ts";
import { findDomain, findMagnitudeOf } from "./value-axis.ts";

/** Plans one panel for each of some charts, which share mark, fields and the scale of their values. */
export function planPanels(charts: readonly Chart[], room: PanelRoom): Panel[] {
  const unscaled = charts.map((chart) => ({ chart, marks: prepareMarks(chart, 1) }));
  // That of what is drawn: a stack leaves out what stands on a gap.
  const look = charts[0]?.y ?? PLAIN_LOOK;
  const { factor, shift } = findMagnitudeOf(
    look,
    unscaled.flatMap(({ marks }) => marks.values),
  );
  const scaled =
    factor === 1 ? unscaled : charts.map((chart) => ({ chart, marks: prepareMarks(chart, factor) }));
  const values = scaled.flatMap(({ marks }) => marks.values);
  // The length of a bar or an area is its value, so both stand on zero; lines and points only where it is near.
  const nearZero = charts.some(isFilled) ? Number.POSITIVE_INFINITY : 1;
  const domain = findDomain(values, look.scale, { factor, nearZero });
  const ruler: Ruler = { look, domain, values, factor, shift };
  return scaled.map(({ chart, marks }) =>
    chart.horizontal ? planHorizontal(chart, marks, ruler, room) : planUpright(chart, marks, ruler, room),
  );
}

/** Whether marks cover a span of values. */
export function isFilled({ mark }: Chart): boolean {
  return mark === "bar" || mark === "area";
}
