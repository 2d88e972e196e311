import { quoteCsvText } from "../../tables/rows/text-rows.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { tableOfChart } from "./table-of-chart.ts";

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
