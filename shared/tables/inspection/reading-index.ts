/**
 * The places of the rows in a file's tables: one record every few kilobytes, so that any page is read by its
 * range of bytes. Inspection makes the index, and the verdict holds it.
 */
export interface ReadingIndex {
  tables: IndexedTable[];
}

/** The rows of one table. */
export interface IndexedTable {
  /** Which top-level member of a JSON document holds the list, from 0; null when the whole file is the table. */
  position: number | null;
  rowCount: number;
  /** Row numbers from 0, rising, the first row included; `offsets` has the byte at which each of them begins. */
  rows: number[];
  offsets: number[];
  /** Byte after the last record. */
  end: number;
}

/** Bytes from one place to the next, at least: half of them are read in vain before a page begins. */
const BYTES_A_PLACE = 4_096;

/** Starts the index of one table. */
export function startIndex(position: number | null): IndexedTable {
  return { position, rowCount: 0, rows: [], offsets: [], end: 0 };
}

/** Notes the place of a row, and gives the byte from which the next place is worth noting. */
export function notePlace(table: IndexedTable, row: number, offset: number): number {
  table.rows.push(row);
  table.offsets.push(offset);
  return offset + BYTES_A_PLACE;
}

/** The form of the bytes. */
const VERSION = 1;

/** The index as bytes: numbers of variable length, each place by its distance from the one before. */
export function encodeIndex(index: ReadingIndex): Uint8Array {
  const out: number[] = [VERSION];
  writeNumber(out, index.tables.length);
  for (const table of index.tables) {
    writeNumber(out, table.position === null ? 0 : table.position + 1);
    for (const number of [table.rowCount, table.end, table.rows.length]) writeNumber(out, number);
    for (const [at, row] of table.rows.entries()) {
      writeNumber(out, row - (table.rows[at - 1] ?? 0));
      writeNumber(out, (table.offsets[at] ?? 0) - (table.offsets[at - 1] ?? 0));
    }
  }
  return Uint8Array.from(out);
}

/** Reads `encodeIndex`'s bytes; null for those of another version, whose file is then read without an index. */
export function decodeIndex(bytes: Uint8Array): ReadingIndex | null {
  if (bytes[0] !== VERSION) return null;
  const input = { bytes, at: 1 };
  const count = readNumber(input);
  return { tables: Array.from({ length: count }, () => readTable(input)) };
}

interface Input {
  bytes: Uint8Array;
  at: number;
}

function readTable(input: Input): IndexedTable {
  const position = readNumber(input);
  const table = startIndex(position === 0 ? null : position - 1);
  table.rowCount = readNumber(input);
  table.end = readNumber(input);
  const count = readNumber(input);
  let row = 0;
  let offset = 0;
  for (let place = 0; place < count; place++) {
    row += readNumber(input);
    offset += readNumber(input);
    table.rows.push(row);
    table.offsets.push(offset);
  }
  return table;
}

function writeNumber(out: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128);
  out.push(rest);
}

function readNumber(input: Input): number {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = input.bytes[input.at++] ?? 0;
    value += (byte % 128) * scale;
    if (byte < 128) return value;
  }
}
