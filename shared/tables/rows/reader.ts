import { countKeyBytes, createShape, findKey, matchesKey } from "../inspection/json-values.ts";
import { CELL, type CellPlaces, createPlaces, type RowReader } from "./cells.ts";
import type { RowsPlan } from "./plan.ts";
import type { ReadTable, RowsInMemory } from "./windows.ts";

const [LF, CR, COMMA, QUOTE] = [0x0a, 0x0d, 0x2c, 0x22];

/** Reads rows of a sound CSV file; `slots` has for each column the slot of its cell, or -1. */
function createCsvRows(slots: Int32Array, slotCount: number): RowReader {
  const places = createPlaces(slotCount);
  const last = slots.findLastIndex((slot) => slot >= 0);
  const locate = (bytes: Buffer, from: number): number => {
    let at = from;
    for (let column = 0; ; column++) {
      const slot = slots[column] ?? -1;
      const start = bytes[at] === QUOTE ? at + 1 : at;
      let kind: number = CELL.plain;
      let end = start;
      if (start > at) {
        end = skipQuoted(bytes, start);
        if (end < 0) {
          end = -end;
          kind = CELL.doubled;
        }
        at = end + 1;
      } else {
        end = skipPlain(bytes, at);
        at = end;
      }
      if (slot >= 0) noteCell(places, slot, start, end, kind);
      if (bytes[at] !== COMMA) return skipLineEnd(bytes, at);
      at++;
      if (column >= last) return skipCsvRow(bytes, at);
    }
  };
  return { places, locate, skip: skipCsvRow };
}

function noteCell(places: CellPlaces, slot: number, start: number, end: number, kind: number): void {
  places.starts[slot] = start;
  places.ends[slot] = end;
  places.kinds[slot] = end === start ? CELL.null : kind;
}

/** Gives the start of the row after the one at `from`. */
function skipCsvRow(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    if (bytes[at] === QUOTE) at = Math.abs(skipQuoted(bytes, at + 1)) + 1;
    else at = skipPlain(bytes, at);
    if (bytes[at] !== COMMA) return skipLineEnd(bytes, at);
    at++;
  }
}

function skipLineEnd(bytes: Buffer, at: number): number {
  return bytes[at] === CR ? at + 2 : at + 1;
}

function skipPlain(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const byte: number | undefined = bytes[at];
    // Behind the last byte there is none, which is not above a comma either.
    const isAbove = (byte as number) > COMMA;
    if (!isAbove && (byte === COMMA || byte === LF || byte === CR || byte === undefined)) return at;
    at++;
  }
}

/** Gives the place of the closing quote, negative when the value holds doubled quotes. */
function skipQuoted(bytes: Buffer, from: number): number {
  let isDoubled = false;
  let at = from;
  for (; at < bytes.length; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (bytes[at + 1] !== QUOTE) break;
    isDoubled = true;
    at++;
  }
  return isDoubled ? -at : at;
}

/** What a reader of rows knows of its table. */
export type TableForm = Pick<RowsPlan, "format" | "tableColumns">;

/** A reader of rows that finds the named columns, each in the slot of its place in the list. */
export function createReader({ format, tableColumns }: TableForm, names: readonly string[]): RowReader {
  const slots = new Map(names.map((name, slot) => [name, slot]));
  if (format === "json") return createJsonRows(slots);
  const slotOfColumn = new Int32Array(tableColumns.length);
  for (const [column, name] of tableColumns.entries()) slotOfColumn[column] = slots.get(name) ?? -1;
  return createCsvRows(slotOfColumn, names.length);
}

/** Looks at the filled cells of the named columns of a table, row by row; a slot is the place of a name in the list. */
export async function eachFilledCell(
  table: { format: TableForm["format"]; columns: readonly { name: string }[]; read: ReadTable },
  names: readonly string[],
  look: (bytes: Buffer, places: CellPlaces, slot: number) => void,
): Promise<void> {
  const tableColumns = table.columns.map(({ name }) => name);
  const reader = createReader({ format: table.format, tableColumns }, names);
  const { places } = reader;
  for await (const rows of table.read()) eachFilledIn(reader, rows, (slot) => look(rows.bytes, places, slot));
}

/** Looks at the filled cells of some rows by their slots, and by their rows from 0. */
export function eachFilledIn(
  { places: { kinds }, locate }: RowReader,
  { bytes, at: from, rowCount }: RowsInMemory,
  look: (slot: number, row: number) => void,
): void {
  let at = from;
  for (let row = 0; row < rowCount; row++) {
    at = locate(bytes, at);
    for (let slot = 0; slot < kinds.length; slot++)
      if (kinds[slot] !== CELL.null && kinds[slot] !== CELL.empty) look(slot, row);
  }
}

const [BACKSLASH, COLON, SMALL_N] = [0x5c, 0x3a, 0x6e];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reads records of a sound JSON file; `slots` has for each wanted key the slot of its cell. */
function createJsonRows(slots: ReadonlyMap<string, number>): RowReader {
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
  return { places, locate, skip };
}

function kindOf(bytes: Buffer, start: number, end: number): number {
  const first = bytes[start];
  if (first === OPEN_OBJECT || first === OPEN_LIST) return CELL.nested;
  if (first !== QUOTE) return first === SMALL_N ? CELL.null : CELL.raw;
  if (end === start + 2) return CELL.empty;
  for (let at = start + 1; at < end; at++) if (bytes[at] === BACKSLASH) return CELL.escaped;
  return CELL.safe;
}

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
