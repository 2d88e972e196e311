import type { showFiles } from "../../../shared/datasets/uploads/shown-statistics.ts";
import { clipText } from "../../../shared/ground/text.ts";
import type { Dialect } from "../../../shared/tables/dialects/dialect.ts";
import { findDictionary } from "../../../shared/tables/dictionary/dictionary.ts";
import type { Cell, Column, Outline } from "../../../shared/tables/inspection/verdict.ts";
import type { ParquetForm } from "../../../shared/text/metadata/described-work.ts";
import { markLanguage } from "../parts/language.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun, cutName, formatBytes, MOST_COLUMNS } from "../parts/words.ts";
import { renderStats } from "./creation-stats.ts";
import { markFigure, renderMeaning } from "./table-cells.ts";

/** A file of the public creation JSON, with the part of its content that the page shows. */
export interface FileView extends Omit<Awaited<ReturnType<typeof showFiles>>[number], "parquet_url"> {
  /** The page of the table; null where there is none. */
  tablePageUrl: string | null;
  /** The address that stays while revisions come; null where there is none. */
  latestUrl: string | null;
  /** The tables that are made as Parquet; none on a page that is not public. */
  parquet: ParquetForm[];
}

const CELL_CHARACTERS = 160;
const MOST_TABLES = 20;
const MOST_ADDRESS_CHARACTERS = 2_048;
const FORMAT_WORDS = {
  csv: "CSV",
  json: "JSON",
  jsonl: "JSON Lines",
  txt: "Plain text",
  md: "Markdown",
} as const;

/** The files of a creation; sample rows and outlines only where the agent lets the page show them. */
export function renderFiles(files: FileView[], showPreview: boolean): Html | null {
  if (files.length === 0) return null;
  return html`<section aria-labelledby="files"><h2 id="files">${files.length === 1 ? "The file" : "The files"}</h2>
${files.map((file, index) => renderFile(file, showPreview, `file-${index + 1}`))}</section>`;
}

function renderFile(file: FileView, showPreview: boolean, id: string): Html {
  const reading = file.dialect && describeReading(file.dialect, file.leftOut);
  return html`<div class="file" id="${id}">
<h3${markLanguage(file.label)}>${file.label}</h3>
<p class="small">${describeFile(file)}</p>
${reading ? html`<p class="small">${reading}</p>` : null}
${file.notes ? html`<p${markLanguage(file.notes)}>${file.notes}</p>` : null}
${renderChecks(file)}${renderInside(file, showPreview)}
<dl class="grid">
${file.tablePageUrl ? html`<dt>Table</dt><dd><a href="${file.tablePageUrl}">Sort, filter and count its rows</a></dd>` : null}
<dt>Download</dt><dd><a href="${file.url}" download>${FORMAT_WORDS[file.format]}, ${formatBytes(file.bytes)}<span class="hush">: ${isolate(file.label)}</span></a></dd>
${
  file.canonicalUrl
    ? html`<dt>As it is read</dt><dd><a href="${file.canonicalUrl}" download>CSV in UTF-8 with commas<span class="hush">: ${isolate(file.label)}</span></a></dd>
`
    : null
}${renderParquet(file)}${file.rows_url ? html`<dt>Rows as JSON</dt><dd>${renderAddress("The first 100 rows", addressRows(file))}</dd>` : null}
${file.statsUrl ? html`<dt>Statistics as JSON</dt><dd>${renderAddress("Every column", addressTable(file, file.statsUrl))}</dd>` : null}
${file.latestUrl ? html`<dt>Always the newest</dt><dd>${renderAddress(FORMAT_WORDS[file.format], file.latestUrl)}</dd>` : null}
<dt>SHA-256</dt><dd class="hash">${file.content_sha256}</dd>
</dl>
</div>`;
}

const SEPARATORS = new Map([
  [";", "semicolons"],
  ["\t", "tabs"],
  ["|", "vertical bars"],
]);

/** How the table of a file is read, in one sentence. */
function describeReading({ delimiter = ",", ...dialect }: Dialect, leftOut: number): string {
  const isComma = delimiter === ",";
  const { header, headerRows = [], encoding, decimalChar, groupChar } = dialect;
  const ways = [
    ...(isComma ? [] : [SEPARATORS.get(delimiter) ?? `"${delimiter}" between values`]),
    ...(decimalChar === "," ? ["decimal commas"] : []),
    ...(groupChar === undefined ? [] : ["digits in groups"]),
    ...(headerRows.length > 1 ? [`names from ${headerRows.length} rows`] : []),
    ...(header === false ? ["names made for its columns"] : []),
    ...(encoding === undefined ? [] : [`the encoding ${encoding}`]),
  ];
  const with_ = ways.length === 0 ? "" : ` with ${new Intl.ListFormat("en").format(ways)}`;
  const rest = leftOut === 0 ? "" : `; ${countNoun(leftOut, "row")} left out`;
  return `Read${with_}${rest}`;
}

/** The one table of a file as Parquet; several have addresses in the data of the page. */
function renderParquet({ parquet: [form, ...others], label }: FileView): Html | null {
  if (form === undefined || others.length > 0) return null;
  return html`<dt>Parquet</dt><dd><a href="${form.url}" download>${formatBytes(form.bytes)}<span class="hush">: ${isolate(label)}, as Parquet</span></a></dd>
`;
}

/** An address to open and, beside it, to copy: one click selects it all. */
function renderAddress(words: string, url: string): Html {
  return html`<a href="${url}" type="application/json">${words}</a> <code class="copy">${url}</code>`;
}

function addressRows(file: FileView): string {
  const address = addressTable(file, file.rows_url ?? "");
  return `${address}${address === file.rows_url ? "?" : "&"}limit=100`;
}

// A document with several lists answers only when one of them is named.
function addressTable({ tables: [table, ...others] }: FileView, url: string): string {
  if (table === undefined || others.length === 0) return url;
  const address = `${url}?table=${encodeURIComponent(table)}`;
  return address.length > MOST_ADDRESS_CHARACTERS ? url : address;
}

function describeFile({ format, bytes, inspection, tables }: FileView): string {
  const facts: string[] = [FORMAT_WORDS[format], formatBytes(bytes)];
  if (inspection) facts.push(countNoun(inspection.row_count, "row"));
  if (inspection && inspection.columns.length > 0) facts.push(countNoun(inspection.columns.length, "column"));
  if (tables.length > 0) facts.push(`tables ${listTables(tables)}`);
  return facts.join(" · ");
}

function renderChecks({ checks, inspection }: FileView): Html | null {
  if (checks === null || checks.rules === 0) return null;
  const rows = inspection ? countNoun(inspection.row_count, "row") : "rows";
  const hold = checks.rules === 1 ? "holds" : "hold";
  return html`<p class="small">${countNoun(checks.rules, "rule")} ${hold} for all ${rows}.</p>`;
}

function listTables(tables: string[]): string {
  const names = tables.slice(0, MOST_TABLES).map(cutName).join(", ");
  return tables.length > MOST_TABLES ? `${names} and ${tables.length - MOST_TABLES} more` : names;
}

function renderInside(file: FileView, showPreview: boolean): Html | null {
  const columns = file.inspection?.columns ?? [];
  const stats = file.stats === null ? null : renderStats(file.stats, file, showPreview);
  if (showPreview && file.sample && file.sample.rows.length > 0) {
    // Figures come later than the file; what its agent says of its columns is there at once.
    const meanings = file.dictionary === null ? null : renderColumns(file, columns);
    return html`${renderSampleRows(file, columns, file.sample)}${stats ?? meanings}`;
  }
  if (columns.length > 0) return stats ?? renderColumns(file, columns);
  if (showPreview && file.outline) return html`${renderOutline(file.outline, file.label)}${stats}`;
  return stats;
}

function renderSampleRows(file: FileView, columns: Column[], sample: NonNullable<FileView["sample"]>): Html {
  const typed = sample.columns
    .slice(0, MOST_COLUMNS)
    .map(
      (name) => columns.find((column) => column.name === name) ?? { name, type: "text" as const, blanks: 0 },
    );
  const total = file.inspection?.row_count ?? sample.rows.length;
  const shown =
    sample.rows.length < total
      ? html`The first ${sample.rows.length} of ${countNoun(total, "row")}.${renderWayToRows(file)}`
      : html`All ${countNoun(total, "row")}.`;
  return html`<div class="sheet" role="group" tabindex="0" aria-label="Rows of ${file.label}"><table>
<thead><tr>${typed.map(renderColumnHead)}</tr></thead>
<tbody>${sample.rows.map((row) => html`<tr>${typed.map((column, index) => renderCell(row[index] ?? null, column))}</tr>\n`)}</tbody>
</table></div>
<p class="small">${shown}${columns.length > MOST_COLUMNS ? ` ${describeRest(columns)}` : ""}</p>`;
}

function renderWayToRows(file: FileView): Html | null {
  if (file.rows_url === null) return null;
  const linkTo = (format: string, words: string) =>
    html`<a href="${addressTable(file, `${file.rows_url}/all.${format}`)}">${words}</a>`;
  const page = file.tablePageUrl ? html`<a href="${file.tablePageUrl}">as a page</a>, ` : null;
  return html` All of them: ${page}${linkTo("csv", "as CSV")}, ${linkTo("ndjson", "as JSON lines")}.`;
}

function describeRest(columns: Column[]): string {
  return `The first ${MOST_COLUMNS} of ${countNoun(columns.length, "column")}.`;
}

function renderColumnHead(column: Column): Html {
  const blanks = column.blanks > 0 ? `, ${countNoun(column.blanks, "blank")}` : "";
  return html`<th scope="col"${markFigure(column)}><bdi>${cutName(column.name)}</bdi> <small>${column.type}${blanks}</small></th>`;
}

function renderCell(cell: Cell, column: Column): Html {
  if (cell === null || cell === "") return html`<td class="blank" aria-label="blank"></td>`;
  const text = typeof cell === "string" ? cell : JSON.stringify(cell);
  return html`<td${markFigure(column)} dir="auto">${clipText(text, CELL_CHARACTERS)}</td>`;
}

/** The columns of a table without statistics. */
export function renderColumns(file: Pick<FileView, "label" | "dictionary">, columns: Column[]): Html {
  const said = findDictionary(file.dictionary, null, true);
  return html`<div class="sheet" role="group" tabindex="0" aria-label="Columns of ${file.label}"><table>
<thead><tr><th scope="col">Column</th><th scope="col">Type</th><th scope="col" class="fg">Blanks</th></tr></thead>
<tbody>${columns
    .slice(0, MOST_COLUMNS)
    .map(
      ({ name, type, blanks }) =>
        html`<tr><td dir="auto">${cutName(name)}${renderMeaning(said, name)}</td><td>${type}</td><td class="fg">${blanks}</td></tr>\n`,
    )}</tbody>
</table></div>${columns.length > MOST_COLUMNS ? html`<p class="small">${describeRest(columns)}</p>` : null}`;
}

function renderOutline(outline: Outline, label: string): Html {
  return html`<div class="outline" role="group" tabindex="0" aria-label="Outline of ${label}"><ul><li><small>${describeNode(outline)}</small>${renderMembers(outline)}</li></ul></div>`;
}

function renderMembers(node: Outline): Html | null {
  const members = node.members ?? node.first_item?.members ?? [];
  if (members.length > 0) {
    const left = (node.members ? (node.count ?? 0) : (node.first_item?.count ?? 0)) - members.length;
    return html`<ul>${members.map(
      (member) =>
        html`<li><b>${isolate(member.name)}</b> <small>${describeNode(member)}</small>${renderMembers(member)}</li>\n`,
    )}${left > 0 ? html`<li><small>and ${countNoun(left, "more member")}</small></li>` : null}</ul>`;
  }
  return node.first_item
    ? html`<ul><li><small>first: ${describeNode(node.first_item)}</small>${renderMembers(node.first_item)}</li></ul>`
    : null;
}

function describeNode(node: Outline): string {
  if (node.type === "object") return `object, ${countNoun(node.count ?? 0, "member")}`;
  if (node.type !== "array") return node.type;
  const kinds = (node.item_types ?? []).join(" or ");
  return `list, ${countNoun(node.count ?? 0, "item")}${kinds ? `, each ${kinds}` : ""}`;
}
