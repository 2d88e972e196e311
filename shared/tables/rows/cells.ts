import { normalizeJson } from "../inspection/json-text.ts";

/** How the bytes of a cell become its text and its JSON. */
export const CELL = {
  /** No value: an empty CSV cell, a JSON null, a missing key. */
  null: 0,
  /** A JSON number or word: its bytes are its text and its JSON. */
  raw: 1,
  /** An empty JSON text: blank to conditions, an empty text in the answer. */
  empty: 2,
  /** The inside of a JSON text without escapes: only its quotes are missing. */
  safe: 3,
  /** A CSV value as it stands. */
  plain: 4,
  /** The inside of a quoted CSV value with doubled quotes. */
  doubled: 5,
  /** A JSON text with escapes, its quotes included. */
  escaped: 6,
  /** A JSON object or list. */
  nested: 7,
} as const;

/** The places of the wanted cells of one row, by slot. */
export interface CellPlaces {
  starts: Int32Array;
  ends: Int32Array;
  kinds: Uint8Array;
}

/** Goes through the rows of one format; the bytes end in a line feed of the reader's own. */
export interface RowReader {
  places: CellPlaces;
  /** Notes the places of the wanted cells of the row at `at`, and gives the start of the next row. */
  locate(bytes: Buffer, at: number): number;
  /** Gives the start of the row after the one at `at`. */
  skip(bytes: Buffer, at: number): number;
}

/** Makes room for `slots` cells. */
export function createPlaces(slots: number): CellPlaces {
  return { starts: new Int32Array(slots), ends: new Int32Array(slots), kinds: new Uint8Array(slots) };
}

/** A cell as text for comparison, null when blank. */
export function textOfCell(bytes: Buffer, places: CellPlaces, slot: number): string | null {
  const kind = places.kinds[slot];
  if (kind === CELL.null || kind === CELL.empty) return null;
  const text = bytes.toString("utf8", places.starts[slot], places.ends[slot]);
  if (kind === CELL.doubled) return text.replaceAll('""', '"');
  if (kind === CELL.escaped) return JSON.parse(text);
  return kind === CELL.nested ? normalizeJson(text) : text;
}

/** JSON text of rows, written as bytes: making a text of each cell first takes three times as long. */
export interface RowWriter {
  out: Buffer;
  length: number;
}

const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d];
const NULL = Buffer.from("null");
// An escape such as \u001f has six bytes for one.
export const MOST_GROWTH = 6;

/** A writer without rows, with room for `bytes` bytes at first. */
export function createRowWriter(bytes: number): RowWriter {
  return { out: Buffer.allocUnsafe(bytes), length: 0 };
}

/** Writes a row after those before it. */
export function writeRow(writer: RowWriter, bytes: Buffer, places: CellPlaces): void {
  const from = writer.length;
  if (from > 0) writer.out[writer.length++] = COMMA;
  writer.out[writer.length++] = OPEN;
  for (let slot = 0; slot < places.kinds.length; slot++) {
    const cellBytes = (places.ends[slot] as number) - (places.starts[slot] as number);
    makeRoom(writer, MOST_GROWTH * cellBytes + 16);
    if (slot > 0) writer.out[writer.length++] = COMMA;
    writeCell(writer, bytes, places, slot);
  }
  makeRoom(writer, 16);
  writer.out[writer.length++] = CLOSE;
}

/** Copies the written bytes, since a thread would hand on the whole of a larger memory otherwise. */
export function takeBytes({ out, length }: RowWriter): Uint8Array<ArrayBuffer> {
  return new Uint8Array(out.subarray(0, length));
}

/** Parts put together in memory of their own: Node puts small buffers into a larger one, which a thread would hand on. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

/** Makes sure that there is room for `bytes` more bytes. */
export function makeRoom(writer: RowWriter, bytes: number): void {
  if (writer.length + bytes <= writer.out.length) return;
  const larger = Buffer.allocUnsafe(Math.max(writer.length + bytes, 2 * writer.out.length));
  writer.out.copy(larger, 0, 0, writer.length);
  writer.out = larger;
}

/** Writes one cell as JSON; there is room for it. */
export function writeCell(writer: RowWriter, bytes: Buffer, places: CellPlaces, slot: number): void {
  const start = places.starts[slot] as number;
  const end = places.ends[slot] as number;
  const kind = places.kinds[slot];
  if (kind === CELL.plain) writeQuoted(writer, bytes, start, end, 0);
  else if (kind === CELL.null) copyBytes(writer, NULL, 0, NULL.length);
  else if (kind === CELL.doubled) writeQuoted(writer, bytes, start, end, 1);
  else if (kind === CELL.escaped)
    writeText(writer, JSON.stringify(JSON.parse(bytes.toString("utf8", start, end))));
  else if (kind === CELL.nested) writeText(writer, normalizeJson(bytes.toString("utf8", start, end)));
  else copyBytes(writer, bytes, kind === CELL.safe ? start - 1 : start, kind === CELL.safe ? end + 1 : end);
}

/** Copies bytes; there is room for them. */
export function copyBytes(writer: RowWriter, bytes: Buffer, start: number, end: number): void {
  const { out } = writer;
  let to = writer.length;
  for (let at = start; at < end; at++) out[to++] = bytes[at] as number;
  writer.length = to;
}

/** One form of JSON takes at most six bytes for each byte of another, so there is room. */
function writeText(writer: RowWriter, text: string): void {
  writer.length += writer.out.write(text, writer.length, "utf8");
}

/** Writes a CSV value as a JSON text; `skipped` bytes are left out after each quote, which is doubled then. */
function writeQuoted(writer: RowWriter, bytes: Buffer, start: number, end: number, skipped: 0 | 1): void {
  const { out } = writer;
  let to = writer.length;
  out[to++] = QUOTE;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
      out[to++] = byte;
      continue;
    }
    to += out.write(escapeByte(byte), to, "latin1");
    if (byte === QUOTE) at += skipped;
  }
  out[to++] = QUOTE;
  writer.length = to;
}

const ESCAPES = Array.from({ length: 128 }, (_, code) =>
  JSON.stringify(String.fromCharCode(code)).slice(1, -1),
);

function escapeByte(byte: number): string {
  return ESCAPES[byte] ?? "";
}
