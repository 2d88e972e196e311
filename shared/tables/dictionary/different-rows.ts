import type { CellPlaces } from "../rows/cells.ts";

/**
 * Rows by the bytes of some of their cells, as far as they were added: no cell is copied. As long as each row is above
 * the one before, all are different and no table of them is made: a number that counts rows, and a day, mostly rise.
 */
export interface DifferentRows {
  /** The slots of the cells that tell the rows apart. */
  cells: readonly number[];
  size: number;
  /** Where the cells of each row stand. */
  starts: Uint32Array;
  ends: Uint32Array;
  /** The rows by their hashes; null while they rise. */
  table: RowTable | null;
  seed: number;
}

interface RowTable {
  hashes: Uint32Array;
  /** One more than the number of a row, by its hash; 0 where none is. */
  slots: Int32Array;
}

const [FNV_BASIS, FNV_PRIME] = [0x811c9dc5, 0x01000193];
/** Parts two cells: a byte that no text of UTF-8 has. */
const BETWEEN = 0xff;

/** No rows, with room for so many. The seed keeps an author from making a file of one slot. */
export function startDifferentRows(cells: readonly number[], most: number, seed: number): DifferentRows {
  const [starts, ends] = [new Uint32Array(most * cells.length), new Uint32Array(most * cells.length)];
  return { cells, size: 0, starts, ends, table: null, seed };
}

/** Adds the row that was located last; false where an earlier one has the same bytes. */
export function addDifferentRow(rows: DifferentRows, bytes: Buffer, places: CellPlaces): boolean {
  const { cells, starts, ends } = rows;
  const row = rows.size++;
  for (let place = 0, to = row * cells.length; place < cells.length; place++, to++) {
    starts[to] = places.starts[cells[place] as number] as number;
    ends[to] = places.ends[cells[place] as number] as number;
  }
  if (rows.table === null) {
    if (row === 0 || compareRows(rows, bytes, row, row - 1) > 0) return true;
    rows.table = makeTable(rows, bytes);
  }
  return enterRow(rows, rows.table, bytes, row);
}

/** The table of the rows before the last, which rise. */
function makeTable(rows: DifferentRows, bytes: Buffer): RowTable {
  const most = rows.starts.length / rows.cells.length;
  const room = 2 ** Math.ceil(Math.log2(2 * most + 2));
  const table = { hashes: new Uint32Array(most), slots: new Int32Array(room) };
  for (let row = 0; row < rows.size - 1; row++) enterRow(rows, table, bytes, row);
  return table;
}

function enterRow(rows: DifferentRows, { hashes, slots }: RowTable, bytes: Buffer, row: number): boolean {
  const hash = hashRow(rows, bytes, row);
  const mask = slots.length - 1;
  let slot = hash & mask;
  for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const known = (slots[slot] as number) - 1;
    if (hashes[known] === hash && compareRows(rows, bytes, known, row) === 0) return false;
  }
  slots[slot] = row + 1;
  hashes[row] = hash;
  return true;
}

function hashRow({ cells, starts, ends, seed }: DifferentRows, bytes: Buffer, row: number): number {
  let hash = FNV_BASIS ^ seed;
  for (let place = 0, cell = row * cells.length; place < cells.length; place++, cell++) {
    const end = ends[cell] as number;
    for (let at = starts[cell] as number; at < end; at++)
      hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
    hash = Math.imul(hash ^ BETWEEN, FNV_PRIME);
  }
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** Orders two rows cell by cell: a longer cell is above a shorter one, and others by their bytes. 0 for the same bytes. */
function compareRows(
  { cells, starts, ends }: DifferentRows,
  bytes: Buffer,
  row: number,
  other: number,
): number {
  for (let place = 0; place < cells.length; place++) {
    const [cell, own] = [row * cells.length + place, other * cells.length + place];
    const from = starts[cell] as number;
    const start = starts[own] as number;
    const length = (ends[cell] as number) - from;
    const longer = length - ((ends[own] as number) - start);
    if (longer !== 0) return longer;
    for (let at = 0; at < length; at++) {
      const above = (bytes[from + at] as number) - (bytes[start + at] as number);
      if (above !== 0) return above;
    }
  }
  return 0;
}
