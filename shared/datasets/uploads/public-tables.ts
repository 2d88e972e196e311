import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import { notFound } from "../../ground/errors.ts";
import type { Inspection, TableSummary } from "../../tables/inspection/verdict.ts";
import { readTables } from "./present-public-file.ts";

/** A file with a table in it, and where it stands among the files of its revision, from 1. */
export interface NumberedTable {
  number: number;
  row: FileRow;
  /** The lists of a document in their order; a file that is one table has one without a name. */
  tables: (Omit<TableSummary, "name"> & { name: string | null })[];
}

/** The table file of that number in the address of its page; throws `not_found` for any other number or file. */
export function findNumberedTable(files: readonly FileRow[], number: string): NumberedTable {
  const at = /^[1-9]\d?$/.test(number) ? Number(number) : 0;
  const row = files[at - 1];
  const tables = row === undefined ? [] : listTables(row);
  if (row === undefined || tables.length === 0) throw notFound("published table");
  return { number: at, row, tables };
}

function listTables({ inspection, tables }: FileRow): NumberedTable["tables"] {
  const found = inspection === null ? null : (JSON.parse(inspection) as Inspection);
  if (found?.kind !== "table") return readTables(tables);
  const { row_count, columns } = found;
  return [{ name: null, position: 0, row_count, columns }];
}
