import { CELL, type CellPlaces, textOfCell } from "../rows/cells.ts";
import { readShortNumber } from "../rows/decimal.ts";

/** The meaning of a value's bytes: a text, or the JSON text of a number, word, object or list. */
export const TAG = { text: 0, json: 1 } as const;

/** Hands the value of a filled cell of the row that was located last to something that takes values, such as `countValue`. */
export function takeCell<Target, Result>(
  take: (target: Target, bytes: Buffer, start: number, end: number, tag: number) => Result,
  target: Target,
  bytes: Buffer,
  places: CellPlaces,
  slot: number,
): Result {
  const kind = places.kinds[slot] as number;
  if (kind === CELL.plain || kind === CELL.safe || kind === CELL.raw) {
    const tag = kind === CELL.raw ? TAG.json : TAG.text;
    return take(target, bytes, places.starts[slot] as number, places.ends[slot] as number, tag);
  }
  const text = Buffer.from(textOfCell(bytes, places, slot) ?? "");
  return take(target, text, 0, text.length, kind === CELL.nested ? TAG.json : TAG.text);
}

/**
 * The different values of one column and how often each occurs. Values are bytes in one piece of memory, with
 * tables of plain numbers beside it: a million of them take some 30 bytes each, and no text is made of any.
 */
export interface ValueCounts {
  /** How many different values there are. */
  size: number;
  /** The values one after the other, and where each ends after an entry of 0. */
  bytes: Buffer;
  ends: Uint32Array;
  counts: Uint32Array;
  /** The tag of each value: values with the same bytes are different where their tags are. */
  tags: Uint8Array;
  hashes: Uint32Array;
  /** One more than the number of a value, by its hash; 0 where none is. */
  slots: Int32Array;
  seed: number;
}

const FIRST_VALUES = 8;
const FIRST_BYTES = 64;
const [FNV_BASIS, FNV_PRIME] = [0x811c9dc5, 0x01000193];

/** Starts without values. The seed keeps an author from making a file whose values all fall into one slot. */
export function startCounts(seed: number): ValueCounts {
  return {
    size: 0,
    bytes: Buffer.allocUnsafeSlow(FIRST_BYTES),
    ends: new Uint32Array(FIRST_VALUES + 1),
    counts: new Uint32Array(FIRST_VALUES),
    tags: new Uint8Array(FIRST_VALUES),
    hashes: new Uint32Array(FIRST_VALUES),
    slots: new Int32Array(2 * FIRST_VALUES),
    seed,
  };
}

/** Counts the value that stands between two places of some bytes; gives its number, by first appearance. */
export function countValue(
  counts: ValueCounts,
  bytes: Uint8Array,
  start: number,
  end: number,
  tag: number,
): number {
  let hash = FNV_BASIS ^ counts.seed ^ tag;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
  hash = mixHash(hash);
  const mask = counts.slots.length - 1;
  let slot = hash & mask;
  for (;;) {
    const value = (counts.slots[slot] as number) - 1;
    if (value < 0) break;
    if (counts.hashes[value] === hash && counts.tags[value] === tag) {
      if (isSame(counts, value, bytes, start, end)) {
        counts.counts[value] = (counts.counts[value] as number) + 1;
        return value;
      }
    }
    slot = (slot + 1) & mask;
  }
  addValue(counts, bytes, start, end, hash, tag, slot);
  return counts.size - 1;
}

/** A hash whose lowest bits, which choose the slot, depend on every bit. */
export function mixHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

function isSame(counts: ValueCounts, value: number, bytes: Uint8Array, start: number, end: number): boolean {
  const from = counts.ends[value] as number;
  if ((counts.ends[value + 1] as number) - from !== end - start) return false;
  for (let at = start; at < end; at++) if (bytes[at] !== counts.bytes[from + at - start]) return false;
  return true;
}

function addValue(
  counts: ValueCounts,
  bytes: Uint8Array,
  start: number,
  stop: number,
  hash: number,
  tag: number,
  slot: number,
): void {
  const { size } = counts;
  if (size === counts.counts.length) growTables(counts);
  const from = counts.ends[size] as number;
  const end = from + stop - start;
  if (end > counts.bytes.length) {
    const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * counts.bytes.length));
    larger.set(counts.bytes.subarray(0, from));
    counts.bytes = larger;
  }
  for (let at = start; at < stop; at++) counts.bytes[from + at - start] = bytes[at] as number;
  counts.ends[size + 1] = end;
  counts.hashes[size] = hash;
  counts.tags[size] = tag;
  counts.counts[size] = 1;
  counts.size++;
  if (counts.slots.length > 2 * size + 2) counts.slots[slot] = size + 1;
  else growSlots(counts);
}

function growTables(counts: ValueCounts): void {
  const room = 2 * counts.size;
  counts.ends = copyInto(new Uint32Array(room + 1), counts.ends);
  counts.counts = copyInto(new Uint32Array(room), counts.counts);
  counts.hashes = copyInto(new Uint32Array(room), counts.hashes);
  counts.tags = copyInto(new Uint8Array(room), counts.tags);
}

function copyInto<Numbers extends Uint8Array | Uint32Array>(to: Numbers, from: Numbers): Numbers {
  to.set(from);
  return to;
}

function growSlots(counts: ValueCounts): void {
  const slots = new Int32Array(2 * counts.slots.length);
  const mask = slots.length - 1;
  for (let value = 0; value < counts.size; value++) {
    let slot = (counts.hashes[value] as number) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = value + 1;
  }
  counts.slots = slots;
}

/** Compares UTF-8 bytes, whose order is the order of code points, with others; below 0 where they come first. */
export function compareBytes(bytes: Uint8Array, start: number, end: number, others: Uint8Array): number {
  const length = Math.min(end - start, others.length);
  for (let at = 0; at < length; at++) {
    const difference = (bytes[start + at] as number) - (others[at] as number);
    if (difference !== 0) return difference;
  }
  return end - start - others.length;
}

/** The text of a value by its number. */
export function textOfValue({ bytes, ends }: Pick<ValueCounts, "bytes" | "ends">, value: number): string {
  return bytes.toString("utf8", ends[value], ends[value + 1]);
}

/** The number that the text between two places stands for, as `Number` gives it; short decimals without making a text. */
export function readNumber(bytes: Buffer, start: number, end: number): number {
  const short = readShortNumber(bytes, start, end);
  return Number.isNaN(short) ? Number(bytes.toString("utf8", start, end)) : short;
}

/** The number that a value's text stands for. */
export function numberOfValue({ bytes, ends }: Pick<ValueCounts, "bytes" | "ends">, value: number): number {
  return readNumber(bytes, ends[value] as number, ends[value + 1] as number);
}

/** The first of some rising numbers that is not below the wanted one. */
export function findPlace(sorted: ArrayLike<number>, wanted: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
