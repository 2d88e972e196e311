import type { FileFormat } from "../inspection/verdict.ts";
import type { RowReader } from "../rows/cells.ts";
import { createReader } from "../rows/reader.ts";
import { areSameBytes, type LocatedRow } from "./compare-cells.ts";

/** One of two compared tables. */
export interface TableSide {
  format: FileFormat;
  tableColumns: string[];
  rowCount: number;
  firstRowAt: number;
  /** The whole file and a line feed. */
  bytes: Buffer;
  /** Where each row begins, and where the last ends; in shared memory. */
  starts: Uint32Array;
}

/** Finds where each row of a table begins. */
export function openSide(side: Omit<TableSide, "starts">): TableSide {
  const { bytes, rowCount } = side;
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (rowCount + 1)));
  const { skip } = createReader(side, []);
  let at = side.firstRowAt;
  for (let row = 0; row < rowCount; row++) {
    starts[row] = at;
    at = skip(bytes, at);
  }
  starts[rowCount] = at;
  return { ...side, starts };
}

/** Reads named columns of single rows of one table. */
export interface SideReader extends LocatedRow {
  reader: RowReader;
  locate(row: number): void;
}

/** A reader of the named columns, each in the slot of its place in the list. */
export function readSide(side: TableSide, names: readonly string[]): SideReader {
  const reader = createReader(side, names);
  const { bytes, starts } = side;
  return {
    reader,
    bytes,
    places: reader.places,
    locate: (row) => reader.find(bytes, starts[row] as number),
  };
}

/** Whether two rows stand in their files with the same bytes, line ends and all. */
export function haveSameBytes(base: TableSide, baseRow: number, head: TableSide, headRow: number): boolean {
  const from = base.starts[baseRow] as number;
  const start = head.starts[headRow] as number;
  const length = (base.starts[baseRow + 1] as number) - from;
  if (length !== (head.starts[headRow + 1] as number) - start) return false;
  return areSameBytes(base.bytes, from, head.bytes, start, length);
}

/** The number of a row as readers count: a CSV's header is row 1. */
export function numberRow(format: FileFormat, row: number): number {
  return row + (format === "csv" ? 2 : 1);
}
