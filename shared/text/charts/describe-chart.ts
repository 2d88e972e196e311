import { isolate } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";

const NAMES = { bar: "Bar chart", line: "Line chart", area: "Area chart", point: "Point chart" } as const;

/** The name of a chart for readers who do not see it: its title, or a description of its fields. */
export function nameChart(chart: Chart): string {
  if (chart.title !== null) return chart.title;
  return `${NAMES[chart.mark]}: ${isolate(chart.y.title)} by ${isolate(chart.x.title)}`;
}

/** A description of a chart in sentences: the given one, then kind, size and the range of its values. */
export function describeChart(chart: Chart): string {
  const values = chart.rows.flatMap(({ y }) => (y === null ? [] : [y]));
  const low = Math.min(...values);
  const high = Math.max(...values);
  const groups =
    chart.color === null ? "" : `, ${count(chart.groups.length, "group")} by ${isolate(chart.color.title)}`;
  const range = low === high ? `is ${low}` : `runs from ${low} to ${high}`;
  const facts = `${NAMES[chart.mark]} of ${isolate(chart.y.title)} by ${isolate(chart.x.title)}${groups}, ${count(chart.rows.length, "row")}; ${isolate(chart.y.title)} ${range}.`;
  return chart.description === null ? facts : `${isolate(chart.description)} ${facts}`;
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}
