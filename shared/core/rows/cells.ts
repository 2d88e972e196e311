import { normalizeJson } from "../inspect/json-text.ts";

/** How the bytes of a cell become its text and its JSON. */
export const CELL = {
  /** No value: an empty CSV cell, a JSON null, a missing key. */
  null: 0,
  /** A JSON number or word: its bytes are its text and its JSON. */
  raw: 1,
  /** An empty JSON text: blank to conditions, kept in the answer. */
  empty: 2,
  /** Inside of a JSON text without escapes: only its quotes are missing. */
  safe: 3,
  /** A CSV value as it stands. */
  plain: 4,
  /** Inside of a CSV value in quotes that has doubled quotes. */
  doubled: 5,
  /** A JSON text with escapes, its quotes included. */
  escaped: 6,
  /** A JSON object or list. */
  nested: 7,
} as const;

/** Where the wanted cells of one row stand, by slot. */
export interface CellPlaces {
  starts: Int32Array;
  ends: Int32Array;
  kinds: Uint8Array;
}

/** Goes through the rows of one format; the bytes end in a line feed of the reader's own. */
export interface RowReader {
  places: CellPlaces;
  /** Notes where the wanted cells of the row at `at` stand, and gives where the next row begins. */
  locate(bytes: Buffer, at: number): number;
  /** Gives where the row after the one at `at` begins. */
  skip(bytes: Buffer, at: number): number;
}

/** Room for so many cells. */
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
