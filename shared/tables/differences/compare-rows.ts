import type { FileFormat } from "../inspection/verdict.ts";
import { CELL, type CellPlaces, type RowReader, textOfCell } from "../rows/cells.ts";
import { createReader } from "../rows/reader.ts";
import { mixHash } from "../statistics/value-counts.ts";

/** One of two compared tables. */
export interface TableSide {
  format: FileFormat;
  tableColumns: string[];
  rowCount: number;
  firstRowAt: number;
  /** The whole file and a line feed. */
  bytes: Buffer;
  /** Where each row begins, and where the last ends. */
  starts: Uint32Array;
}

/** Finds where each row of a table begins. */
export function openSide(side: Omit<TableSide, "starts">): TableSide {
  const { bytes, rowCount } = side;
  const starts = new Uint32Array(rowCount + 1);
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
    locate: (row) => void reader.locate(bytes, starts[row] as number),
  };
}

const [FNV_BASIS, FNV_PRIME, QUOTE] = [0x811c9dc5, 0x01000193, 0x22];

/** What a cell is, whatever way it is written in: cells of two tags always differ. */
const TAG = { null: 0, empty: 1, text: 2, json: 3, nested: 4 } as const;
const TAG_OF: Readonly<Record<number, number>> = {
  [CELL.null]: TAG.null,
  [CELL.empty]: TAG.empty,
  [CELL.raw]: TAG.json,
  [CELL.safe]: TAG.text,
  [CELL.plain]: TAG.text,
  [CELL.doubled]: TAG.text,
  [CELL.escaped]: TAG.text,
  [CELL.nested]: TAG.nested,
};

/** A hash of the first cells of a row as they are written; the seed keeps an author from making cells that collide. */
export function hashCells(bytes: Buffer, places: CellPlaces, count: number, seed: number): number {
  let hash = FNV_BASIS ^ seed;
  for (let slot = 0; slot < count; slot++) hash = hashCell(hash, bytes, places, slot);
  return mixHash(hash);
}

function hashCell(before: number, bytes: Buffer, places: CellPlaces, slot: number): number {
  const kind = places.kinds[slot] as number;
  let hash = Math.imul(before ^ (TAG_OF[kind] as number), FNV_PRIME);
  if (kind === CELL.null || kind === CELL.empty) return hash;
  const start = places.starts[slot] as number;
  const end = places.ends[slot] as number;
  if (kind === CELL.escaped || kind === CELL.nested) {
    for (const byte of Buffer.from(textOfCell(bytes, places, slot) ?? ""))
      hash = Math.imul(hash ^ byte, FNV_PRIME);
    return hash;
  }
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    hash = Math.imul(hash ^ byte, FNV_PRIME);
    if (byte === QUOTE && kind === CELL.doubled) at++;
  }
  return hash;
}

/** A row that was located: its bytes, and where its cells stand in them. */
interface LocatedRow {
  bytes: Buffer;
  places: CellPlaces;
}

/** Whether the first cells of two rows are written alike. */
export function areSameCells(base: LocatedRow, head: LocatedRow, count: number): boolean {
  for (let slot = 0; slot < count; slot++) if (!isSameCell(base, slot, head, slot)) return false;
  return true;
}

/** Whether two cells are written alike: `1` and `1.0` are not, and neither are an empty text and no value. */
function isSameCell(base: LocatedRow, baseSlot: number, head: LocatedRow, headSlot: number): boolean {
  const baseKind = base.places.kinds[baseSlot] as number;
  const headKind = head.places.kinds[headSlot] as number;
  if (TAG_OF[baseKind] !== TAG_OF[headKind]) return false;
  if (baseKind === CELL.null || baseKind === CELL.empty) return true;
  if (baseKind === headKind) {
    if (isSameText(base, baseSlot, head, headSlot)) return true;
    // The same text has one form within these kinds.
    if (baseKind !== CELL.escaped && baseKind !== CELL.nested) return false;
  }
  return textOfCell(base.bytes, base.places, baseSlot) === textOfCell(head.bytes, head.places, headSlot);
}

function isSameText(base: LocatedRow, baseSlot: number, head: LocatedRow, headSlot: number): boolean {
  const from = base.places.starts[baseSlot] as number;
  const start = head.places.starts[headSlot] as number;
  const length = (base.places.ends[baseSlot] as number) - from;
  if (length !== (head.places.ends[headSlot] as number) - start) return false;
  for (let at = 0; at < length; at++) if (base.bytes[from + at] !== head.bytes[start + at]) return false;
  return true;
}

/** The columns of two tables, by name. */
export interface SideColumns {
  /** Of the head alone, and of the base alone. */
  added: string[];
  removed: string[];
  /** Of both, in the order of the head. */
  same: string[];
}

/** Compares a row of the base with one of the head. */
export interface RowComparison {
  /** Both with the columns of both tables first, then those of their own. */
  base: SideReader;
  head: SideReader;
  /** The places among the columns of both tables whose cells differ, as far as `changedCount`. */
  changed: Int32Array;
  changedCount: number;
  /** Whether the rows differ; says in the members above in what. */
  compare(baseRow: number, headRow: number): boolean;
}

/** Compares rows of two tables cell by cell. */
export function openComparison(
  base: TableSide,
  head: TableSide,
  { same, added, removed }: SideColumns,
): RowComparison {
  const comparison: RowComparison = {
    base: readSide(base, [...same, ...removed]),
    head: readSide(head, [...same, ...added]),
    changed: new Int32Array(same.length),
    changedCount: 0,
    compare: (baseRow, headRow) => {
      comparison.base.locate(baseRow);
      comparison.head.locate(headRow);
      return compareLocated(comparison, same.length);
    },
  };
  return comparison;
}

function compareLocated(comparison: RowComparison, sameCount: number): boolean {
  const { base, head, changed } = comparison;
  let count = 0;
  for (let slot = 0; slot < sameCount; slot++) {
    if (!isSameCell(base, slot, head, slot)) changed[count++] = slot;
  }
  comparison.changedCount = count;
  return count > 0 || hasValue(base, sameCount) || hasValue(head, sameCount);
}

/** Whether a row that was located holds a value behind its first cells. */
export function hasValue({ places: { kinds } }: SideReader, from: number): boolean {
  for (let slot = from; slot < kinds.length; slot++) if (kinds[slot] !== CELL.null) return true;
  return false;
}
