import { drawHistogram, drawShare } from "../../../shared/core/draw/column-shape.ts";
import {
  type DateHistogram,
  findBinStart,
  findDayBefore,
} from "../../../shared/core/stats/date-histogram.ts";
import type { NumberHistogram } from "../../../shared/core/stats/number-histogram.ts";
import type { ShownColumn, TableStats } from "../../../shared/core/stats/read-stats.ts";
import { type Html, html, trustHtml } from "../parts/markup.ts";
import { countNoun, cutName, cutText, MOST_COLUMNS } from "../parts/words.ts";

const MOST_TABLES = 10;
const MOST_TOP_VALUES = 4;
const VALUE_CHARACTERS = 28;
const MEAN_DIGITS = 6;
// Below this the commonest value is one of many, and its bar could not be seen.
const COMMON_SHARE = 0.02;

type Histogram = NonNullable<ShownColumn["histogram"]>;

/** The statistics of a file's tables: all of each column, or only how many values it has where no preview is wanted. */
export function renderStats(tables: readonly TableStats[], label: string, withValues: boolean): Html | null {
  let left = MOST_COLUMNS;
  const parts = tables.slice(0, MOST_TABLES).flatMap((table) => {
    const columns = table.columns.slice(0, left);
    left -= columns.length;
    return columns.length === 0 ? [] : [renderTable(table, columns, label, withValues)];
  });
  return parts.length === 0 ? null : html`${parts}${renderRest(tables, MOST_COLUMNS - left)}`;
}

function renderRest(tables: readonly TableStats[], shown: number): Html | null {
  const total = tables.reduce((sum, table) => sum + table.columns.length + table.columns_left_out, 0);
  return total > shown
    ? html`<p class="small">The first ${shown} of ${countNoun(total, "column")}.</p>`
    : null;
}

function renderTable(
  { table }: TableStats,
  columns: ShownColumn[],
  label: string,
  withValues: boolean,
): Html {
  const shortTable = table === null ? null : cutName(table);
  const name = shortTable === null ? label : `${shortTable} in ${label}`;
  const hasNumbers = withValues && columns.some((column) => column.quartiles !== null);
  return html`<div class="sheet stats" role="group" tabindex="0" aria-label="Columns of ${name}"><table>
<caption>${shortTable === null ? "What each column holds" : html`What each column of <bdi>${shortTable}</bdi> holds`}</caption>
<thead><tr><th scope="col">Column</th>${withValues ? html`<th scope="col">Values</th>` : null}${listHeads(
    withValues,
    hasNumbers,
  ).map((head) => html`<th scope="col" class="figure">${head}</th>`)}</tr></thead>
<tbody>${columns.map((column) => renderColumn(column, withValues, hasNumbers))}</tbody>
</table></div>`;
}

function listHeads(withValues: boolean, hasNumbers: boolean): string[] {
  const quartiles = hasNumbers ? ["Lower quartile", "Median", "Upper quartile"] : [];
  const values = withValues ? ["Min", ...quartiles, "Max", ...(hasNumbers ? ["Mean"] : [])] : [];
  return ["Count", "Blanks", "Distinct", ...values];
}

function renderColumn(column: ShownColumn, withValues: boolean, hasNumbers: boolean): Html {
  const { count, blanks, distinct } = column;
  const figures = [count, blanks, distinct].map((figure): string | null => COUNTS.format(figure));
  if (withValues) figures.push(...listValues(column, hasNumbers));
  return html`<tr><th scope="row" dir="auto">${cutName(column.name)} <small>${column.type}</small></th>${
    withValues ? html`<td>${renderShape(column)}</td>` : null
  }${figures.map(renderFigure)}</tr>\n`;
}

function listValues({ min, max, quartiles, mean }: ShownColumn, hasNumbers: boolean): (string | null)[] {
  if (!hasNumbers) return [cutOrNull(min), cutOrNull(max)];
  const [q1 = null, median = null, q3 = null] = [quartiles?.q1, quartiles?.median, quartiles?.q3].map(
    roundOrNull,
  );
  return [cutOrNull(min), q1, median, q3, cutOrNull(max), roundOrNull(mean)];
}

const COUNTS = new Intl.NumberFormat("en-GB");

function renderFigure(text: string | null): Html {
  return text === null ? html`<td></td>` : html`<td class="figure"><bdi>${text}</bdi></td>`;
}

function cutOrNull(text: string | null): string | null {
  return text === null ? null : cutText(text, VALUE_CHARACTERS);
}

/** Quartiles and means are computed, so they are rounded; "0.1" and "0.30000000000000004" do not mix. */
function roundOrNull(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : roundFigure(value);
}

function roundFigure(value: number): string {
  return String(Number(value.toPrecision(MEAN_DIGITS)));
}

function renderShape(column: ShownColumn): Html | string | null {
  const { histogram, count, distinct } = column;
  if (count === 0) return null;
  if (histogram !== null)
    return trustHtml(drawHistogram(histogram.counts, describeShape(histogram, column)).markup);
  if (distinct === count && count > 1) return "all different";
  return (column.top_values[0]?.count ?? 0) < count * COMMON_SHARE
    ? "none is common"
    : renderTopValues(column);
}

function describeShape(histogram: Histogram, { min, max }: ShownColumn): string {
  const { counts } = histogram;
  const fullest = counts.indexOf(Math.max(...counts));
  const most = countNoun(counts[fullest] ?? 0, "value");
  const [first, last] =
    "unit" in histogram ? listDays(histogram, fullest) : listNumbers(histogram, max, fullest);
  const span = first === last ? first : `${first} to ${last}`;
  return `Histogram of ${counts.length} steps from ${min} to ${max}; the fullest, ${span}, has ${most}.`;
}

function listDays(histogram: DateHistogram, bin: number): [string, string] {
  return [findBinStart(histogram, bin), findDayBefore(findBinStart(histogram, bin + 1))];
}

/** The edges of a bin, or its first and last whole number: only bins of whole numbers end above the largest. */
function listNumbers(
  { from, to, counts }: NumberHistogram,
  max: string | null,
  bin: number,
): [string, string] {
  const width = (to - from) / counts.length;
  const [first, end] = [from + width * bin, from + width * (bin + 1)];
  if (Number(max) < to) return [String(first), String(end - 1)];
  return [roundFigure(first), roundFigure(end)];
}

function renderTopValues({ top_values: top, count }: ShownColumn): Html {
  return html`<ol>${top.slice(0, MOST_TOP_VALUES).map(({ value, count: own }) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return html`<li><bdi>${cutOrNull(text)}</bdi> <small>${COUNTS.format(own)}</small>${trustHtml(drawShare(own / count).markup)}</li>`;
  })}</ol>`;
}
