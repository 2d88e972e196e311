import type { Chart, ChartRow } from "./chart.ts";
import { type ProblemList, showValue } from "./problems.ts";

type NumberedRow = ChartRow & { number: number };

const MOST_GROUPS = 8;
const MOST_POINT_GROUPS = 3;

/**
 * Notes the problems between rows: too many groups, nothing to draw, a repeated x, a negative value in a
 * stack.
 */
export function checkRows(chart: Chart, rows: readonly NumberedRow[], problems: ProblemList): void {
  const most = chart.mark === "point" ? MOST_POINT_GROUPS : MOST_GROUPS;
  if (chart.groups.length > most) {
    const mark = chart.mark === "point" ? "point" : `${chart.mark}`;
    problems.add(
      "encoding.color",
      `gives ${chart.groups.length} groups; a ${mark} chart may have ${most}. Put the smallest together as one.`,
    );
  }
  if (rows.length > 0 && rows.every(({ y }) => y === null)) {
    problems.add("encoding.y.field", `names ${showValue(chart.y.field)}, which has no value in any row.`);
  }
  if (chart.mark === "bar" || chart.mark === "area") requireUnique(chart, rows, problems);
  if (chart.mark === "area" && chart.color !== null) refuseNegatives(chart, rows, problems);
}

function requireUnique(chart: Chart, rows: readonly NumberedRow[], problems: ProblemList): void {
  const first = new Map<string, number>();
  for (const row of rows) {
    const key = `${row.group} ${row.at}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, row.number);
    else problems.addOfRow(row.number - 1, chart.x.field, "repeated x", describeRepeat(chart, row, earlier));
  }
}

function describeRepeat(chart: Chart, row: NumberedRow, earlier: number): string {
  const group = chart.color === null ? "" : ` in the group ${showValue(chart.groups[row.group])}`;
  const mend = chart.color === null ? "add them up, or tell them apart by encoding.color" : "add them up";
  return `repeats ${showValue(row.x)} of row ${earlier}${group}; ${chart.mark === "bar" ? "bars" : "areas"} take one row each: ${mend}.`;
}

function refuseNegatives(chart: Chart, rows: readonly NumberedRow[], problems: ProblemList): void {
  for (const { y, number } of rows) {
    if (y === null || y >= 0) continue;
    const mend = "use lines, or leave encoding.color out";
    problems.addOfRow(
      number - 1,
      chart.y.field,
      "negative",
      `must not be negative in stacked areas, got ${y}; ${mend}.`,
    );
  }
}
