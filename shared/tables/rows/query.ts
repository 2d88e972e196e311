import type { FieldErrors } from "../../ground/errors.ts";
import { askWhetherMeant, findNameFaults, shortenName } from "../../ground/nearest-name.ts";
import { takeCodePoints } from "../../ground/text.ts";
import { type Condition, FILTER_OPS, type Selection } from "./conditions.ts";

/** The rows reader's query, as query parameters (spec: Rows reader; contract 5 L). */

export interface RowsQuery extends Selection {
  offset: number;
  limit: number;
  table: string | null;
  from: "start" | "end";
  /** Null: all, up to 100. */
  columns: string[] | null;
}

export interface RowsLimits {
  rowsPerCall: number;
  rowsResponseBytes: number;
  /** Whether an answer that its bound of bytes cuts says so, as answers to tools do. */
  notesCut?: boolean;
  jsonTableBytes: number;
}

const SINGLE_PARAMETERS = ["offset", "limit", "table", "from"];
/** Every parameter, as a refusal lists them. */
const ROWS_PARAMETERS = [
  ...SINGLE_PARAMETERS,
  "columns[]",
  "filter[n][column]",
  "filter[n][op]",
  "filter[n][value]",
];
const COLUMNS = /^columns(\[\d*\])?$/;
const LIST_PLACE = /^(\[\d*\])?$/;
const FILTER = /^filter(\[|$)/;
const CONDITION = /^filter\[(\d{1,9})\]\[([^[\]]*)\]$/;
/** The members of a condition. */
export const CONDITION_PARTS = ["column", "op", "value"] as const;

export const MOST_COLUMNS_A_CALL = 100;
/** How many conditions a call may have. */
export const MOST_FILTERS = 5;
/** How many characters the value of a condition may have: it is compared with every cell. */
export const MOST_VALUE_CHARACTERS = 1_000;
/** How many rows a call gets that names no limit. */
export const DEFAULT_LIMIT = 100;

/** A query that was read. Where it has errors, `query` is what could be read of it, and must not be run. */
export type ParsedRowsQuery =
  | { ok: true; query: RowsQuery }
  | { ok: false; errors: FieldErrors; query: RowsQuery };

/** Reads the query parameters; a limit above the maximum is cut to it. Unknown and repeated parameters are errors. */
export function parseRowsQuery(
  query: URLSearchParams,
  limits: Pick<RowsLimits, "rowsPerCall">,
  form: keyof typeof MORE_PARAMETERS = "page",
): ParsedRowsQuery {
  const single = [...query.keys()].filter((name) => !COLUMNS.test(name) && !FILTER.test(name));
  const more = MORE_PARAMETERS[form];
  const errors = findNameFaults(single, [...SINGLE_PARAMETERS, ...more], [...ROWS_PARAMETERS, ...more]);
  readBom(query.get("bom"), form, errors);
  const parsed: RowsQuery = {
    offset: readOffset(query.get("offset"), errors),
    limit: readLimit(query.get("limit"), limits.rowsPerCall, errors),
    table: query.get("table"),
    from: readFrom(query, errors),
    columns: readNames(query, "columns", MOST_COLUMNS_A_CALL, errors),
    filters: readFilters(query, errors),
    ...{ match: "all", q: null, blank: [], blankOf: [] },
  };
  if (Object.keys(errors).length === 0) return { ok: true, query: parsed };
  return { ok: false, errors, query: parsed };
}

/** What an answer of a form takes beside its question. */
export const MORE_PARAMETERS = { page: [], csv: ["bom"], ndjson: [] } as const;

/**
 * Reads the query parameters of an export, which may have a limit of any size, and has none where it is left
 * out.
 */
export function parseExportQuery(query: URLSearchParams, format: "csv" | "ndjson"): ParsedRowsQuery {
  const parsed = parseRowsQuery(query, { rowsPerCall: Number.MAX_SAFE_INTEGER }, format);
  if (parsed.ok && !query.has("limit")) parsed.query.limit = Number.MAX_SAFE_INTEGER;
  return parsed;
}

/** Reads whether a CSV begins with a byte order mark; other forms refuse the name. */
export function readBom(text: string | null, form: keyof typeof MORE_PARAMETERS, errors: FieldErrors): void {
  if (form === "csv" && text !== null && text !== "1")
    errors.bom ??= ["The bom must be 1; leave it out for a file without a byte order mark."];
}

/** Reads how many rows to skip; null stands for none. */
export function readOffset(text: string | null, errors: FieldErrors): number {
  if (text === null) return 0;
  const offset = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(offset)) return offset;
  errors.offset = ["The offset must be a whole number, 0 or more."];
  return 0;
}

/** Reads how many rows to send, cut to the most of a call; null stands for the default. */
export function readLimit(text: string | null, rowsPerCall: number, errors: FieldErrors): number {
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

/** Reads the columns that are named as `NAME[]`; null where none is. */
export function readNames(
  query: URLSearchParams,
  field: string,
  most: number,
  errors: FieldErrors,
): string[] | null {
  const columns: string[] = [];
  for (const [name, value] of query) {
    if (!name.startsWith(field) || !LIST_PLACE.test(name.slice(field.length))) continue;
    if (columns.includes(value))
      errors[`${field}.${columns.length}`] = ["The column is named twice. Name it once."];
    columns.push(value);
    if (columns.length > most) {
      errors[field] = [`Name at most ${most} columns.`];
      break;
    }
  }
  return columns.length === 0 ? null : columns;
}

type FilterParts = Partial<Record<(typeof CONDITION_PARTS)[number], string>>;

function readFilters(query: URLSearchParams, errors: FieldErrors): Condition[] {
  const conditions = new Map<number, FilterParts>();
  for (const [name, value] of query) {
    if (!FILTER.test(name)) continue;
    const [, number, given = ""] = CONDITION.exec(name) ?? [];
    if (number === undefined) {
      // An unreadable condition must not be dropped: the answer would hold rows that it excludes.
      errors.filter = ["Write a condition as filter[0][column], filter[0][op] and filter[0][value]."];
      continue;
    }
    const condition = conditions.get(Number(number)) ?? {};
    conditions.set(Number(number), condition);
    if (conditions.size > MOST_FILTERS) {
      errors.filter = [`Use at most ${MOST_FILTERS} conditions.`];
      return [];
    }
    readPart(condition, { key: `filter.${Number(number)}`, given, value }, errors);
  }
  return Array.from(conditions, ([index, condition]) => readFilter(index, condition, errors)).filter(
    (filter) => filter !== null,
  );
}

/** Adds a part to its condition, once. */
function readPart(
  condition: FilterParts,
  { key, given, value }: { key: string; given: string; value: string },
  errors: FieldErrors,
): void {
  const part = CONDITION_PARTS.find((known) => known === given);
  if (part === undefined) {
    const meant = askWhetherMeant(given, CONDITION_PARTS);
    errors[`${key}.${shortenName(given)}`] = [
      `A condition has no member ${shortenName(given)}.${meant} There are ${CONDITION_PARTS.join(", ")}.`,
    ];
  } else if (condition[part] !== undefined) {
    errors[`${key}.${part}`] = [`The ${part} of this condition is given twice. Give it once.`];
  } else condition[part] = value;
}

function readFilter(index: number, part: FilterParts, errors: FieldErrors): Condition | null {
  const key = `filter.${index}`;
  const op = FILTER_OPS.find((known) => known === part.op);
  const value = part.value ?? null;
  const say = (name: string, sentence: string) => {
    errors[`${key}.${name}`] ??= [sentence];
  };
  if (part.column === undefined) say("column", "Name the column of this condition.");
  if (op === undefined) say("op", `Use one of ${FILTER_OPS.join(", ")}.`);
  else if ((value === null || value === "") && op !== "eq" && op !== "ne") {
    say("value", `Give a value: only eq and ne compare with blank cells, ${op} does not.`);
  }
  if (value !== null && takeCodePoints(value, MOST_VALUE_CHARACTERS) !== value) {
    say("value", `Give a value of at most ${MOST_VALUE_CHARACTERS} characters.`);
  }
  // Without its operator the condition is never run: its column is only looked up.
  return part.column === undefined ? null : { index, column: part.column, op: op ?? "eq", value, values: [] };
}
