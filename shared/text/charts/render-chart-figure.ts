import { escapeText } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { type ChartTable, describeAnnotations, describeMissing, tableOfChart } from "./chart-words.ts";
import { drawChart } from "./draw-chart.ts";

/** So many rows of a table stand open; a part that opens has the others. */
const OPEN_ROWS = 50;

/** The HTML of a chart on a page: drawn for a column and for a phone, its caption where it has a description, and its data as a table. */
export function renderChartFigure(
  chart: Chart,
  { idPrefix, number }: { idPrefix: string; number: number },
): string {
  return [
    '<figure class="chart">',
    drawChart(chart, { idPrefix, size: "wide" }),
    drawChart(chart, { idPrefix: `${idPrefix}-n`, size: "narrow" }),
    "<details><summary>Data as a table</summary>",
    ...renderData(chart, number),
  ].join("\n");
}

/** A chart that is not drawn: its data as a table, open, and its caption where it has a description. */
export function renderChartAsText(chart: Chart, number: number): string {
  return [
    '<figure class="chart">',
    "<details open><summary>Data as a table</summary>",
    ...renderData(chart, number),
  ].join("\n");
}

function renderData(chart: Chart, number: number): string[] {
  // "Chart 1." alone would say nothing.
  const caption =
    chart.description === null ? "" : `<figcaption>Chart ${number}. ${quote(chart.description)}</figcaption>`;
  const table = tableOfChart(chart);
  return [
    ...[...describeAnnotations(chart), ...describeMissing(chart)].map(
      (sentence) => `<p>${escapeText(sentence)}</p>`,
    ),
    `${renderScrolled({ ...table, rows: table.rows.slice(0, OPEN_ROWS) }, `Data of chart ${number}`)}${renderFolded(table, number)}</details>`,
    // A caption is the last child, as HTML has it; the stylesheet shows it above the folded table.
    `${caption}</figure>`,
  ];
}

/** The rows after the first ones, in a part that opens. */
function renderFolded(table: ChartTable, number: number): string {
  const rows = table.rows.slice(OPEN_ROWS);
  if (rows.length === 0) return "";
  const which = rows.length === 1 ? `row ${OPEN_ROWS + 1}` : `rows ${OPEN_ROWS + 1} to ${table.rows.length}`;
  const caption = `${table.caption}, ${which}`;
  const part = renderScrolled({ ...table, caption, rows }, `Data of chart ${number}, ${which}`);
  return `\n<details><summary>R${which.slice(1)}</summary>\n${part}</details>\n`;
}

function renderScrolled(table: ChartTable, label: string): string {
  return [
    `<div class="table-scroll" role="group" tabindex="0" aria-label="${label}">`,
    renderTable(table),
    "</div>",
  ].join("\n");
}

function renderTable({ caption, columns, rows }: ChartTable): string {
  const head = columns.map(
    ({ name, figures }) => `<th scope="col"${figures ? ' class="fg"' : ""}>${quote(name)}</th>`,
  );
  const body = rows.map(
    (row) => `<tr>${row.map((cell, index) => renderCell(cell, columns[index]?.figures)).join("")}</tr>`,
  );
  return `<table><caption>${quote(caption)}</caption>\n<thead><tr>${head.join("")}</tr></thead>\n<tbody>${body.join("\n")}</tbody></table>`;
}

function renderCell(cell: string | null, figures: boolean | undefined): string {
  if (cell === null || cell === "") return '<td class="blank"></td>';
  return figures ? `<td class="fg">${escapeText(cell)}</td>` : `<td>${quote(cell)}</td>`;
}

// Up to here all letters run from left to right and no character turns text around.
const MAY_TURN = /[^\u0000-\u058f]/;

/** Text whose direction ends with it. */
function quote(text: string): string {
  return MAY_TURN.test(text) ? `<bdi>${escapeText(text)}</bdi>` : escapeText(text);
}
