import { clipText } from "../../../shared/ground/text.ts";
import {
  type Dictionary,
  type DictionaryMember,
  findDictionary,
} from "../../../shared/tables/dictionary/dictionary.ts";
import { isNumberText } from "../../../shared/tables/inspection/column-types.ts";
import type { ShownColumn, TableStats } from "../../../shared/tables/statistics/brief-columns.ts";
import {
  type DateHistogram,
  findBinStart,
  findDayBefore,
} from "../../../shared/tables/statistics/date-histogram.ts";
import {
  mergeBins,
  type NumberHistogram,
  roundEdge,
} from "../../../shared/tables/statistics/number-histogram.ts";
import { drawHistogram, drawShare } from "../../../shared/text/drawing/column-shape.ts";
import { type Html, html, trustHtml } from "../parts/markup.ts";
import { countNoun, cutName, formatNumber, MOST_COLUMNS } from "../parts/words.ts";
import { renderMeaning } from "./table-cells.ts";

const MOST_TABLES = 10;
/** The columns of a file that stand open; the others are folded, unless they are few. */
const OPEN_COLUMNS = 12;
const FEW_COLUMNS = 3;
const MOST_TOP_VALUES = 4;
const VALUE_CHARACTERS = 28;
const MEAN_DIGITS = 6;
// Below this the commonest value is one of many, and its bar could not be seen.
const COMMON_SHARE = 0.02;

type Histogram = NonNullable<ShownColumn["histogram"]>;

/** The statistics of a file's tables, of values too where wanted; a wide file's are folded behind the first. */
export function renderStats(
  tables: readonly TableStats[],
  { label, dictionary }: { label: string; dictionary: DictionaryMember | null },
  withValues: boolean,
): Html | null {
  let left = MOST_COLUMNS;
  let open = OPEN_COLUMNS;
  const parts = tables.slice(0, MOST_TABLES).flatMap((table) => {
    const columns = table.columns.slice(0, left);
    left -= columns.length;
    const rest = columns.length - open;
    const shown = rest > 0 && (open === 0 || rest > FEW_COLUMNS) ? open : columns.length;
    open = Math.max(0, open - shown);
    const said = findDictionary(dictionary, table.table, tables.length === 1);
    return renderFolded({ of: table, label, withValues, said }, columns, shown);
  });
  return parts.length === 0 ? null : html`${parts}${renderRest(tables, MOST_COLUMNS - left)}`;
}

function renderRest(tables: readonly TableStats[], shown: number): Html | null {
  const total = tables.reduce((sum, table) => sum + table.columns.length + table.columns_left_out, 0);
  return total > shown
    ? html`<p class="small">The first ${shown} of ${countNoun(total, "column")}.</p>`
    : null;
}

interface StatsTable {
  of: TableStats;
  label: string;
  withValues: boolean;
  said: Dictionary | null;
}

function renderFolded(table: StatsTable, columns: ShownColumn[], shown: number): Html[] {
  const [first, others] = [columns.slice(0, shown), columns.slice(shown)];
  const isRest = first.length > 0;
  const open = isRest ? [renderTable(table, first, false)] : [];
  if (others.length === 0) return open;
  const name = table.of.table === null ? null : html` of <bdi>${cutName(table.of.table)}</bdi>`;
  const columnsWord = others.length === 1 ? "column" : "columns";
  const summary = html`Figures of ${others.length} ${isRest ? "more " : ""}${columnsWord}${name}`;
  return [
    ...open,
    html`<details><summary class="small">${summary}</summary>${renderTable(table, others, isRest)}</details>`,
  ];
}

function renderTable(
  { of, label, withValues, said }: StatsTable,
  columns: ShownColumn[],
  isRest: boolean,
): Html {
  const { table } = of;
  const shortTable = table === null ? null : cutName(table);
  const name = shortTable === null ? label : `${shortTable} in ${label}`;
  const shown = {
    hasNumbers: withValues && columns.some((column) => column.quartiles !== null),
    hasMissing: columns.some((column) => column.missing > 0),
  };
  return html`<div class="sheet stats" role="group" tabindex="0" aria-label="${isRest ? "More columns" : "Columns"} of ${name}"><table>
<caption>${shortTable === null ? `What each${isRest ? " other" : ""} column holds` : html`What each${isRest ? " other" : ""} column of <bdi>${shortTable}</bdi> holds`}</caption>
<thead><tr><th scope="col">Column</th>${withValues ? html`<th scope="col">Values</th>` : null}${listHeads(
    withValues,
    shown,
  ).map(renderHead)}</tr></thead>
<tbody>${columns.map((column) => renderColumn({ column, said }, withValues, shown))}</tbody>
</table></div>`;
}

/** What some column of a table has. */
interface Shown {
  hasNumbers: boolean;
  hasMissing: boolean;
}

function listHeads(withValues: boolean, { hasNumbers, hasMissing }: Shown): string[] {
  const values = withValues ? ["Min", ...(hasNumbers ? ["Median"] : []), "Max"] : [];
  return [
    "Count",
    "Blanks",
    ...(hasMissing ? ["Missing"] : []),
    "Distinct",
    ...values,
    ...(withValues && hasNumbers ? ["Mean"] : []),
  ];
}

/** The quartiles stand under the median, so that all figures of a column fit a page. */
function renderHead(head: string): Html {
  return html`<th scope="col" class="fg">${head}${head === "Median" ? html` <small>quartiles</small>` : null}</th>`;
}

function renderColumn(
  { column, said }: { column: ShownColumn; said: Dictionary | null },
  withValues: boolean,
  { hasNumbers, hasMissing }: Shown,
): Html {
  const { count, blanks, missing, distinct, distinct_over: over = 0 } = column;
  const cells = [count, blanks, ...(hasMissing ? [missing] : [])].map(formatNumber);
  const different = distinct === null ? `over ${formatNumber(over)}` : formatNumber(distinct);
  const counts = [...cells, different].map((figure) => renderFigure(figure));
  return html`<tr><th scope="row" dir="auto">${cutName(column.name)} <small>${column.type}</small>${renderMeaning(said, column.name)}</th>${
    withValues ? html`<td>${renderShape(column, said)}</td>` : null
  }${counts}${withValues ? renderValues(column, hasNumbers) : null}</tr>\n`;
}

function renderValues({ type, min, max, quartiles, mean }: ShownColumn, hasNumbers: boolean): Html[] {
  // The greatest of the codes 10115 and 9 is 9.
  const note = type === "text" && [min, max].some((end) => isNumberText(end ?? "")) ? "as text" : null;
  const [least, most] = [renderFigure(cutOrNull(min), note), renderFigure(cutOrNull(max), note)];
  return hasNumbers ? [least, renderMedian(quartiles), most, renderFigure(roundOrNull(mean))] : [least, most];
}

function renderMedian(quartiles: ShownColumn["quartiles"]): Html {
  if (quartiles === null) return html`<td></td>`;
  const [q1, median, q3] = [quartiles.q1, quartiles.median, quartiles.q3].map(roundFigure);
  return html`<td class="fg"><bdi>${median}</bdi> <small>${q1} to ${q3}</small></td>`;
}

function renderFigure(text: string | null, note: string | null = null): Html {
  if (text === null) return html`<td></td>`;
  return html`<td class="fg"><bdi>${text}</bdi>${note && html` <small>${note}</small>`}</td>`;
}

function cutOrNull(text: string | null): string | null {
  return text === null ? null : clipText(text, VALUE_CHARACTERS);
}

/** Quartiles and means are computed, so decimals are rounded; "0.1" and "0.30000000000000004" do not mix. */
function roundOrNull(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : roundFigure(value);
}

function roundFigure(value: number): string {
  const whole = String(Math.trunc(Math.abs(value))).length;
  return String(Number(value.toPrecision(Math.max(MEAN_DIGITS, whole))));
}

function renderShape(column: ShownColumn, said: Dictionary | null): Html | string | null {
  const { histogram, count, distinct } = column;
  if (count === 0) return null;
  const isIdentifier = said?.columns.some(({ name, role }) => name === column.name && role === "identifier");
  // Numbers that only name things have no shape.
  if (histogram !== null && !isIdentifier) return renderHistogram(histogram, column);
  if (distinct === count && count > 1) return "all different";
  return (column.top_values[0]?.count ?? 0) < count * COMMON_SHARE
    ? "none is common"
    : renderTopValues(column);
}

/** The drawing with the ends of its line below: of dates it is a line of time. */
function renderHistogram(stored: Histogram, column: ShownColumn): Html {
  const histogram = "unit" in stored ? stored : mergeBins(stored);
  const drawing = drawHistogram(histogram.counts, describeShape(histogram, column)).markup;
  const [first, last] =
    "unit" in histogram
      ? listDateEnds(histogram)
      : [histogram.from, histogram.to].map(roundEdge).map(writeEnd);
  return html`${trustHtml(drawing)}<p class="ends" aria-hidden="true"><span>${first}</span> <span>${last}</span></p>`;
}

/** Both ends have room for so many characters under the drawing. */
const END_CHARACTERS = 11;

function writeEnd(edge: number): string {
  const [written, short] = [String(edge), edge.toExponential()];
  return written.length > END_CHARACTERS && short.length < written.length ? short : written;
}

const WRITTEN_UNITS = { year: "0000", month: "0000-00", day: "0000-00-00" } as const;

/** The first and the last day, month or year, as far as the bins tell them apart. */
function listDateEnds({ from, to, unit }: DateHistogram): [string, string] {
  const cut = WRITTEN_UNITS[unit].length - "0000-00-00".length;
  const write = (day: string) => (cut === 0 ? day : day.slice(0, cut));
  return [write(from), write(findDayBefore(to))];
}

function describeShape(histogram: Histogram, { min, max }: ShownColumn): string {
  const { counts } = histogram;
  const fullest = counts.indexOf(Math.max(...counts));
  const most = countNoun(counts[fullest] ?? 0, "value");
  const span = "unit" in histogram ? nameDays(histogram, fullest) : nameNumbers(histogram, fullest);
  return `Histogram of ${counts.length} steps from ${min} to ${max}; the fullest, ${span}, has ${most}.`;
}

function nameDays(histogram: DateHistogram, bin: number): string {
  const first = findBinStart(histogram, bin);
  const last = findDayBefore(findBinStart(histogram, bin + 1));
  return first === last ? first : `${first} to ${last}`;
}

function nameNumbers({ from, to, counts }: NumberHistogram, bin: number): string {
  const width = (to - from) / counts.length;
  return `${roundEdge(from + width * bin)} to below ${roundEdge(from + width * (bin + 1))}`;
}

function renderTopValues({ top_values: top, count }: ShownColumn): Html {
  return html`<ol>${top.slice(0, MOST_TOP_VALUES).map(({ value, count: own }) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return html`<li><bdi>${cutOrNull(text)}</bdi> <small>${formatNumber(own)}</small>${trustHtml(drawShare(own / count).markup)}</li>`;
  })}</ol>`;
}
