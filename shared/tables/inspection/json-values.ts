import { MARKS, markNumber } from "./cell-marks.ts";
import { KIND_BITS, LONG_NUMBER } from "./column-types.ts";
import { skipDigits } from "./csv-cells.ts";
import { isDateText, readDate } from "./dates.ts";
import { type JsonPlace, placeOf, refuseJson } from "./json-faults.ts";

/**
 * Reads texts and numbers of JSON (RFC 8259) by their bytes. The bytes end in a NUL, which belongs to no
 * token, so no loop checks for the end; a token that reaches the NUL is incomplete and is read again, from
 * its start, with the bytes that follow.
 */
export interface TokenRead {
  /** Whether the token came to its end. */
  isComplete: boolean;
  /** Bytes of the token that were read completely: a cut escape does not count yet. */
  byteCount: number;
  hasEscape: boolean;
  /** The kind of the cell that it is. */
  kind: number;
}

const [QUOTE, BACKSLASH, SMALL_U] = [0x22, 0x5c, 0x75];
const [ZERO, MINUS, PLUS, DOT, SMALL_E, BIG_E] = [0x30, 0x2d, 0x2b, 0x2e, 0x65, 0x45];

// The values of hexadecimal digits, 16 for other bytes.
const HEX = new Uint8Array(256).fill(16);
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit;
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}
const SHORT_ESCAPES = new Uint8Array(256);
for (const character of '"\\/bfnrt') SHORT_ESCAPES[character.charCodeAt(0)] = 1;

/** Reads on after the opening quote; gives the place after the closing one, or where the bytes end. */
export function readText(
  read: TokenRead,
  place: JsonPlace,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  let at = start;
  let half = false;
  read.hasEscape = false;
  for (;;) {
    const from = at;
    let byte = bytes[at] as number;
    while (byte > QUOTE ? byte !== BACKSLASH : byte !== QUOTE && byte >= 0x20) byte = bytes[++at] as number;
    const isEnd = at >= end;
    if (half && (at > from || (!isEnd && byte !== BACKSLASH)))
      throw refuseJson(placeOf(place, bytes, from), undefined, "surrogate");
    if (isEnd) return endText(read, false, at, at - start);
    if (byte === QUOTE) return endText(read, true, at + 1, at - start);
    if (byte < 0x20) throw refuseJson(placeOf(place, bytes, at), undefined, "control character");
    read.hasEscape = true;
    const next = readEscape(place, bytes, at + 1, end, half);
    if (next === 0) return endText(read, false, at, at - start);
    half = next < 0;
    at = Math.abs(next);
  }
}

function endText(read: TokenRead, isComplete: boolean, at: number, byteCount: number): number {
  read.isComplete = isComplete;
  read.byteCount = byteCount;
  return at;
}

/** Gives the place after an escape: negative when it is a high surrogate, 0 when the bytes end within it. */
function readEscape(place: JsonPlace, bytes: Uint8Array, at: number, end: number, half: boolean): number {
  if (at >= end) return 0;
  const byte = bytes[at] as number;
  if (byte === SMALL_U) return readHexEscape(place, bytes, at + 1, end, half);
  if (half) throw refuseJson(placeOf(place, bytes, at), undefined, "surrogate");
  if (SHORT_ESCAPES[byte] !== 1) throw refuseJson(placeOf(place, bytes, at), undefined, "escape");
  return at + 1;
}

function readHexEscape(
  place: JsonPlace,
  bytes: Uint8Array,
  start: number,
  end: number,
  half: boolean,
): number {
  let value = 0;
  for (let at = start; at < start + 4; at++) {
    if (at >= end) return 0;
    const digit = HEX[bytes[at] as number] as number;
    if (digit === 16) throw refuseJson(placeOf(place, bytes, at), undefined, "escape");
    value = value * 16 + digit;
  }
  const last = start + 3;
  if (value === 0) throw refuseJson(placeOf(place, bytes, last), undefined, "NUL");
  const isLow = value >= 0xdc00 && value <= 0xdfff;
  if (isLow !== half) throw refuseJson(placeOf(place, bytes, last), undefined, "surrogate");
  const isHigh = value >= 0xd800 && value <= 0xdbff;
  return isHigh ? -(last + 1) : last + 1;
}

/** Reads a number; gives the place of the first byte that cannot belong to it. `isComplete`: it may end there. */
export function readNumber(read: TokenRead, bytes: Uint8Array, start: number): number {
  const first = bytes[start] === MINUS ? start + 1 : start;
  let at = bytes[first] === ZERO ? first + 1 : skipDigits(bytes, first);
  read.isComplete = at > first;
  if (read.isComplete && bytes[at] === DOT) {
    const fraction = at + 1;
    at = skipDigits(bytes, fraction);
    read.isComplete = at > fraction;
  }
  if (read.isComplete && (bytes[at] === SMALL_E || bytes[at] === BIG_E)) {
    const sign = bytes[at + 1];
    const exponent = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
    at = skipDigits(bytes, exponent);
    read.isComplete = at > exponent;
  }
  read.byteCount = at - start;
  return at;
}

/** What a column knows of a number. */
export function kindOfNumber(bytes: Buffer, start: number, end: number): number {
  const isLong = end - start >= LONG_CHARACTERS && (markNumber(bytes, start, end) & MARKS.long) !== 0;
  return isLong ? KIND_BITS.number | LONG_NUMBER : KIND_BITS.number;
}

const LONG_CHARACTERS = 16;
// A date has up to 40 characters, and an escape of one up to 6 bytes.
const LONGEST_ESCAPED_DATE = 240;

/** The kind of a text between its quotes: blank, date or text. */
export function classifyText(bytes: Buffer, start: number, end: number, hasEscape: boolean): number {
  if (!hasEscape) {
    if (start === end) return 0;
    return readDate(bytes, start, end) !== null ? KIND_BITS.date : KIND_BITS.text;
  }
  if (end - start > LONGEST_ESCAPED_DATE) return KIND_BITS.text;
  const text: string = JSON.parse(bytes.toString("utf8", start - 1, end + 1));
  return isDateText(JSON.stringify(text).slice(1, -1)) ? KIND_BITS.date : KIND_BITS.text;
}

/**
 * The keys that objects of one kind have had, in order of first appearance. Objects of a kind mostly have the same
 * keys in the same order, so a key is first compared with the one that is expected, byte by byte; only where that
 * fails is it made a text and looked up.
 */
export type KeyShape = ReturnType<typeof createShape>;

const FIRST_KEYS = 16;
const FIRST_POOL_BYTES = 256;

/** A shape without keys. */
export function createShape() {
  return {
    names: [] as string[],
    positions: new Map<string, number>(),
    /** The number of the last object that had the key. */
    stamps: new Int32Array(FIRST_KEYS),
    /** The keys as written, one after the other, and where each begins. */
    pool: Buffer.alloc(FIRST_POOL_BYTES),
    starts: [0],
  };
}

/** Larger numbers that begin with those before. */
export function enlarge<Numbers extends Uint8Array | Int32Array | Uint32Array>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from);
  return to;
}

/** Whether the key at a position stands here as it was written before, with its closing quote behind it. */
export function matchesKey(shape: KeyShape, position: number, bytes: Uint8Array, at: number): boolean {
  const { pool, starts } = shape;
  const from = starts[position] as number;
  const length = (starts[position + 1] as number) - from;
  for (let index = 0; index < length; index++) if (bytes[at + index] !== pool[from + index]) return false;
  return bytes[at + length] === 0x22;
}

/** Bytes of the key at a position, as written. */
export function countKeyBytes(shape: KeyShape, position: number): number {
  return (shape.starts[position + 1] as number) - (shape.starts[position] as number);
}

/** The position of a key that stands between two quotes, new or known. */
export function findKey(
  shape: KeyShape,
  bytes: Buffer,
  start: number,
  end: number,
  hasEscape: boolean,
): number {
  const text = bytes.toString("utf8", start, end);
  const name: string = hasEscape ? JSON.parse(`"${text}"`) : text;
  const known = shape.positions.get(name);
  if (known !== undefined) return known;
  const position = shape.names.length;
  shape.names.push(name);
  shape.positions.set(name, position);
  if (position >= shape.stamps.length) shape.stamps = enlarge(shape.stamps, new Int32Array(2 * position));
  keepBytes(shape, bytes.subarray(start, end));
  return position;
}

function keepBytes(shape: KeyShape, key: Uint8Array): void {
  const from = shape.starts.at(-1) ?? 0;
  const end = from + key.length;
  if (end > shape.pool.length) {
    const larger = Buffer.alloc(Math.max(end, 2 * shape.pool.length));
    larger.set(shape.pool.subarray(0, from));
    shape.pool = larger;
  }
  shape.pool.set(key, from);
  shape.starts.push(end);
}
