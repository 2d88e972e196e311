import type { Column, FileFormat } from "../inspection/verdict.ts";
import { CELL, type RowReader, textOfCell } from "../rows/cells.ts";
import { createReader } from "../rows/reader.ts";
import { type ColumnForm, findForm } from "./column-form.ts";
import { summarizeColumn, TAG } from "./summarize-column.ts";
import { countValue, startCounts, type ValueCounts } from "./value-counts.ts";

/** A table as inspection knows it, and where its first row begins in the file. */
export interface TableToMeasure {
  columns: Column[];
  rowCount: number;
  firstRowAt: number;
}

/** A measured column: its statistics as JSON text, and how its cells are written. */
export interface MeasuredColumn {
  json: string;
  form: ColumnForm;
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
): MeasuredColumn[] {
  const measured: MeasuredColumn[] = [];
  for (const columns of groupColumns(table.columns.slice(0, mostColumns), table.rowCount)) {
    const counts = countColumns(bytes, format, table, columns, seed);
    for (const [slot, column] of columns.entries()) {
      const own = counts[slot] ?? startCounts(seed);
      measured.push({
        json: summarizeColumn(column, table.rowCount, own),
        form: findForm(column.type, own),
      });
    }
  }
  return measured;
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
