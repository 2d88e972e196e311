import { countNoun } from "../../ground/text.ts";
import { quoteCsvText } from "../../tables/rows/text-rows.ts";
import { isolate } from "../drawing/svg.ts";
import type { Chart, ChartField } from "../markdown/charts/chart.ts";
import { noteTimes, sayNumber } from "./field-words.ts";

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
    chart.color === null
      ? ""
      : `, ${countNoun(chart.groups.length, "group")} by ${isolate(chart.color.title)}`;
  const say = (value: number): string => sayNumber(chart.y, value);
  const range = low === high ? `is ${say(low)}` : `runs from ${say(low)} to ${say(high)}`;
  const [ofX, ofY] = [chart.x.scale.log, chart.y.scale.log].map((log) => (log ? " (log scale)" : ""));
  const facts = `${NAMES[chart.mark]} of ${isolate(chart.y.title)}${ofY} by ${isolate(chart.x.title)}${ofX}${noteTimes(chart)}${groups}, ${countNoun(chart.rows.length, "row")}; ${isolate(chart.y.title)} ${range}.`;
  return chart.description === null ? facts : `${isolate(chart.description)} ${facts}`;
}

/** The data of a chart as a table; null is a blank. */
export type ChartTable = ReturnType<typeof tableOfChart>;

/** Every row of a chart as written: x, the group where it is not x itself, y. */
export function tableOfChart(chart: Chart) {
  const { x, y, color } = chart;
  const grouped = color !== null && color.field !== x.field;
  const fields: ChartField[] = grouped ? [x, color, y] : [x, y];
  return {
    caption: chart.title ?? `${y.title} by ${x.title}`,
    columns: fields.map(({ title, type }) => ({ name: title, figures: type === "quantitative" })),
    /** The field of each column. */
    fields: fields.map(({ field }) => field),
    rows: chart.rows.map((row) => [
      String(row.x),
      ...(grouped ? [chart.groups[row.group] ?? ""] : []),
      row.y === null ? null : String(row.y),
    ]),
  };
}

/**
 * The rows of a chart as CSV (RFC 4180): those of the table beside it, under the names of the fields. A field that two
 * encodings use is one column.
 */
export function writeChartCsv(chart: Chart): string {
  const { fields, rows } = tableOfChart(chart);
  const kept = fields.flatMap((field, index) => (fields.indexOf(field) === index ? [index] : []));
  const lines = [fields, ...rows].map((cells) => kept.map((index) => writeCell(cells[index])).join(","));
  return lines.map((line) => `${line}\r\n`).join("");
}

/** A blank cell has no quotes, as in every export. */
function writeCell(cell: string | null | undefined): string {
  return cell === null || cell === undefined || cell === "" ? "" : quoteCsvText(cell);
}
