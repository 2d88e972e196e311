import type { Column } from "../inspection/verdict.ts";
import type { RowsFile } from "../rows/plan.ts";

/** A table of more columns is not written: readers of Parquet load the places of all of them first. */
export const MOST_PARQUET_COLUMNS = 2_000;

/** A file may hold a hundred thousand lists: the first of them are written. */
export const MOST_WRITTEN_TABLES = 100;

/** A table of a file that is written as Parquet. */
export interface WrittenTable {
  /** Its place among the tables of the file, from 0. */
  number: number;
  /** The name of its list; null where the whole file is the table. */
  name: string | null;
  position: number | null;
  columns: Column[];
  rowCount: number;
}

/** The tables of a file that are written as Parquet: of one that takes questions, those with few enough columns. */
export function listWrittenTables(file: RowsFile, queryBytes: number): WrittenTable[] {
  if (file.bytes > queryBytes) return [];
  return listTables(file)
    .slice(0, MOST_WRITTEN_TABLES)
    .filter(({ columns }) => hasFewColumns(columns));
}

/** Whether a table has columns, and no more than are written. */
export function hasFewColumns({ length }: readonly unknown[]): boolean {
  return length > 0 && length <= MOST_PARQUET_COLUMNS;
}

function listTables({ inspection, tables }: RowsFile): WrittenTable[] {
  if (inspection?.kind === "table") {
    const { columns, row_count: rowCount } = inspection;
    return [{ number: 0, name: null, position: null, columns, rowCount }];
  }
  return tables.map(({ name, position, columns, row_count: rowCount }, number) => {
    return { number, name, position, columns, rowCount };
  });
}
