import type {
  DocumentInspection,
  FileFormat,
  TableInspection,
  TableSummary,
} from "../../../../../shared/core/inspect/verdict.ts";
import {
  type FieldErrors,
  MOST_COLUMNS_A_CALL,
  type RowsLimits,
  type RowsQuery,
} from "../../../../../shared/core/rows/query.ts";
import { type Page, readPage } from "./page.ts";
import { type Source, scanCsv, scanJson } from "./table-scan.ts";

/** What the reader has to know of a file: what its inspection said, and its size. */
export interface RowsFile {
  format: FileFormat;
  inspection:
    | Pick<TableInspection, "kind" | "row_count" | "columns">
    | Pick<DocumentInspection, "kind">
    | null;
  tables: TableSummary[];
  bytes: number;
}

export type RowsRefusalCode = "not_tabular" | "table_required" | "too_large_to_read" | "validation_failed";

export type RowsOutcome =
  | {
      ok: true;
      columns: string[];
      returned: number;
      matched: number;
      total: number;
      next_offset: number | null;
      /** The whole `data` object as JSON text; the rows stand here only, with numbers as the file writes them. */
      json: string;
    }
  | { ok: false; code: RowsRefusalCode; message: string; errors: FieldErrors };

interface ChosenTable {
  columns: string[];
  total: number;
  /** The member of a JSON document that holds the list; null when the whole file is the table. */
  member: { position: number } | null;
}

/**
 * Reads the asked rows of a file that passed inspection (spec: Rows reader; contract 5 L). `source` is called once,
 * or twice for a filtered page from the end; memory holds one page and one block of the file.
 */
export async function readRows(
  source: Source,
  file: RowsFile,
  query: RowsQuery,
  limits: RowsLimits,
): Promise<RowsOutcome> {
  const table = chooseTable(file, query, limits);
  if ("ok" in table) return table;
  const errors = findUnknownColumns(table, query);
  if (Object.keys(errors).length > 0) return refuseFields(errors);
  const columns = query.columns ?? table.columns.slice(0, MOST_COLUMNS_A_CALL);
  const page =
    file.format === "csv"
      ? await readPage(scanCsv(source, table.columns), table.total, query, columns, limits)
      : await readPage(scanJson(source, table.columns, table.member), table.total, query, columns, limits);
  return encodeOutcome(columns, page, table.total, query.offset);
}

type Refusal = RowsOutcome & { ok: false };

function chooseTable(file: RowsFile, query: RowsQuery, limits: RowsLimits): ChosenTable | Refusal {
  const { inspection, tables } = file;
  if (inspection === null || (inspection.kind === "document" && tables.length === 0)) {
    return refuse("not_tabular", "The file is not a table: it is no CSV and holds no list of objects.");
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
    return { columns: namesOf(inspection.columns), total: inspection.row_count, member: null };
  }
  return chooseNamedTable(tables, query.table);
}

function chooseNamedTable(tables: TableSummary[], name: string | null): ChosenTable | Refusal {
  const [first] = tables;
  if (name === null && (tables.length > 1 || first === undefined)) {
    return refuse(
      "table_required",
      "The file has several tables. Name one with table; tables in the creation's JSON lists them.",
    );
  }
  const found = name === null ? first : tables.find((table) => table.name === name);
  if (found === undefined) {
    const listed = tables.map((table) => JSON.stringify(table.name)).join(", ");
    return refuseFields({ table: [`The file has no such table; it has ${listed}.`] });
  }
  return { columns: namesOf(found.columns), total: found.row_count, member: { position: found.position } };
}

function namesOf(columns: { name: string }[]): string[] {
  return columns.map((column) => column.name);
}

function findUnknownColumns(table: ChosenTable, query: RowsQuery): FieldErrors {
  const known = new Set(table.columns);
  const errors: FieldErrors = {};
  const message = ["The table has no such column. Names are exact; ask without columns to see them."];
  for (const [index, name] of (query.columns ?? []).entries()) {
    if (!known.has(name)) errors[`columns.${index}`] = message;
  }
  for (const filter of query.filters) {
    if (!known.has(filter.column)) errors[`filter.${filter.index}.column`] = message;
  }
  return errors;
}

function encodeOutcome(columns: string[], page: Page, total: number, offset: number): RowsOutcome {
  const returned = page.rows.length;
  const next = offset + returned < page.matched && returned > 0 ? offset + returned : null;
  const json = `{"columns":${JSON.stringify(columns)},"rows":[${page.rows.join(",")}],"returned":${returned},"matched":${page.matched},"total":${total},"next_offset":${next}}`;
  return { ok: true, columns, returned, matched: page.matched, total, next_offset: next, json };
}

function refuse(code: RowsRefusalCode, message: string): Refusal {
  return { ok: false, code, message, errors: {} };
}

function refuseFields(errors: FieldErrors): Refusal {
  const all = Object.values(errors).flat();
  const more = all.length > 1 ? ` (and ${all.length - 1} more ${all.length === 2 ? "error" : "errors"})` : "";
  return {
    ok: false,
    code: "validation_failed",
    message: `${all[0] ?? "The query is not valid."}${more}`,
    errors,
  };
}
