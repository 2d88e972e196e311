import type { FieldErrors } from "../../ground/errors.ts";
import { askWhetherMeant, findNameFaults } from "../../ground/nearest-name.ts";
import type { Column, FileFormat } from "../inspection/verdict.ts";
import {
  chooseTable,
  listTables,
  type RowsFile,
  type RowsRefusal,
  refuse,
  refuseColumn,
  refuseFields,
  refuseUnknown,
} from "../rows/plan.ts";
import { MOST_COLUMNS_A_CALL, readLimit, readNames, readOffset } from "../rows/query.ts";
import type { SideColumns } from "./compare-rows.ts";
import { CHANGE_NAMES } from "./list-changes.ts";

/** A column of both tables whose kind of value is another now. */
interface ChangedType {
  name: string;
  base: string;
  head: string;
}

/** The columns of two tables. */
export interface DiffColumns extends SideColumns {
  types: ChangedType[];
  /** Whether the columns of both stand in another order. */
  reordered: boolean;
}

/** One table of a comparison, before its bytes are read. */
interface PlannedSide {
  bytes: number;
  position: number | null;
  tableColumns: string[];
  total: number;
}

/** Two tables that may be compared. */
export interface DiffPlan {
  ok: true;
  format: FileFormat;
  base: PlannedSide;
  head: PlannedSide;
  columns: DiffColumns;
  key: readonly string[] | null;
  preferredKey: readonly string[] | null;
}

/** What is asked about two files. */
export interface DiffAsked {
  table: string | null;
  key: readonly string[] | null;
  /** The key to take where none is asked for and both tables have its columns. */
  preferredKey: readonly string[] | null;
  /** The columns to show; null for all. */
  columns: readonly string[] | null;
}

export interface DiffLimits {
  jsonTableBytes: number;
  queryBytes: number;
}

/** A row takes some 30 bytes of memory while tables are compared. */
const MOST_COMPARED_ROWS = 4_000_000;

/** Checks a comparison against the inspection of both files, before a byte of them is read. */
export function planDiff(
  base: RowsFile,
  head: RowsFile,
  asked: DiffAsked,
  limits: DiffLimits,
): DiffPlan | RowsRefusal {
  const ofHead = chooseTable(head, asked, limits);
  if ("ok" in ofHead) return ofHead;
  const ofBase = chooseTable(base, asked, limits);
  if ("ok" in ofBase) return sayOfBase(ofBase);
  if (base.format !== head.format) return refuseFields({ base: [sayFormats(base.format, head.format)] });
  const columns = compareColumns(findColumns(base, ofBase.position), findColumns(head, ofHead.position));
  const errors = findUnknown(columns, asked);
  if (Object.keys(errors).length > 0) return refuseFields(errors);
  const tooLarge = findTooLarge([base, head], Math.max(ofBase.total, ofHead.total), limits);
  if (tooLarge !== null) return refuse("too_large_to_read", tooLarge);
  const isKnown = (name: string) => columns.same.includes(name);
  return {
    ok: true,
    format: head.format,
    base: { bytes: base.bytes, ...ofBase },
    head: { bytes: head.bytes, ...ofHead },
    columns,
    key: asked.key,
    preferredKey: asked.preferredKey?.every(isKnown) === true ? asked.preferredKey : null,
  };
}

function sayFormats(base: string, head: string): string {
  const [one, other] = [base.toUpperCase(), head.toUpperCase()];
  return `The base is ${one} and the file is ${other}. Compare two files of the same format.`;
}

/** A refusal of the table of the base, which says so. */
function sayOfBase(refusal: RowsRefusal): RowsRefusal {
  const say = (sentence: string) => `Base: ${sentence}`;
  if (refusal.code !== "validation_failed") return { ...refusal, message: say(refusal.message) };
  const fields = Object.entries(refusal.errors).map(([field, all]) => [field, all.map(say)] as const);
  return refuseFields(Object.fromEntries(fields));
}

function findTooLarge(files: RowsFile[], rowCount: number, { queryBytes }: DiffLimits): string | null {
  if (files.some(({ bytes }) => bytes > queryBytes))
    return `Files over ${queryBytes} bytes are not compared. Download both instead.`;
  if (rowCount > MOST_COMPARED_ROWS)
    return `Tables of more than ${MOST_COMPARED_ROWS} rows are not compared. Download both files instead.`;
  return null;
}

function findColumns(file: RowsFile, position: number | null): Column[] {
  return listTables(file).find((table) => table.position === position)?.columns ?? [];
}

function compareColumns(base: Column[], head: Column[]): DiffColumns {
  const typeOf = new Map(base.map(({ name, type }) => [name, type]));
  const ofHead = new Set(head.map(({ name }) => name));
  const same = head.flatMap(({ name }) => (typeOf.has(name) ? [name] : []));
  const inBase = base.flatMap(({ name }) => (ofHead.has(name) ? [name] : []));
  return {
    added: head.flatMap(({ name }) => (typeOf.has(name) ? [] : [name])),
    removed: base.flatMap(({ name }) => (ofHead.has(name) ? [] : [name])),
    same,
    types: head.flatMap(({ name, type }) => {
      const before = typeOf.get(name) ?? type;
      return before === type ? [] : [{ name, base: before, head: type }];
    }),
    reordered: same.some((name, place) => name !== inBase[place]),
  };
}

/** The names that the tables do not have: a key needs columns of both, shown columns those of either. */
function findUnknown({ same, added, removed }: DiffColumns, asked: DiffAsked): FieldErrors {
  const inEither = [...same, ...added, ...removed];
  const known = new Set(inEither);
  const sayUnknownKey: typeof refuseColumn = (columns, name, isFirst) =>
    known.has(name)
      ? "Only one of the two files has this column. A key needs columns of both."
      : refuseColumn(columns, name, isFirst);
  const named = (member: string, names: readonly string[] | null) =>
    (names ?? []).map((name, index) => [`${member}.${index}`, name] as const);
  return {
    ...refuseUnknown(same, named("key", asked.key), sayUnknownKey),
    ...refuseUnknown(inEither, named("columns", asked.columns)),
  };
}

/** A question about two files, as the query of an address has it. */
export interface DiffQuestion {
  base: string;
  table: string | null;
  key: string[] | null;
  /** The kinds of changes that are asked for, by their numbers in rising order. */
  kinds: number[];
  columns: string[] | null;
  offset: number;
  limit: number;
}

const SINGLE = ["base", "table", "offset", "limit"];
const LISTED = ["base", "table", "key[]", "change[]", "columns[]", "offset", "limit"];
const LIST = /^(key|change|columns)(\[\d*\])?$/;
/** How many columns a key may have. */
export const MOST_KEY_COLUMNS = 10;

/** Reads the question of a query with all its faults; a limit above `rowsPerCall` is cut to it, null is none. */
export function readDiffQuestion(
  query: URLSearchParams,
  rowsPerCall: number | null,
): { question: DiffQuestion; errors: FieldErrors } {
  const single = [...query.keys()].filter((name) => !LIST.test(name));
  const errors = findNameFaults(single, SINGLE, LISTED);
  // A name that is unknown may be that of the base, misspelt.
  const saysBase = Object.keys(errors).length === 0;
  const hasNoLimit = rowsPerCall === null && !query.has("limit");
  const most = rowsPerCall ?? Number.MAX_SAFE_INTEGER;
  const question = {
    base: query.get("base") ?? "",
    table: query.get("table"),
    key: readNames(query, "key", MOST_KEY_COLUMNS, errors),
    kinds: readKinds(query, errors),
    columns: readNames(query, "columns", MOST_COLUMNS_A_CALL, errors),
    offset: readOffset(query.get("offset"), errors),
    limit: hasNoLimit ? Number.MAX_SAFE_INTEGER : readLimit(query.get("limit"), most, errors),
  };
  if (question.base === "" && saysBase) errors.base ??= ["Name the older file by its id: base=01M7…"];
  return { question, errors };
}

function readKinds(query: URLSearchParams, errors: FieldErrors): number[] {
  const names = [...query].filter(([name]) => /^change(\[\d*\])?$/.test(name)).map(([, value]) => value);
  const kinds = new Set<number>();
  for (const [place, name] of names.entries()) {
    const kind = (CHANGE_NAMES as readonly string[]).indexOf(name);
    if (kind === -1 && Object.keys(errors).length < MOST_FAULTS) {
      const meant = askWhetherMeant(name, CHANGE_NAMES);
      errors[`change.${place}`] = [`There is no such change.${meant} Use ${CHANGE_NAMES.join(", ")}.`];
    } else if (kinds.has(kind)) errors[`change.${place}`] = ["The change is named twice. Name it once."];
    kinds.add(kind);
  }
  return names.length === 0 ? [...CHANGE_NAMES.keys()] : [...kinds].toSorted((one, other) => one - other);
}

// A query may have a thousand parameters.
const MOST_FAULTS = 20;
