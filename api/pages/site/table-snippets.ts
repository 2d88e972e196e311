import { readChecks } from "../../../shared/datasets/uploads/public-files.ts";
import { findShownForms } from "../../../shared/datasets/uploads/shown-statistics.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { DictionaryColumn } from "../../../shared/tables/dictionary/dictionary.ts";
import type { DescribedCells } from "../../../shared/tables/dictionary/table-rules.ts";
import type { Column } from "../../../shared/tables/inspection/verdict.ts";
import type { ShownColumn } from "../../../shared/tables/statistics/brief-columns.ts";
import { type ColumnForm, isLongNumber } from "../../../shared/tables/statistics/column-form.ts";
import type { DataColumn, DataFile } from "../../../shared/text/snippets/data-file.ts";
import { type AskedPage, findMeaning, nameIfSeveral } from "./asked-table.ts";

/** The types of more columns, or of longer names, would be most of a page. */
const MOST_TYPED_COLUMNS = 20;
const MOST_NAME_CHARACTERS = 80;
/** Longer texts for blank cells would be most of a page too: columns then are as the file has them. */
const MOST_MISSING_CHARACTERS = 400;

/** What the snippets of a table name; a column that may have a number that no double holds counts as text. */
export async function toDataFile(deps: Deps, page: AskedPage): Promise<DataFile> {
  const { file, table } = page;
  const { asset_id, filename, format, content_sha256 } = file.row;
  const addresses = addressesOf(deps.config.siteUrl);
  const named = nameIfSeveral(page);
  const query = named === null ? "" : `?${new URLSearchParams({ table: named })}`;
  return {
    url: addresses.media(asset_id, filename),
    rowsUrl: `${addresses.rows(asset_id)}/all.ndjson${query}`,
    contentSha256: content_sha256,
    format: format === "csv" ? "csv" : "json",
    table: table.name,
    columns: isTyped(table.columns) ? await describeColumns(deps, page) : [],
    parquet: page.parquet,
  };
}

function isTyped(columns: readonly Column[]): boolean {
  return (
    columns.length <= MOST_TYPED_COLUMNS &&
    columns.every(({ name }) => name.length <= MOST_NAME_CHARACTERS) &&
    // Some readers take names that differ in case alone for one.
    new Set(columns.map(({ name }) => name.toLowerCase())).size === columns.length
  );
}

async function describeColumns(deps: Deps, page: AskedPage): Promise<DataColumn[]> {
  const { file, table, stats } = page;
  const said = new Map(findMeaning(page)?.columns.map((column) => [column.name, column]));
  const isDated = [...said.values()].some(({ role }) => role === "time");
  const forms = isDated ? await findShownForms(deps, file.row.asset_id, file.tables.indexOf(table)) : [];
  const shown = new Map(stats?.columns.map((column) => [column.name, column]));
  const beside = findBeside(page, said);
  const isCsv = file.row.format === "csv";
  return table.columns.map((column, at) =>
    describeColumn(
      { column, shown: shown.get(column.name), form: forms[at] ?? null, isCsv },
      said.get(column.name),
      beside.get(column.name) ?? null,
    ),
  );
}

/** What the columns with missing values hold beside those; of none where they are too long to be named. */
function findBeside(
  { file, table }: AskedPage,
  said: ReadonlyMap<string, DictionaryColumn>,
): Map<string, DescribedCells> {
  const missing = [...said.values()].flatMap(({ missing_values = [] }) => missing_values);
  if (missing.join("").length > MOST_MISSING_CHARACTERS) return new Map();
  const position = table.name === null ? null : table.position;
  const found = readChecks(file.row)?.columns.find((one) => one.position === position);
  return new Map(found?.columns.map((column) => [column.name, column]));
}

interface Found {
  column: Column;
  shown: ShownColumn | undefined;
  form: ColumnForm | null;
  isCsv: boolean;
}

function describeColumn(
  { column, shown, form: ownForm, isCsv }: Found,
  { role, unit, missing_values: missing }: Partial<DictionaryColumn> = {},
  beside: DescribedCells | null,
): DataColumn {
  const { type, form } = beside ?? { type: column.type, form: ownForm };
  const isVast = beside === null ? !isDouble(shown) : form === "vast";
  const isLong = beside === null || column.type === "number" ? mayBeLong(shown) : beside.isLong === true;
  const isDigits = type === "number" && (isVast || isLong);
  // An identifier of digits is no number: 007 would lose its zeros.
  const isText = isDigits || (type === "number" && isCsv && role === "identifier");
  const isTime = type === "date" && role === "time" && (form === "day" || form === "time");
  return {
    name: column.name,
    type: isText ? "text" : type,
    isDigits,
    missing: beside === null ? [] : (missing ?? []),
    time: isTime ? form : null,
    unit: unit ?? null,
  };
}

function isDouble(column: ShownColumn | undefined): boolean {
  return [column?.min, column?.max].every((text) => Number.isFinite(Number(text ?? 0)));
}

/** Whether a whole number may be over 2^53, as far as a column was measured. */
function mayBeLong(column: ShownColumn | undefined): boolean {
  return column === undefined || [column.min, column.max].some((text) => isLongNumber(text ?? ""));
}
