import {
  CELL,
  type CellPlaces,
  copyBytes,
  createRowWriter,
  MOST_GROWTH,
  makeRoom,
  type RowWriter,
  takeBytes,
  textOfCell,
  writeCell,
} from "./cells.ts";
import { findMatchingRows } from "./page.ts";
import type { RowsPlan } from "./plan.ts";
import { createReader } from "./reader.ts";
import { createRowTest } from "./row-test.ts";
import type { RowsWindow } from "./windows.ts";

export type ExportFormat = "csv" | "ndjson";

/** Writes the row that was located last, as a line of text. */
type TextRows = (writer: RowWriter, bytes: Buffer, places: CellPlaces) => void;

const [LF, CR, QUOTE, COMMA, CLOSE] = [0x0a, 0x0d, 0x22, 0x2c, 0x7d];

/** A writer of lines whose columns have the first slots, in their order. */
export function createTextRows(format: ExportFormat, columns: readonly string[]): TextRows {
  return format === "csv" ? createCsvLines(columns.length) : createObjects(columns);
}

/** The first line of a CSV: the names of the columns, as RFC 4180 has it. */
export function writeHeader(columns: readonly string[]): Buffer {
  return Buffer.from(`${columns.map(quoteCsvText).join(",")}\r\n`);
}

/** A text as a value of a CSV, in quotes where it needs them. */
export function quoteCsvText(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const NEEDS_QUOTES = /[",\r\n]|^$/;

function createCsvLines(width: number): TextRows {
  return (writer, bytes, places) => {
    for (let slot = 0; slot < width; slot++) {
      if (slot > 0) writer.out[writer.length++] = COMMA;
      writeCsvCell(writer, bytes, places, slot, width === 1);
    }
    endCsvLine(writer);
  };
}

/** Ends a line of a CSV. */
export function endCsvLine(writer: RowWriter): void {
  makeRoom(writer, SPARE_BYTES);
  writer.out[writer.length++] = CR;
  writer.out[writer.length++] = LF;
}

// A comma, quotes and a line end fit without another check.
const SPARE_BYTES = 16;

function writeCsvCell(
  writer: RowWriter,
  bytes: Buffer,
  places: CellPlaces,
  slot: number,
  isAlone: boolean,
): void {
  const kind = places.kinds[slot];
  const start = places.starts[slot] as number;
  const end = places.ends[slot] as number;
  if (kind === CELL.null || kind === CELL.empty) {
    writeCsvBlank(writer, isAlone);
  } else if (kind === CELL.plain || kind === CELL.safe || kind === CELL.raw) {
    writeCsvValue(writer, bytes, start, end);
  } else {
    const text = Buffer.from(textOfCell(bytes, places, slot) ?? "");
    writeCsvValue(writer, text, 0, text.length);
  }
}

/** Writes a blank cell, which may be the only one of its line. */
export function writeCsvBlank(writer: RowWriter, isAlone: boolean): void {
  makeRoom(writer, SPARE_BYTES);
  // An empty line would be no row to most readers.
  if (isAlone) writer.length += writer.out.write('""', writer.length);
}

/** Writes a value, in quotes where it needs them; there is room for a comma behind it. */
export function writeCsvValue(writer: RowWriter, bytes: Buffer, start: number, end: number): void {
  makeRoom(writer, 2 * (end - start) + SPARE_BYTES);
  const { out } = writer;
  let to = writer.length;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte <= COMMA && (byte === COMMA || byte === QUOTE || byte === LF || byte === CR)) {
      writeQuoted(writer, bytes, start, end);
      return;
    }
    out[to++] = byte;
  }
  if (start === end) writeQuoted(writer, bytes, start, end);
  else writer.length = to;
}

function writeQuoted(writer: RowWriter, bytes: Buffer, start: number, end: number): void {
  const { out } = writer;
  let to = writer.length;
  out[to++] = QUOTE;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) out[to++] = QUOTE;
    out[to++] = byte;
  }
  out[to++] = QUOTE;
  writer.length = to;
}

function createObjects(columns: readonly string[]): TextRows {
  const keys = columns.map((name, slot) => Buffer.from(`${slot === 0 ? "{" : ","}${JSON.stringify(name)}:`));
  const opening = columns.length === 0 ? Buffer.from("{") : Buffer.alloc(0);
  return (writer, bytes, places) => {
    makeRoom(writer, SPARE_BYTES);
    copyBytes(writer, opening, 0, opening.length);
    for (const [slot, key] of keys.entries()) {
      const cellBytes = (places.ends[slot] as number) - (places.starts[slot] as number);
      makeRoom(writer, key.length + MOST_GROWTH * cellBytes + SPARE_BYTES);
      copyBytes(writer, key, 0, key.length);
      writeCell(writer, bytes, places, slot);
    }
    makeRoom(writer, SPARE_BYTES);
    writer.out[writer.length++] = CLOSE;
    writer.out[writer.length++] = LF;
  };
}

/** One step of an export: a window, and the rest of offset and limit after the steps before it. */
export interface ExportStep {
  plan: RowsPlan;
  window: RowsWindow;
  format: ExportFormat;
  /** Matching rows to leave out before the first that is written. */
  skip: number;
  /** Rows that may still be written. */
  left: number;
}

/** The result of a step: its text, how many rows matched in it, and how many of them were written. */
export interface ExportPart {
  bytes: Uint8Array;
  matched: number;
  written: number;
}

/** Writes the matching rows of one window, whose bytes end in a line feed. */
export function exportWindow({ plan, window, format, skip, left }: ExportStep, bytes: Buffer): ExportPart {
  const test = createRowTest(plan, plan.query);
  const { starts } = findMatchingRows(window, test, { bytes, start: 0 }, plan.query.from);
  const wanted = starts.subarray(skip, skip + left);
  // The columns have the first slots, in their order.
  const reader = createReader(plan, plan.columns);
  const write = createTextRows(format, plan.columns);
  const writer = createRowWriter(2 * (window.end - window.start) + FIRST_BYTES);
  for (const at of wanted) {
    reader.locate(bytes, at);
    write(writer, bytes, reader.places);
  }
  return { bytes: takeBytes(writer), matched: starts.length, written: wanted.length };
}

const FIRST_BYTES = 4_096;
