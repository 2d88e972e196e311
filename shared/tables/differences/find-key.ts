import { CELL } from "../rows/cells.ts";
import { countValue, startCounts, takeCell, type ValueCounts } from "../statistics/value-counts.ts";
import { areSameCells, hashCells, readSide, type SideReader, type TableSide } from "./compare-rows.ts";

/** Columns that identify a row in both tables, and the rows by them. */
export interface FoundKey {
  key: string[];
  base: RowIndex;
  head: RowIndex;
}

/** How many rows of each table tell at first which columns may be a key. */
const FIRST_ROWS = 4_096;
/** Pairs are looked for among so many columns without blanks. */
const PAIRED_COLUMNS = 50;

/** Whether an index is none, as the columns do not identify the rows. */
export function isKeyFault(found: RowIndex | KeyFault): found is KeyFault {
  return "rows" in found;
}

/**
 * The first columns, from the left, that are filled and unique in both tables, one column before pairs; null where
 * there are none.
 */
export function findKey(
  base: TableSide,
  head: TableSide,
  columns: readonly string[],
  seed: number,
): FoundKey | null {
  const first = [head, base].map((side) => codeFirstRows(side, columns, seed));
  const filled = columns.flatMap((_, place) =>
    first.every(({ isFilled }) => isFilled[place] === 1) ? [place] : [],
  );
  const tryKey = (places: readonly number[]): FoundKey | null => {
    if (!first.every((side) => isUnique(side, places))) return null;
    return indexBoth(
      base,
      head,
      places.map((place) => columns[place] as string),
      seed,
    );
  };
  for (const place of filled) {
    const found = tryKey([place]);
    if (found !== null) return found;
  }
  const paired = filled.slice(0, PAIRED_COLUMNS);
  for (const [at, left] of paired.entries()) {
    for (const right of paired.slice(at + 1)) {
      const found = tryKey([left, right]);
      if (found !== null) return found;
    }
  }
  return null;
}

/** Indexes both tables by columns that identify each row of both; null where they do not. */
export function indexBoth(base: TableSide, head: TableSide, key: string[], seed: number): FoundKey | null {
  const ofHead = indexByKey(head, key, { seed, mayBeBlank: false });
  if (isKeyFault(ofHead)) return null;
  const ofBase = indexByKey(base, key, { seed, mayBeBlank: false });
  return isKeyFault(ofBase) ? null : { key, base: ofBase, head: ofHead };
}

/** Of the first rows of a table: for each column whether it is filled, and a number for each different value. */
function codeFirstRows(side: TableSide, columns: readonly string[], seed: number) {
  const rowCount = Math.min(side.rowCount, FIRST_ROWS, Math.ceil(MOST_FIRST_CELLS / columns.length));
  const row = readSide(side, columns);
  const counts = columns.map(() => startCounts(seed));
  const isFilled = new Uint8Array(columns.length).fill(1);
  const codes = columns.map(() => new Int32Array(rowCount));
  for (let number = 0; number < rowCount; number++) {
    row.locate(number);
    for (let slot = 0; slot < columns.length; slot++) {
      const kind = row.places.kinds[slot] as number;
      if (kind === CELL.null || kind === CELL.empty) isFilled[slot] = 0;
      if (isFilled[slot] === 0) continue;
      const code = takeCell(countValue, counts[slot] as ValueCounts, side.bytes, row.places, slot);
      (codes[slot] as Int32Array)[number] = code;
    }
  }
  return { rowCount, isFilled, codes };
}

// A wide table needs fewer rows for the same work.
const MOST_FIRST_CELLS = 500_000;

function isUnique({ rowCount, codes }: ReturnType<typeof codeFirstRows>, places: readonly number[]): boolean {
  const seen = new Set<number>();
  for (let row = 0; row < rowCount; row++) {
    const value = places.reduce(
      (sum, place) => sum * FIRST_ROWS + ((codes[place] as Int32Array)[row] as number),
      0,
    );
    if (seen.has(value)) return false;
    seen.add(value);
  }
  return true;
}

/** The rows of a table by a hash of some of their cells. */
export interface RowIndex {
  hashes: Uint32Array;
  /** One more than the number of a row, by its hash; 0 where none is. */
  slots: Int32Array;
}

/** Why columns do not identify the rows of a table. */
interface KeyFault {
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
  for (let number = 0; number < rowCount; number++) {
    row.locate(number);
    if (!mayBeBlank && hasBlank(row.places.kinds)) return { rows: [number] };
    const hash = hashCells(bytes, row.places, key.length, seed);
    index.hashes[number] = hash;
    const known = findRow(index, hash, earlier, row);
    if (known >= 0) return { rows: [known, number] };
    index.slots[-1 - known] = number + 1;
  }
  return index;
}

/**
 * The indexed row whose cells of `indexed` are those of a row that was located, by their hash; else below 0, and -1 less that
 * is the slot where it would stand.
 */
export function findRow(
  { hashes, slots }: RowIndex,
  hash: number,
  indexed: SideReader,
  row: SideReader,
  cellCount = indexed.places.kinds.length,
): number {
  const mask = slots.length - 1;
  let slot = hash & mask;
  for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const known = (slots[slot] as number) - 1;
    if (hashes[known] !== hash) continue;
    indexed.locate(known);
    if (areSameCells(indexed, row, cellCount)) return known;
  }
  return -1 - slot;
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
