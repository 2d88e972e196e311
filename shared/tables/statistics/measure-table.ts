import { type DictionaryMember, listMissing } from "../dictionary/dictionary.ts";
import type { Column, FileFormat } from "../inspection/verdict.ts";
import { type KnownTable, listTables, type RowsFile } from "../rows/plan.ts";
import { eachFilledCell } from "../rows/reader.ts";
import type { ReadTable } from "../rows/windows.ts";
import type { ColumnForm } from "./column-form.ts";
import { type ColumnTally, MOST_DIFFERENT, startTally } from "./tally-column.ts";
import { takeCell } from "./value-counts.ts";

/** The columns of one file that are measured, over all its tables: the statistics of a file have a bound. */
const MOST_MEASURED_COLUMNS = 300;

/**
 * The form of the statistics: raise it with every change of what is measured, and those stored in another form
 * are measured again when they are next read.
 */
export const STATS_VERSION = 6;

/** The tables of a file in their order, as JSON text. */
export interface MeasuredFile {
  /** Each with `table` (the key of its list, or null), `row_count`, `columns` (each a `ColumnStats`), `columns_left_out`. */
  stats: string;
  /** Each a list with the form of every measured column (`column-form.ts`). */
  forms: string;
}

/** A table as inspection knows it, and what stands for blank in its columns. */
interface TableToMeasure {
  format: FileFormat;
  columns: Column[];
  rowCount: number;
  read: ReadTable;
  missing: ReadonlyMap<string, readonly string[]>;
}

/** Measures every table of a file without the cells that its dictionary calls missing; `open` opens the reading of a table. */
export async function measureFile(
  file: RowsFile,
  open: (table: Pick<KnownTable, "position">) => ReadTable,
  seed: number,
  dictionary: DictionaryMember | null = null,
): Promise<MeasuredFile> {
  let left = MOST_MEASURED_COLUMNS;
  const forms: ColumnForm[][] = [];
  const tables: string[] = [];
  for (const { name, position, columns, rowCount } of listTables(file)) {
    const missing = new Map(listMissing(dictionary, name).map(({ column, values }) => [column, values]));
    const table = { format: file.format, columns, rowCount, read: open({ position }), missing };
    const measured = await measureTable(table, columns.slice(0, left), seed);
    left -= measured.length;
    forms.push(measured.map(({ form }) => form));
    const columnTexts = measured.map(({ json }) => json).join(",");
    const leftOut = columns.length - measured.length;
    tables.push(
      `{"table":${JSON.stringify(name)},"row_count":${rowCount},"columns":[${columnTexts}],"columns_left_out":${leftOut}}`,
    );
  }
  return { stats: `[${tables.join(",")}]`, forms: JSON.stringify(forms) };
}

/** The cells measured in one pass: each may be a value of its own, of some 30 bytes and its text. */
const MOST_CELLS_A_PASS = 3_000_000;

/** Measures columns of a table in as many passes as keep their values within memory: each as JSON text, with its form. */
export async function measureTable(table: TableToMeasure, columns: readonly Column[], seed: number) {
  const measured: MeasuredColumn[] = [];
  for (const group of groupColumns(columns, table.rowCount))
    measured.push(...(await measureGroup(table, group, seed)));
  return measured;
}

function groupColumns(columns: readonly Column[], rowCount: number): Column[][] {
  const groups: Column[][] = [];
  let cells = 0;
  for (const column of columns) {
    const own = Math.min(rowCount - column.blanks, MOST_DIFFERENT);
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

/** The statistics of a column as JSON text (`summarize-column.ts`), and its form. */
interface MeasuredColumn {
  json: string;
  form: ColumnForm;
}

async function measureGroup(
  table: TableToMeasure,
  columns: readonly Column[],
  seed: number,
): Promise<MeasuredColumn[]> {
  const isCsv = table.format === "csv";
  const tallies = columns.map((column) => {
    const missing = table.missing.get(column.name) ?? [];
    return startTally(column, { missing, isCsv, seed });
  });
  for (let left = tallies; left.length > 0; ) {
    await tallyColumns(table, left);
    left = left.filter((tally) => tally.needsMore());
  }
  return tallies.map((tally) => tally.measured(table.rowCount));
}

function tallyColumns(table: TableToMeasure, tallies: readonly ColumnTally[]): Promise<void> {
  const names = tallies.map(({ name }) => name);
  return eachFilledCell(table, names, (bytes, places, slot) =>
    takeCell(addTo, tallies[slot] as ColumnTally, bytes, places, slot),
  );
}

function addTo(tally: ColumnTally, bytes: Buffer, start: number, end: number, tag: number): void {
  tally.add(bytes, start, end, tag);
}
