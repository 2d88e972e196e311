import type { Dialect } from "./dialect.ts";
import { startTable, type TableHooks } from "./follow-table.ts";
import { findMarkedColumns, findMarks, noteCell } from "./number-marks.ts";
import { type OpenFile, readTable } from "./read-table.ts";

/** What has to be known of a table before its first row is written. */
export interface TableSurvey {
  /** The number of its columns where no row names them, else null. */
  width: number | null;
  /** The places of the columns that the marks of numbers are for, where the dialect names marks and no columns. */
  marked: number[];
}

/** Reads a table for what its dialect leaves open: its width, and the columns that its marks make numbers of. */
export async function surveyTable(open: OpenFile, dialect: Dialect): Promise<TableSurvey> {
  const marks = dialect.columns === undefined ? findMarks(dialect) : null;
  const isUnnamed = dialect.header === false;
  if (marks === null && !isUnnamed) return { width: null, marked: [] };
  const table = startTable(dialect, null);
  const kinds: number[] = [];
  const hooks: TableHooks = {
    names: () => undefined,
    endRow: () => undefined,
    value: (bytes, start, end, column) => {
      if (marks !== null && start < end) noteCell(kinds, column, marks, [bytes, start, end]);
    },
  };
  for await (const _ of readTable(open, table, hooks)) if (marks === null && table.names !== null) break;
  return { width: isUnnamed ? (table.names?.length ?? 0) : null, marked: findMarkedColumns(kinds) };
}
