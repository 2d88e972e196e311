import { countKeyBytes, createShape, findKey, matchesKey } from "../inspection/json-shape.ts";
import { CELL, createPlaces, type RowReader } from "./cells.ts";

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reads records of a sound JSON file; `slots` has for each wanted key the slot of its cell. */
export function createJsonRows(slots: ReadonlyMap<string, number>): RowReader {
  const places = createPlaces(slots.size);
  const shape = createShape();
  const slotOfKey: number[] = [];
  const locate = (bytes: Buffer, from: number): number => {
    places.kinds.fill(CELL.null);
    let expected = 0;
    let at = findByte(bytes, from, OPEN_OBJECT) + 1;
    for (;;) {
      at = skipToMember(bytes, at);
      if (bytes[at] !== QUOTE) return at + 1;
      let key = expected;
      let end: number;
      if (key < slotOfKey.length && matchesKey(shape, key, bytes, at + 1))
        end = at + 2 + countKeyBytes(shape, key);
      else {
        end = skipText(bytes, at + 1);
        key = findKey(shape, bytes, at + 1, end - 1, bytes.subarray(at, end).includes(BACKSLASH));
        if (key === slotOfKey.length) slotOfKey.push(slots.get(shape.names[key] as string) ?? -1);
      }
      expected = key + 1;
      const start = skipSpace(bytes, findByte(bytes, end, COLON) + 1);
      at = skipValue(bytes, start);
      const slot = slotOfKey[key] as number;
      if (slot >= 0) noteValue(bytes, slot, start, at);
    }
  };
  const noteValue = (bytes: Buffer, slot: number, start: number, end: number): void => {
    const kind = kindOf(bytes, start, end);
    places.kinds[slot] = kind;
    places.starts[slot] = kind === CELL.safe ? start + 1 : start;
    places.ends[slot] = kind === CELL.safe ? end - 1 : end;
  };
  const skip = (bytes: Buffer, from: number): number =>
    skipContainer(bytes, findByte(bytes, from, OPEN_OBJECT));
  // A wanted key may stand anywhere in its object.
  return { places, find: locate, locate, skip };
}

function kindOf(bytes: Buffer, start: number, end: number): number {
  const first = bytes[start];
  if (first === OPEN_OBJECT || first === OPEN_LIST) return CELL.nested;
  if (first !== QUOTE) return first === SMALL_N ? CELL.null : CELL.raw;
  if (end === start + 2) return CELL.empty;
  for (let at = start + 1; at < end; at++) if (bytes[at] === BACKSLASH) return CELL.escaped;
  return CELL.safe;
}

const SMALL_N = 0x6e;

function findByte(bytes: Buffer, from: number, wanted: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== wanted) at++;
  return at;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] as number) <= 0x20) at++;
  return at;
}

/** Gives the opening quote of the next key, or the end of the object. */
function skipToMember(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE && bytes[at] !== CLOSE_OBJECT) at++;
  return at;
}

function skipValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return skipText(bytes, start + 1);
  if (first === OPEN_OBJECT || first === OPEN_LIST) return skipContainer(bytes, start);
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at] as number;
    if (byte <= 0x2c && (byte <= 0x20 || byte === 0x2c)) break;
    if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) break;
    at++;
  }
  return at;
}

/** Gives the place after the closing quote. */
function skipText(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function skipContainer(bytes: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at++] as number;
    if (byte === QUOTE) at = skipText(bytes, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return at;
}
