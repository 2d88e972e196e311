import type { IndexedTable, ReadingIndex } from "../inspection/reading-index.ts";
import type { Column } from "../inspection/verdict.ts";
import type { RowsFile } from "../rows/plan.ts";
import type { ColumnForm } from "./column-form.ts";
import { measureTable } from "./measure-table.ts";

/** The columns of one file that are measured, over all its tables: the statistics of a file have a bound. */
export const MOST_MEASURED_COLUMNS = 300;

/**
 * The form of the statistics: raise it with every change of what is measured, and those stored in another form
 * are measured again when they are next read.
 */
export const STATS_VERSION = 4;

/** The tables of a file in their order, as JSON text. */
export interface MeasuredFile {
  /** Each with `table` (the key of its list, or null), `row_count`, `columns` (each a `ColumnStats`), `columns_left_out`. */
  stats: string;
  /** Each a list with the form of every measured column (`column-form.ts`). */
  forms: string;
}

/** Measures every table of a file; `bytes` are the whole file and a line feed. */
export function measureFile(bytes: Buffer, file: RowsFile, index: ReadingIndex, seed: number): MeasuredFile {
  let left = MOST_MEASURED_COLUMNS;
  const forms: ColumnForm[][] = [];
  const tables = listTables(file).map(({ name, position, columns, rowCount }) => {
    const place = index.tables.find((table) => table.position === position);
    const table = { columns, rowCount, firstRowAt: firstOffset(place) };
    const measured = measureTable(bytes, file.format, table, left, seed);
    left -= measured.length;
    forms.push(measured.map(({ form }) => form));
    const columnTexts = measured.map(({ json }) => json).join(",");
    const leftOut = columns.length - measured.length;
    return `{"table":${JSON.stringify(name)},"row_count":${rowCount},"columns":[${columnTexts}],"columns_left_out":${leftOut}}`;
  });
  return { stats: `[${tables.join(",")}]`, forms: JSON.stringify(forms) };
}

function firstOffset(place: IndexedTable | undefined): number {
  if (place === undefined) throw new Error("the reading index knows no such table");
  return place.offsets[0] ?? 0;
}

interface KnownTable {
  name: string | null;
  position: number | null;
  columns: Column[];
  rowCount: number;
}

function listTables({ inspection, tables }: RowsFile): KnownTable[] {
  if (inspection?.kind === "table") {
    return [{ name: null, position: null, columns: inspection.columns, rowCount: inspection.row_count }];
  }
  return tables.map(({ name, position, columns, row_count }) => {
    return { name, position, columns, rowCount: row_count };
  });
}
