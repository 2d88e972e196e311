import { isNumberText } from "../inspection/column-types.ts";
import { CELL, type RowReader, textOfCell } from "./cells.ts";
import { foldCase } from "./conditions.ts";
import type { Filter } from "./query.ts";

/**
 * Columns made ready for conditions, in shared memory, so that threads hand them on without a copy. Only columns that
 * a query names are prepared: together with the file they stay below 2.5 times its size.
 */
export interface PreparedTable {
  rowCount: number;
  /** Where every eighth row begins. */
  starts: Uint32Array;
  columns: PreparedColumn[];
}

/** The form of a cell that a condition needs. */
export type Preparation = "numbers" | "texts" | "folded";

export interface PreparedColumn {
  name: string;
  preparation: Preparation;
  /** For `numbers`: the value of a cell that a double represents unambiguously, NaN for all others. */
  values: Float64Array;
  /** Texts of the cells without such a value, one after the other, in small letters when `folded`. */
  bytes: Uint8Array;
  /** Where the text of each row ends, after an entry of 0. */
  ends: Uint32Array;
}

export const ROWS_A_START = 8;

/** Which preparation a condition wants. */
export function preparationFor(filter: Filter): Preparation {
  if (filter.op === "contains") return "folded";
  const { value } = filter;
  return value !== null && isNumberText(value) ? "numbers" : "texts";
}

/** Whether a column, prepared or to prepare, has what a condition wants. */
export function isPreparedFor(
  { name, preparation }: Pick<PreparedColumn, "name" | "preparation">,
  filter: Filter,
): boolean {
  return name === filter.column && preparation === preparationFor(filter);
}

/** The prepared columns that conditions need; null where nothing of the table is prepared. */
export function pickPrepared(
  prepared: PreparedTable | null,
  filters: readonly Filter[],
): PreparedTable | null {
  if (prepared === null) return null;
  const isNeeded = (column: PreparedColumn) => filters.some((filter) => isPreparedFor(column, filter));
  return { ...prepared, columns: prepared.columns.filter(isNeeded) };
}

interface Building {
  slot: number;
  column: PreparedColumn;
  length: number;
}

/** Prepares columns, each with the slot that the reader puts its cells into, in one pass over the rows. */
export function prepareColumns(
  bytes: Buffer,
  reader: RowReader,
  table: { rowCount: number; firstRowAt: number },
  wanted: { name: string; preparation: Preparation; slot: number }[],
): PreparedTable {
  const { rowCount } = table;
  const starts = new Uint32Array(share(4 * Math.ceil(rowCount / ROWS_A_START)));
  const building = wanted.map(({ slot, ...column }): Building => {
    const values = new Float64Array(share(column.preparation === "numbers" ? 8 * rowCount : 0));
    const ends = new Uint32Array(share(4 * (rowCount + 1)));
    return { slot, length: 0, column: { ...column, values, ends, bytes: new Uint8Array(65_536) } };
  });
  let at = table.firstRowAt;
  for (let row = 0; row < rowCount; row++) {
    if (row % ROWS_A_START === 0) starts[row / ROWS_A_START] = at;
    at = reader.locate(bytes, at);
    for (const one of building) addCell(one, bytes, reader, row);
  }
  return { rowCount, starts, columns: building.map(finishColumn) };
}

function share(byteLength: number): SharedArrayBuffer {
  return new SharedArrayBuffer(byteLength);
}

function finishColumn({ column, length }: Building): PreparedColumn {
  const bytes = new Uint8Array(share(length));
  bytes.set(column.bytes.subarray(0, length));
  return { ...column, bytes };
}

function addCell(building: Building, bytes: Buffer, reader: RowReader, row: number): void {
  const { column, slot } = building;
  const { places } = reader;
  const kind = places.kinds[slot] as number;
  const isBlank = kind === CELL.null || kind === CELL.empty;
  if (column.preparation === "numbers") {
    const value = isBlank ? Number.NaN : readNumberCell(bytes, reader, slot);
    column.values[row] = value;
    if (!Number.isNaN(value)) {
      column.ends[row + 1] = building.length;
      return;
    }
  }
  if (!isBlank) addText(building, bytes, reader);
  column.ends[row + 1] = building.length;
}

// 10 to these powers and whole numbers below 2 to the power of 53 are exact, so one division rounds once: the result
// is the double that is nearest to the decimal, as Number() gives it.
const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
const MOST_NUMBER_BYTES = 15;
const [ZERO, MINUS, DOT] = [0x30, 0x2d, 0x2e];

function readNumberCell(bytes: Buffer, { places }: RowReader, slot: number): number {
  const kind = places.kinds[slot];
  if (kind === CELL.doubled || kind === CELL.escaped) return Number.NaN;
  return readShortNumber(bytes, places.starts[slot] as number, places.ends[slot] as number);
}

/** The value of a number of up to 15 characters without exponent between two places; NaN for anything else. */
export function readShortNumber(bytes: Buffer, start: number, end: number): number {
  if (end - start > MOST_NUMBER_BYTES) return Number.NaN;
  const first = bytes[start] === MINUS ? start + 1 : start;
  let value = 0;
  let dotAt = -1;
  for (let at = first; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit >>> 0 <= 9) value = value * 10 + digit;
    else if (bytes[at] === DOT && dotAt === -1 && at > first && at < end - 1) dotAt = at;
    else return Number.NaN;
  }
  if (first === end) return Number.NaN;
  if (dotAt !== -1) value /= POWERS[end - 1 - dotAt] as number;
  return first > start ? -value : value;
}

function addText(building: Building, bytes: Buffer, { places }: RowReader): void {
  const { column, slot } = building;
  const kind = places.kinds[slot] as number;
  const start = places.starts[slot] as number;
  const end = places.ends[slot] as number;
  if (kind === CELL.raw || kind === CELL.safe || kind === CELL.plain) {
    makeRoom(building, end - start);
    const isCopied = column.preparation === "folded" ? copyFolded : copyText;
    if (isCopied(building, bytes, start, end)) return;
  }
  const text = textOfCell(bytes, places, slot) ?? "";
  const own = Buffer.from(column.preparation === "folded" ? foldCase(text) : text);
  makeRoom(building, own.length);
  column.bytes.set(own, building.length);
  building.length += own.length;
}

function makeRoom(building: Building, bytes: number): void {
  const { column, length } = building;
  if (length + bytes <= column.bytes.length) return;
  const larger = new Uint8Array(Math.max(length + bytes, 2 * column.bytes.length));
  larger.set(column.bytes.subarray(0, length));
  column.bytes = larger;
}

function copyText(building: Building, bytes: Buffer, start: number, end: number): boolean {
  const to = building.column.bytes;
  let { length } = building;
  for (let at = start; at < end; at++) to[length++] = bytes[at] as number;
  building.length = length;
  return true;
}

/** Copies ASCII text in small letters; false, with nothing copied, for text that only Unicode's rules can fold. */
function copyFolded(building: Building, bytes: Buffer, start: number, end: number): boolean {
  const to = building.column.bytes;
  let { length } = building;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) return false;
    to[length++] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
  }
  building.length = length;
  return true;
}

/** Bytes that a prepared table holds. */
export function countPreparedBytes(table: PreparedTable): number {
  return table.starts.byteLength + table.columns.reduce((sum, column) => sum + countColumnBytes(column), 0);
}

function countColumnBytes({ values, bytes, ends }: PreparedColumn): number {
  return values.byteLength + bytes.byteLength + ends.byteLength;
}

/**
 * The columns of two preparations of one table, the newer ones last; the oldest are dropped above the size
 * limit.
 */
export function mergePrepared(
  old: PreparedTable | null,
  fresh: PreparedTable,
  mostBytes: number,
): PreparedTable {
  const kept = (old?.columns ?? []).filter(
    (one) =>
      !fresh.columns.some(({ name, preparation }) => name === one.name && preparation === one.preparation),
  );
  const columns = [...kept, ...fresh.columns];
  while (columns.length > 0 && countPreparedBytes({ ...fresh, columns }) > mostBytes) columns.shift();
  return { ...fresh, columns };
}
