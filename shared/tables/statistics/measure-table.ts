import { type DictionaryMember, listMissing } from "../dictionary/dictionary.ts";
import type { ReadingIndex } from "../inspection/reading-index.ts";
import type { Column, ColumnType, FileFormat } from "../inspection/verdict.ts";
import { CELL, type RowReader, textOfCell } from "../rows/cells.ts";
import { listTables, type RowsFile } from "../rows/plan.ts";
import { createReader } from "../rows/reader.ts";
import { findFirstRow } from "../rows/windows.ts";
import { leaveOutMissing } from "./leave-out-missing.ts";
import { summarizeColumn, TAG } from "./summarize-column.ts";
import { countValue, numberOfValue, startCounts, textOfValue, type ValueCounts } from "./value-counts.ts";

/** The columns of one file that are measured, over all its tables: the statistics of a file have a bound. */
const MOST_MEASURED_COLUMNS = 300;

/**
 * The form of the statistics: raise it with every change of what is measured, and those stored in another form
 * are measured again when they are next read.
 */
export const STATS_VERSION = 5;

/** The tables of a file in their order, as JSON text. */
export interface MeasuredFile {
  /** Each with `table` (the key of its list, or null), `row_count`, `columns` (each a `ColumnStats`), `columns_left_out`. */
  stats: string;
  /** Each a list with the form of every measured column (`findForm`). */
  forms: string;
}

/**
 * Measures every table of a file without the cells that its dictionary calls missing; `bytes` are the whole file and a
 * line feed.
 */
export function measureFile(
  bytes: Buffer,
  file: RowsFile,
  index: ReadingIndex,
  seed: number,
  dictionary: DictionaryMember | null = null,
): MeasuredFile {
  let left = MOST_MEASURED_COLUMNS;
  const forms: ColumnForm[][] = [];
  const tables = listTables(file).map(({ name, position, columns, rowCount }) => {
    const missing = new Map(listMissing(dictionary, name).map(({ column, values }) => [column, values]));
    const table = { columns, rowCount, firstRowAt: findFirstRow(index, { position }), missing };
    const measured = measureTable(bytes, file.format, table, left, seed);
    left -= measured.length;
    forms.push(measured.map(({ form }) => form));
    const columnTexts = measured.map(({ json }) => json).join(",");
    const leftOut = columns.length - measured.length;
    return `{"table":${JSON.stringify(name)},"row_count":${rowCount},"columns":[${columnTexts}],"columns_left_out":${leftOut}}`;
  });
  return { stats: `[${tables.join(",")}]`, forms: JSON.stringify(forms) };
}

/** A table as inspection knows it, and where its first row begins in the file. */
interface TableToMeasure {
  columns: Column[];
  rowCount: number;
  firstRowAt: number;
  /** What stands for blank in its columns. */
  missing?: ReadonlyMap<string, readonly string[]>;
}

// The cells measured in one pass: each may be a value of its own, of some 30 bytes and its text.
const MOST_CELLS_A_PASS = 1_000_000;

/**
 * Measures the first columns of a table and gives each as JSON text (`summarize-column.ts`), with its form. `bytes` are
 * the whole file and a line feed. Columns are measured in as many passes as keep their values within memory.
 */
export function measureTable(
  bytes: Buffer,
  format: FileFormat,
  table: TableToMeasure,
  mostColumns: number,
  seed: number,
) {
  return groupColumns(table.columns.slice(0, mostColumns), table.rowCount).flatMap((columns) => {
    const counts = countColumns(bytes, format, table, columns, seed);
    return columns.map((column, slot) => {
      const all = counts[slot] ?? startCounts(seed);
      const missing = table.missing?.get(column.name) ?? [];
      const own = leaveOutMissing(column, all, missing, format === "csv");
      const form = findForm(own.column.type, own.counts);
      return { json: summarizeColumn(own.column, table.rowCount, own.counts), form };
    });
  });
}

function groupColumns(columns: Column[], rowCount: number): Column[][] {
  const groups: Column[][] = [];
  let cells = 0;
  for (const column of columns) {
    const own = rowCount - column.blanks;
    const group = groups.at(-1);
    if (group === undefined || cells + own > MOST_CELLS_A_PASS) {
      groups.push([column]);
      cells = own;
    } else {
      group.push(column);
      cells += own;
    }
  }
  return groups;
}

function countColumns(
  bytes: Buffer,
  format: FileFormat,
  table: TableToMeasure,
  columns: Column[],
  seed: number,
): ValueCounts[] {
  const names = columns.map((column) => column.name);
  const reader = createReader({ format, tableColumns: table.columns.map((column) => column.name) }, names);
  const counts = columns.map(() => startCounts(seed));
  let at = table.firstRowAt;
  for (let row = 0; row < table.rowCount; row++) {
    at = reader.locate(bytes, at);
    for (let slot = 0; slot < counts.length; slot++) {
      const kind = reader.places.kinds[slot] as number;
      if (kind === CELL.null || kind === CELL.empty) continue;
      countCell(counts[slot] as ValueCounts, bytes, reader, slot, kind);
    }
  }
  return counts;
}

/** Counts a filled cell of the row that was located last; gives the number of its value. */
export function countCell(
  counts: ValueCounts,
  bytes: Buffer,
  reader: RowReader,
  slot: number,
  kind: number,
): number {
  const { places } = reader;
  if (kind === CELL.plain || kind === CELL.safe || kind === CELL.raw) {
    const tag = kind === CELL.raw ? TAG.json : TAG.text;
    return countValue(counts, bytes, places.starts[slot] as number, places.ends[slot] as number, tag);
  }
  const text = Buffer.from(textOfCell(bytes, places, slot) ?? "");
  return countValue(counts, text, 0, text.length, kind === CELL.nested ? TAG.json : TAG.text);
}

/**
 * How the cells of a column are written, where its type leaves that open. Numbers: `integer`, `decimal`, or `vast`
 * where one is beyond a double. Dates: `day`,
 * `month`, `time` (as XML Schema's dateTime, all of one zone), `times` (others), or `dates` (several of these). Booleans:
 * their spellings. Empty for every other type.
 */
export type ColumnForm = string;

const [POINT, SMALL_E, CAPITAL_E] = [0x2e, 0x65, 0x45];
/** A number of fewer digits and without an exponent is within a double. */
const DIGITS_OF_DOUBLES = 308;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Finds the form of a column from its different values. */
export function findForm(type: ColumnType, counts: ValueCounts): ColumnForm {
  if (type === "number") return findNumberForm(counts);
  if (type === "date") return findDateForm(counts);
  return type === "boolean" ? listTexts(counts).sort().join(" ") : "";
}

/** Whole numbers are written with digits alone. */
function findNumberForm(counts: ValueCounts): ColumnForm {
  const { bytes, ends, size } = counts;
  let isWhole = true;
  let mayBeVast = false;
  for (let value = 0; value < size; value++) {
    const [start, end] = [ends[value] as number, ends[value + 1] as number];
    mayBeVast ||= end - start > DIGITS_OF_DOUBLES;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === POINT) isWhole = false;
      else if (byte === SMALL_E || byte === CAPITAL_E) {
        isWhole = false;
        mayBeVast = true;
      }
    }
  }
  if (mayBeVast && !areDoubles(counts)) return "vast";
  return isWhole ? "integer" : "decimal";
}

const WHOLE = /^-?\d+$/;

/** Whether a text is a whole number over 2^53, of which a double may lose digits. */
export function isLongNumber(text: string): boolean {
  return WHOLE.test(text) && !Number.isSafeInteger(Number(text));
}

/** Whether such a number is among the values of a column. */
export function hasLongNumber(counts: ValueCounts): boolean {
  for (let value = 0; value < counts.size; value++) if (isLongNumber(textOfValue(counts, value))) return true;
  return false;
}

function areDoubles(counts: ValueCounts): boolean {
  for (let value = 0; value < counts.size; value++)
    if (!Number.isFinite(numberOfValue(counts, value))) return false;
  return true;
}

function listTexts(counts: ValueCounts): string[] {
  return Array.from({ length: counts.size }, (_, value) => textOfValue(counts, value));
}

function findDateForm(counts: ValueCounts): ColumnForm {
  let found: ColumnForm = "";
  let zone: string | null = null;
  for (let value = 0; value < counts.size; value++) {
    const text = textOfValue(counts, value);
    const own = formOfDate(text);
    const isTime = own === "time" || own === "times";
    if (found === "") found = own;
    else if (found !== own) {
      if (!isTime || !found.startsWith("time")) return "dates";
      found = "times";
    }
    if (found !== "time") continue;
    const ownZone = DATE_TIME.exec(text)?.[1] ?? "";
    zone ??= ownZone;
    if (zone !== ownZone) found = "times";
  }
  return found;
}

function formOfDate(text: string): ColumnForm {
  if (text.length === "2026-01".length) return "month";
  if (text.length === "2026-01-31".length) return "day";
  return DATE_TIME.test(text) ? "time" : "times";
}
