import { CELL, type CellPlaces, textOfCell } from "../rows/cells.ts";

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
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
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
export interface LocatedRow {
  bytes: Buffer;
  places: CellPlaces;
}

/** Whether the first cells of two rows are written alike. */
export function areSameCells(base: LocatedRow, head: LocatedRow, count: number): boolean {
  for (let slot = 0; slot < count; slot++) if (!isSameCell(base, slot, head, slot)) return false;
  return true;
}

/** Whether two cells are written alike: `1` and `1.0` are not, and neither are an empty text and no value. */
export function isSameCell(base: LocatedRow, baseSlot: number, head: LocatedRow, headSlot: number): boolean {
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
  return areSameBytes(base.bytes, from, head.bytes, start, length);
}

// A call of the engine costs as much as comparing so many bytes here.
const SHORT_BYTES = 96;

/** Whether two stretches of bytes are the same. */
export function areSameBytes(
  one: Buffer,
  from: number,
  other: Buffer,
  start: number,
  length: number,
): boolean {
  if (length > SHORT_BYTES) return one.compare(other, start, start + length, from, from + length) === 0;
  for (let at = 0; at < length; at++) if (one[from + at] !== other[start + at]) return false;
  return true;
}
