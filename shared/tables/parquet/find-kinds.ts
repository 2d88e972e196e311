import type { Column, FileFormat } from "../inspection/verdict.ts";
import { CELL, type CellPlaces } from "../rows/cells.ts";
import { hasUnboundedRows, type KnownTable, listTables, type RowsFile } from "../rows/plan.ts";
import { eachFilledCell } from "../rows/reader.ts";
import type { ReadTable } from "../rows/windows.ts";
import { takeCell } from "../statistics/value-counts.ts";
import {
  areToldApart,
  type DateTally,
  type NumberTally,
  type ReadNumbers,
  startNumbers,
  tallyDate,
  tallyNumber,
} from "./cells.ts";
import { isWrittenTwice } from "./written-twice.ts";

/**
 * The form of the written files: with a higher one, those of before are made again. A change of kinds leaves it, as files
 * that were written keep theirs.
 */
export const PARQUET_VERSION = 2;

/** A table of more columns is not written: readers of Parquet load the places of all of them first. */
export const MOST_PARQUET_COLUMNS = 2_000;

/** A file may hold a hundred thousand lists: the first of them are written. */
export const MOST_WRITTEN_TABLES = 100;

/** A table of a file that is written as Parquet, with its place among the tables of the file, from 0. */
export type WrittenTable = KnownTable & { number: number };

/** The tables of a file that are written as Parquet: those with few enough columns, of JSON that takes questions. */
export function listWrittenTables(file: RowsFile, queryBytes: number): WrittenTable[] {
  if (hasUnboundedRows(file, queryBytes)) return [];
  return listTables(file)
    .slice(0, MOST_WRITTEN_TABLES)
    .map((table, number) => ({ ...table, number }))
    .filter(({ columns }) => hasFewColumns(columns));
}

/** Whether a table has columns, and no more than are written. */
function hasFewColumns({ length }: readonly unknown[]): boolean {
  return length > 0 && length <= MOST_PARQUET_COLUMNS;
}

/** A table as inspection knows it. */
export interface TableToWrite {
  format: FileFormat;
  columns: readonly Column[];
  rowCount: number;
  read: ReadTable;
}

/** What a column is in a Parquet file. */
export type ParquetKind = "integer" | "double" | "day" | "time" | "boolean" | "text" | "json";

/** The kinds that a column's type alone tells; those of the others depend on how their cells are written. */
const KIND_OF_TYPE = {
  text: "text",
  blank: "text",
  boolean: "boolean",
  object: "json",
  array: "json",
} as const;

/** A column whose cells have to be read. */
interface OpenColumn {
  column: Column;
  numbers: NumberTally;
  dates: DateTally;
  /** Whether every cell is a list or an object. */
  areNested: boolean;
}

/** Finds the kind of each column of a table. */
export async function findKinds(table: TableToWrite): Promise<ParquetKind[]> {
  const open = table.columns.flatMap((column): OpenColumn[] => {
    const isOpen = column.type === "number" || column.type === "date" || column.type === "mixed";
    const dates = { areDays: true, areTimes: true };
    return isOpen ? [{ column, numbers: startNumbers(), dates, areNested: true }] : [];
  });
  if (open.length > 0) await readAll(table, open);
  const found = new Map<Column, ParquetKind>();
  for (const one of open) found.set(one.column, await kindOf(table, one));
  return table.columns.map((column) => {
    const known = Reflect.get(KIND_OF_TYPE, column.type) as ParquetKind | undefined;
    return found.get(column) ?? known ?? "text";
  });
}

function readAll(table: TableToWrite, open: readonly OpenColumn[]): Promise<void> {
  const names = open.map(({ column }) => column.name);
  return eachFilledCell(table, names, (bytes, places, slot) =>
    tallyCell(open[slot] as OpenColumn, bytes, places, slot),
  );
}

/** Counts in a filled cell of the row that was located last. */
function tallyCell(open: OpenColumn, bytes: Buffer, places: CellPlaces, slot: number): void {
  const { type } = open.column;
  if (type === "date") takeCell(tallyDate, open.dates, bytes, places, slot);
  else if (type === "number")
    tallyNumber(open.numbers, bytes, places.starts[slot] as number, places.ends[slot] as number);
  else if (places.kinds[slot] !== CELL.nested) open.areNested = false;
}

async function kindOf(
  table: TableToWrite,
  { column, numbers, dates, areNested }: OpenColumn,
): Promise<ParquetKind> {
  if (column.type === "mixed") return areNested ? "json" : "text";
  if (column.type === "date") return dates.areDays ? "day" : dates.areTimes ? "time" : "text";
  const read: ReadNumbers = (look) =>
    eachFilledCell(table, [column.name], (bytes, { starts, ends }) =>
      look(bytes.toString("latin1", starts[0], ends[0])),
    );
  if (await isWrittenTwice(numbers, read)) return "text";
  if (numbers.isWhole) return "integer";
  if (!numbers.isHard) return "double";
  return (await areToldApart(read, numbers.mostDigits)) ? "double" : "text";
}
