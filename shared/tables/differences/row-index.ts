import { CELL } from "../rows/cells.ts";
import { areSameCells, hashCells } from "./compare-cells.ts";
import { readSide, type TableSide } from "./table-side.ts";

/** The rows of a table by a hash of some of their cells. */
export interface RowIndex {
  hashes: Uint32Array;
  /** One more than the number of a row, by its hash; 0 where none is. */
  slots: Int32Array;
}

/** Why columns do not identify the rows of a table. */
export interface KeyFault {
  /** Two rows with the same key, or one row with a blank cell in it. */
  rows: [number, number] | [number];
}

/** Indexes a table by columns that identify its rows; gives the first fault where they do not. */
export function indexByKey(
  side: TableSide,
  key: readonly string[],
  { seed, mayBeBlank }: { seed: number; mayBeBlank: boolean },
): RowIndex | KeyFault {
  const { bytes, rowCount } = side;
  const row = readSide(side, key);
  const earlier = readSide(side, key);
  const index = startIndex(rowCount);
  const { hashes, slots } = index;
  const mask = slots.length - 1;
  for (let number = 0; number < rowCount; number++) {
    row.locate(number);
    if (!mayBeBlank && hasBlank(row.places.kinds)) return { rows: [number] };
    const hash = hashCells(bytes, row.places, key.length, seed);
    hashes[number] = hash;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const known = (slots[slot] as number) - 1;
      if (hashes[known] !== hash) continue;
      earlier.locate(known);
      if (areSameCells(earlier, row, key.length)) return { rows: [known, number] };
    }
    slots[slot] = number + 1;
  }
  return index;
}

/** An index without rows, with room for so many. */
export function startIndex(rowCount: number): RowIndex {
  const room = 2 ** Math.ceil(Math.log2(Math.max(2 * rowCount, 2)));
  return { hashes: new Uint32Array(rowCount), slots: new Int32Array(room) };
}

function hasBlank(kinds: Uint8Array): boolean {
  for (let slot = 0; slot < kinds.length; slot++) {
    const kind = kinds[slot];
    if (kind === CELL.null || kind === CELL.empty) return true;
  }
  return false;
}
