import type { Chart, ChartField, ChartRow } from "../markdown/charts/chart.ts";

/** The data of a chart as a table; null is a blank. */
export interface ChartTable {
  caption: string;
  columns: { name: string; figures: boolean }[];
  /** The field of each column. */
  fields: string[];
  rows: (string | null)[][];
}

/** Every row of a chart as written: x, the group where it is not x itself, y. */
export function tableOfChart(chart: Chart): ChartTable {
  const { x, y, color } = chart;
  const grouped = color !== null && color.field !== x.field;
  const fields: ChartField[] = grouped ? [x, color, y] : [x, y];
  return {
    caption: chart.title ?? `${y.title} by ${x.title}`,
    columns: fields.map(({ title, type }) => ({ name: title, figures: type === "quantitative" })),
    fields: fields.map(({ field }) => field),
    rows: chart.rows.map((row) => [
      String(row.x),
      ...(grouped ? [groupOf(chart, row)] : []),
      writeFigure(row.y),
    ]),
  };
}

function groupOf(chart: Chart, row: ChartRow): string {
  return chart.groups[row.group] ?? "";
}

function writeFigure(value: number | null): string | null {
  return value === null ? null : String(value);
}
