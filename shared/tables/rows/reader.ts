import { CELL, type CellPlaces, createPlaces, type RowReader } from "./cells.ts";
import { createJsonRows } from "./json-rows.ts";
import type { RowsPlan } from "./plan.ts";

const [LF, CR, COMMA, QUOTE] = [0x0a, 0x0d, 0x2c, 0x22];

/** Reads rows of a sound CSV file; `slots` has for each column the slot of its cell, or -1. */
function createCsvRows(slots: Int32Array, slotCount: number): RowReader {
  const places = createPlaces(slotCount);
  const last = slots.findLastIndex((slot) => slot >= 0);
  /** Gives the end of the last wanted cell. */
  const find = (bytes: Buffer, from: number): number => {
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
      if (column >= last || bytes[at] !== COMMA) return at;
      at++;
    }
  };
  const locate = (bytes: Buffer, from: number): number => {
    const at = find(bytes, from);
    return bytes[at] === COMMA ? skipCsvRow(bytes, at + 1) : skipLineEnd(bytes, at);
  };
  return { places, find, locate, skip: skipCsvRow };
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
    if ((byte as number) <= COMMA || byte === undefined) {
      if (byte === COMMA || byte === LF || byte === CR || byte === undefined) return at;
    }
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
