import type { FieldErrors } from "../../ground/errors.ts";
import { findNearestName } from "../../ground/nearest-name.ts";
import { takeCodePoints } from "../../ground/text.ts";
import type {
  Column,
  DocumentInspection,
  FileFormat,
  TableInspection,
  TableSummary,
} from "../inspection/verdict.ts";
import { hasConditions } from "./conditions.ts";
import { MOST_COLUMNS_A_CALL, type RowsLimits, type RowsQuery } from "./query.ts";

/** The facts of a file that the reader needs: its inspection and its size. */
export interface RowsFile {
  format: FileFormat;
  inspection:
    | Pick<TableInspection, "kind" | "row_count" | "columns">
    | Pick<DocumentInspection, "kind">
    | null;
  tables: TableSummary[];
  bytes: number;
}

/** A table of a file; a file that is one table has one without a name. */
export interface KnownTable {
  name: string | null;
  position: number | null;
  rowCount: number;
  columns: Column[];
}

/** Whether a row may be too large for memory: a record of a JSON document has no bound but that of its file. */
export function hasUnboundedRows({ format, bytes }: RowsFile, queryBytes: number): boolean {
  return format === "json" && bytes > queryBytes;
}

/** The tables of a file, in its order. */
export function listTables(file: Pick<RowsFile, "inspection" | "tables"> | undefined): KnownTable[] {
  const { inspection = null, tables = [] } = file ?? {};
  if (inspection?.kind === "table")
    return [{ name: null, position: null, rowCount: inspection.row_count, columns: inspection.columns }];
  return tables.map(({ row_count: rowCount, ...table }) => ({ ...table, rowCount }));
}

export type RowsRefusalCode = "not_tabular" | "table_required" | "too_large_to_read" | "validation_failed";

export interface RowsRefusal {
  ok: false;
  code: RowsRefusalCode;
  message: string;
  errors: FieldErrors;
  /** What to do instead. */
  hint?: string;
  /** The row of the cell that its sentence repeats. */
  row?: number;
}

/** A query that has been checked against its table. */
export interface RowsPlan {
  ok: true;
  format: FileFormat;
  /** Size of the file. */
  bytes: number;
  /** Which top-level member of a JSON document holds the list; null when the whole file is the table. */
  position: number | null;
  tableColumns: string[];
  /** Columns of a CSV whose cells are texts, though they may look like numbers: they compare as texts. */
  textColumns: string[];
  total: number;
  columns: string[];
  query: RowsQuery;
  rowsResponseBytes: number;
  notesCut: boolean;
}

export type ChosenTable = Pick<RowsPlan, "position" | "tableColumns" | "textColumns" | "total">;

/** Checks a query against a file's inspection (contract 5 L), before a byte of the file is read. */
export function planRows(file: RowsFile, query: RowsQuery, limits: RowsLimits): RowsPlan | RowsRefusal {
  const table = chooseTable(file, query, limits);
  if ("ok" in table) return table;
  const errors = findUnknownColumns(table, query);
  if (Object.keys(errors).length > 0) return refuseFields(errors);
  const columns = query.columns ?? table.tableColumns.slice(0, MOST_COLUMNS_A_CALL);
  const { format, bytes } = file;
  const { rowsResponseBytes, notesCut = false } = limits;
  return { ok: true, format, bytes, ...table, columns, query, rowsResponseBytes, notesCut };
}

/** The number of the queried table among a file's tables; of any size. */
export function chooseTableNumber(
  file: RowsFile,
  name: string | null,
): { ok: true; table: number } | RowsRefusal {
  const chosen = chooseTable(file, { table: name }, ANY_SIZE);
  if ("ok" in chosen) return chosen;
  const number = file.tables.findIndex((table) => table.position === chosen.position);
  return { ok: true, table: Math.max(number, 0) };
}

// The number of names that a refusal repeats.
const NAMES_LISTED = 20;
const NAME_CHARACTERS = 60;
const NO_COLUMN = "The table has no such column";
/** The refusal of a file without a table. */
export const NOT_TABULAR = refuse(
  "not_tabular",
  "The file is not a table: it is no CSV and holds no list of objects.",
);
const ANY_SIZE = { jsonTableBytes: Number.MAX_SAFE_INTEGER };

/** The plan of an export, which has every column where none is named. */
export function planExport(file: RowsFile, query: RowsQuery, limits: RowsLimits): RowsPlan | RowsRefusal {
  const plan = planRows(file, query, limits);
  return plan.ok ? { ...plan, columns: query.columns ?? plan.tableColumns } : plan;
}

/** Whether a plan leaves out no row and no column of its table. */
export function hasWholeTable({ query, total, columns, tableColumns }: RowsPlan): boolean {
  const { offset, limit } = query;
  return !hasConditions(query) && offset === 0 && limit >= total && columns.length === tableColumns.length;
}

/** Finds the table that a query names, or the only one. */
export function chooseTable(
  file: RowsFile,
  query: { table: string | null },
  limits: Pick<RowsLimits, "jsonTableBytes">,
): ChosenTable | RowsRefusal {
  const { inspection, tables } = file;
  if (inspection === null || (inspection.kind === "document" && tables.length === 0)) {
    return NOT_TABULAR;
  }
  if (file.format === "json" && file.bytes > limits.jsonTableBytes) {
    return refuse(
      "too_large_to_read",
      `A JSON table over ${limits.jsonTableBytes} bytes cannot be read in part. Download the file instead.`,
    );
  }
  if (inspection.kind === "table") {
    if (query.table !== null) {
      return refuseFields({ table: ["The file is one table without a name. Leave table out."] });
    }
    const { columns, row_count: total } = inspection;
    const texts = file.format === "csv" ? columns.filter(({ type }) => type === "text") : [];
    return { tableColumns: namesOf(columns), textColumns: namesOf(texts), total, position: null };
  }
  return chooseNamedTable(tables, query.table);
}

function chooseNamedTable(tables: TableSummary[], name: string | null): ChosenTable | RowsRefusal {
  const [first] = tables;
  if (name === null && (tables.length > 1 || first === undefined)) {
    return refuse(
      "table_required",
      "The file has several tables. Name one with table; tables in the creation's JSON lists them.",
    );
  }
  const found = name === null ? first : tables.find((table) => table.name === name);
  if (found === undefined)
    return refuseFields({
      table: [`The file has no such table; it has ${quoteNames(namesOf(tables), "tables")}.`],
    });
  const { columns, row_count: total, position } = found;
  return { tableColumns: namesOf(columns), textColumns: [], total, position };
}

// The file's author chose the names: the list is cut and quoted, so that it reads as names and stays short.
function quoteNames(names: readonly string[], where: string): string {
  const quoted = names.slice(0, NAMES_LISTED).map(quoteName);
  const rest = names.length - quoted.length;
  return `${quoted.join(", ")}${rest > 0 ? ` and ${rest} more; ${where} in the creation's JSON lists them` : ""}`;
}

/** The number of a row in a sentence about a file: the header of a CSV is row 1. */
export function numberRow(row: number, isCsv: boolean): number {
  return row + (isCsv ? 2 : 1);
}

/** A name that a file's author chose, quoted and cut. */
export function quoteName(name: string): string {
  return JSON.stringify(takeCodePoints(name, NAME_CHARACTERS));
}

function namesOf(columns: { name: string }[]): string[] {
  return columns.map((column) => column.name);
}

function findUnknownColumns({ tableColumns }: ChosenTable, query: RowsQuery): FieldErrors {
  return refuseUnknown(tableColumns, [
    ...(query.columns ?? []).map((name, index) => [`columns.${index}`, name] as const),
    ...query.filters.map(({ index, column }) => [`filter.${index}.column`, column] as const),
  ]);
}

/** A member of a query, such as `filter.0.column`, and the name in it. */
export type Named = readonly [field: string, name: string];

/**
 * The refusals of names that are none of these columns. The first of each member of a query lists those that there are,
 * as a hundred sentences would list the same ones.
 */
export function refuseUnknown(
  columns: readonly string[],
  named: readonly Named[],
  say: typeof refuseColumn = refuseColumn,
): FieldErrors {
  const known = new Set(columns);
  const listed = new Set<string>();
  const unknown = named.filter(([, name]) => !known.has(name));
  return Object.fromEntries(
    unknown.map(([field, name]) => {
      const [member = ""] = field.split(".");
      const isFirst = !listed.has(member);
      listed.add(member);
      return [field, [say(columns, name, isFirst)]];
    }),
  );
}

/** The refusal of an unknown column; the first of a member lists those that there are. */
export function refuseColumn(columns: readonly string[], name: string, isFirst = true): string {
  if (!isFirst) return `${NO_COLUMN}. Names are exact; ask without columns to see them.`;
  const nearest = findNearestName(name, columns);
  const meant = nearest === null ? "" : ` Did you mean ${quoteName(nearest)}?`;
  return `${NO_COLUMN}.${meant} It has ${quoteNames(columns, "columns")}. Names are exact.`;
}

/** A refusal of the query as a whole. */
export function refuse(code: RowsRefusalCode, message: string): RowsRefusal {
  return { ok: false, code, message, errors: {} };
}

/** The refusal of single fields of a query. */
export function refuseFields(errors: FieldErrors): RowsRefusal {
  const all = Object.values(errors).flat();
  const more = all.length > 1 ? ` (and ${all.length - 1} more ${all.length === 2 ? "error" : "errors"})` : "";
  return {
    ok: false,
    code: "validation_failed",
    message: `${all[0] ?? "The query is not valid."}${more}`,
    errors,
  };
}
