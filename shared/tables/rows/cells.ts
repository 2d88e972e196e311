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
  /** Notes the places of the wanted cells of the row at `at`, and reads no further than it must. */
  find(bytes: Buffer, at: number): void;
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
