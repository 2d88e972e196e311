import { takeCodePoints } from "../text.ts";

/** The rows reader's query, as query parameters (spec: Rows reader; contract 5 L). */

export const FILTER_OPS = ["eq", "ne", "gt", "gte", "lt", "lte", "contains"] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

export interface Filter {
  /** The n of `filter[n]`, by which errors name it. */
  index: number;
  column: string;
  op: FilterOp;
  /** Null or empty: blank cells. */
  value: string | null;
}

export interface RowsQuery {
  offset: number;
  limit: number;
  table: string | null;
  from: "start" | "end";
  /** Null: all, up to 100. */
  columns: string[] | null;
  filters: Filter[];
}

export interface RowsLimits {
  rowsPerCall: number;
  rowsResponseBytes: number;
  jsonTableBytes: number;
}

export type FieldErrors = Record<string, string[]>;

export const MOST_COLUMNS_A_CALL = 100;
/** How many conditions a call may have. */
export const MOST_FILTERS = 5;
/** How many characters the value of a condition may have: it is compared with every cell. */
export const MOST_VALUE_CHARACTERS = 1_000;
/** How many rows a call gets that names no limit. */
export const DEFAULT_LIMIT = 100;

/** Reads the query parameters; unknown ones are ignored, a limit above the maximum is cut to it. */
export function parseRowsQuery(
  query: URLSearchParams,
  limits: Pick<RowsLimits, "rowsPerCall">,
): { ok: true; query: RowsQuery } | { ok: false; errors: FieldErrors } {
  const errors: FieldErrors = {};
  const parsed: RowsQuery = {
    offset: readOffset(query, errors),
    limit: readLimit(query, limits.rowsPerCall, errors),
    table: query.get("table"),
    from: readFrom(query, errors),
    columns: readColumns(query, errors),
    filters: readFilters(query, errors),
  };
  return Object.keys(errors).length === 0 ? { ok: true, query: parsed } : { ok: false, errors };
}

/**
 * Reads the query parameters of an export, which may have a limit of any size, and has none where it is left
 * out.
 */
export function parseExportQuery(query: URLSearchParams): ReturnType<typeof parseRowsQuery> {
  const parsed = parseRowsQuery(query, { rowsPerCall: Number.MAX_SAFE_INTEGER });
  if (parsed.ok && !query.has("limit")) parsed.query.limit = Number.MAX_SAFE_INTEGER;
  return parsed;
}

function readOffset(query: URLSearchParams, errors: FieldErrors): number {
  const text = query.get("offset");
  if (text === null) return 0;
  const offset = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(offset)) return offset;
  errors.offset = ["The offset must be a whole number, 0 or more."];
  return 0;
}

function readLimit(query: URLSearchParams, rowsPerCall: number, errors: FieldErrors): number {
  const text = query.get("limit");
  if (text === null) return Math.min(DEFAULT_LIMIT, rowsPerCall);
  if (/^\d+$/.test(text) && !/^0+$/.test(text)) return Math.min(Number(text), rowsPerCall);
  const bound = rowsPerCall === Number.MAX_SAFE_INTEGER ? ", 1 or more" : ` from 1 to ${rowsPerCall}`;
  errors.limit = [`The limit must be a whole number${bound}.`];
  return 1;
}

function readFrom(query: URLSearchParams, errors: FieldErrors): "start" | "end" {
  const text = query.get("from");
  if (text === null || text === "start") return "start";
  if (text === "end") return "end";
  errors.from = ["Use start (file order) or end (last rows first)."];
  return "start";
}

function readColumns(query: URLSearchParams, errors: FieldErrors): string[] | null {
  const columns: string[] = [];
  for (const [name, value] of query) {
    if (!/^columns(\[\d*\])?$/.test(name)) continue;
    if (columns.includes(value))
      errors[`columns.${columns.length}`] = ["The column is named twice. Name it once."];
    columns.push(value);
    if (columns.length > MOST_COLUMNS_A_CALL) {
      errors.columns = [`Name at most ${MOST_COLUMNS_A_CALL} columns.`];
      break;
    }
  }
  return columns.length === 0 ? null : columns;
}

interface FilterParts {
  column?: string;
  op?: string;
  value?: string;
}

function readFilters(query: URLSearchParams, errors: FieldErrors): Filter[] {
  const parts = new Map<number, FilterParts>();
  for (const [name, value] of query) {
    if (!/^filter(\[|$)/.test(name)) continue;
    const match = /^filter\[(\d{1,9})\]\[(column|op|value)\]$/.exec(name);
    if (match === null) {
      // An unreadable condition must not be dropped: the answer would hold rows that it excludes.
      errors.filter = ["Write a condition as filter[0][column], filter[0][op] and filter[0][value]."];
      continue;
    }
    const index = Number(match[1]);
    const part = parts.get(index) ?? {};
    parts.set(index, { ...part, [match[2] ?? ""]: value });
    if (parts.size > MOST_FILTERS) {
      errors.filter = [`Use at most ${MOST_FILTERS} conditions.`];
      return [];
    }
  }
  return Array.from(parts, ([index, part]) => readFilter(index, part, errors)).filter(
    (filter) => filter !== null,
  );
}

function readFilter(index: number, part: FilterParts, errors: FieldErrors): Filter | null {
  const key = `filter.${index}`;
  const op = FILTER_OPS.find((known) => known === part.op);
  if (part.column === undefined) errors[`${key}.column`] = ["Name the column of this condition."];
  if (op === undefined) errors[`${key}.op`] = [`Use one of ${FILTER_OPS.join(", ")}.`];
  if (part.column === undefined || op === undefined) return null;
  const value = part.value ?? null;
  if ((value === null || value === "") && op !== "eq" && op !== "ne") {
    errors[`${key}.value`] = [`Give a value: only eq and ne compare with blank cells, ${op} does not.`];
  }
  if (value !== null && takeCodePoints(value, MOST_VALUE_CHARACTERS) !== value) {
    errors[`${key}.value`] = [`Give a value of at most ${MOST_VALUE_CHARACTERS} characters.`];
  }
  return { index, column: part.column, op, value };
}
