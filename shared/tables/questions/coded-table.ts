import { isNumberText } from "../inspection/column-types.ts";
import { CELL, type RowReader } from "../rows/cells.ts";
import { readShortNumber } from "../rows/decimal.ts";
import {
  countValue,
  startCounts,
  TAG,
  takeCell,
  textOfValue,
  type ValueCounts,
} from "../statistics/value-counts.ts";

/**
 * Columns as dictionaries: each different cell has a code, by first appearance, and each row has the code of its cell.
 * Whatever a question asks of a cell is found out once for each code.
 */
export interface CodedTable {
  rowCount: number;
  /** Where each row begins. */
  starts: Uint32Array;
  columns: CodedColumn[];
}

/** What a cell is, in the order of a sort; blank cells come last whatever the order. */
export const KIND = { blank: 0, number: 1, text: 2, boolean: 3, nested: 4 } as const;

export interface CodedColumn {
  name: string;
  /** Whether its cells compare as texts, though they may look like numbers. */
  isText: boolean;
  /** The code of each row; 0 is a blank cell. */
  codes: Uint32Array;
  /** The kind of each code. */
  kinds: Uint8Array;
  /** The texts of the codes one after the other, and where each ends after an entry of 0. */
  bytes: Uint8Array;
  ends: Uint32Array;
  /** What was worked out before, for later questions. */
  ranks: Uint32Array | null;
  scaled: ScaledNumbers | null;
}

/** The codes' numbers as whole numbers of 10^-scale; NaN for a code that a double does not hold so. */
export interface ScaledNumbers {
  scale: number;
  units: Float64Array;
}

/** Makes codes for columns, each with the slot of its place in the list, in one pass over the rows. */
export function codeColumns(
  bytes: Buffer,
  reader: RowReader,
  table: { rowCount: number; firstRowAt: number; isCsv: boolean; textColumns?: readonly string[] },
  names: readonly string[],
  seed: number,
): CodedTable {
  const { rowCount, isCsv, textColumns = [] } = table;
  const starts = new Uint32Array(rowCount);
  const counts = names.map(() => startCounts(seed));
  const codes = names.map(() => new Uint32Array(rowCount));
  const { kinds } = reader.places;
  let at = table.firstRowAt;
  for (let row = 0; row < rowCount; row++) {
    starts[row] = at;
    at = reader.locate(bytes, at);
    for (let slot = 0; slot < counts.length; slot++) {
      const kind = kinds[slot] as number;
      if (kind === CELL.null || kind === CELL.empty) continue;
      const code = 1 + takeCell(countValue, counts[slot] as ValueCounts, bytes, reader.places, slot);
      (codes[slot] as Uint32Array)[row] = code;
    }
  }
  const columns = names.map((name, slot) => ({
    ...finishColumn(name, codes[slot] as Uint32Array, counts[slot] as ValueCounts, isCsv),
    isText: textColumns.includes(name),
  }));
  return { rowCount, starts, columns };
}

function finishColumn(name: string, codes: Uint32Array, counts: ValueCounts, isCsv: boolean): CodedColumn {
  const { size } = counts;
  const length = counts.ends[size] as number;
  const bytes = new Uint8Array(length);
  bytes.set(counts.bytes.subarray(0, length));
  // Code 0 has no text: it ends where it begins.
  const ends = new Uint32Array(size + 2);
  ends.set(counts.ends.subarray(0, size + 1), 1);
  const kinds = new Uint8Array(size + 1);
  for (let value = 0; value < size; value++) kinds[value + 1] = kindOfValue(counts, value, isCsv);
  return { name, isText: false, codes, kinds, bytes, ends, ranks: null, scaled: null };
}

const [QUOTE_FREE_LIST, OPEN_OBJECT, SMALL_T, SMALL_F, MINUS, ZERO, NINE] = [
  0x5b, 0x7b, 0x74, 0x66, 0x2d, 0x30, 0x39,
];

function kindOfValue(counts: ValueCounts, value: number, isCsv: boolean): number {
  const first = counts.bytes[counts.ends[value] as number] as number;
  if (isCsv) {
    const mayBeNumber = first === MINUS || (first >= ZERO && first <= NINE);
    return mayBeNumber && isNumber(counts, value) ? KIND.number : KIND.text;
  }
  if (counts.tags[value] === TAG.text) return KIND.text;
  if (first === SMALL_T || first === SMALL_F) return KIND.boolean;
  return first === OPEN_OBJECT || first === QUOTE_FREE_LIST ? KIND.nested : KIND.number;
}

/** Most numbers are seen to be such without making a text of them. */
function isNumber(counts: ValueCounts, value: number): boolean {
  const { bytes, ends } = counts;
  const short = readShortNumber(bytes, ends[value] as number, ends[value + 1] as number);
  return !Number.isNaN(short) || isNumberText(textOfValue(counts, value));
}

/** A column whose codes of the named texts are blank. */
export function blankOut(column: CodedColumn, blank: readonly string[]): CodedColumn {
  if (blank.length === 0) return column;
  const wanted = blank.map((text) => Buffer.from(text));
  const lengths = new Set(wanted.map(({ length }) => length));
  const { ends } = column;
  const bytes = bufferOf(column);
  const kinds = Uint8Array.from(column.kinds);
  for (let code = 1; code < kinds.length; code++) {
    const start = ends[code] as number;
    const end = ends[code + 1] as number;
    if (lengths.has(end - start) && wanted.some((text) => text.equals(bytes.subarray(start, end))))
      kinds[code] = KIND.blank;
  }
  return { ...column, kinds };
}

/** A column's texts, or a file's bytes, as a buffer over the same memory. */
export function bufferOf({ bytes }: { bytes: Uint8Array }): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A reader of the texts of codes. */
export function createTextReader(column: CodedColumn): (code: number) => string {
  const texts = { bytes: bufferOf(column), ends: column.ends };
  return (code) => textOfValue(texts, code);
}

/**
 * Looks at what is coded before a question. The returned function gives, after it, the columns that it coded or worked
 * more out of; null where it found everything.
 */
export function watchCoded(before: CodedTable | null): (after: CodedTable) => CodedTable | null {
  const known = new Map(before?.columns.map(({ name, ranks, scaled }) => [name, { ranks, scaled }]));
  return (after) => {
    const columns = after.columns.filter(({ name, ranks, scaled }) => {
      const found = known.get(name);
      return found?.ranks !== ranks || found.scaled !== scaled;
    });
    return before !== null && columns.length === 0 ? null : { ...after, columns };
  };
}

/** The kind by which the cells of a column compare. */
export function comparedAs({ kinds, isText }: CodedColumn, code: number): number {
  const kind = kinds[code] as number;
  return isText && kind === KIND.number ? KIND.text : kind;
}

/** A cell as JSON text; every cell of a CSV is a text. */
export function encodeCell(kind: number, text: () => string, isText: boolean): string {
  if (kind === KIND.blank) return "null";
  return isText || kind === KIND.text ? JSON.stringify(text()) : text();
}
