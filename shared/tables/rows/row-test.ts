import { isAscii } from "node:buffer";
import { isNumberText } from "../inspection/column-types.ts";
import { compareBytes } from "../statistics/value-counts.ts";
import { CELL, type CellPlaces, textOfCell } from "./cells.ts";
import {
  type Blanks,
  type Condition,
  createCellTest,
  foldCase,
  listBlanks,
  ORDER_TESTS,
  type Selection,
} from "./conditions.ts";
import { compareShortNeighbour, readShortNumber } from "./decimal.ts";
import type { RowsPlan } from "./plan.ts";
import { createReader, type TableForm } from "./reader.ts";

/** Looks at one row after the other. */
export interface RowTest {
  /** Whether the row that was looked at last is asked for. */
  passes: boolean;
  /** Looks at the row that begins at a place, and gives the start of the next. */
  look(bytes: Buffer, at: number): number;
}

/** The test whether a row meets the conditions of a selection and holds its words. */
export function createRowTest(
  table: TableForm & Pick<RowsPlan, "textColumns">,
  selection: Selection,
): RowTest {
  const { filters, match, q } = selection;
  const search = q === null ? null : createWordSearch(table, q, selection);
  if (filters.length === 0) return search ?? takeEach(table);
  const names = [...new Set(filters.map(({ column }) => column))];
  const reader = createReader(table, names);
  const tests = filters.map((filter) =>
    testCell(filter, names.indexOf(filter.column), {
      blank: listBlanks(selection, filter.column),
      isText: table.textColumns.includes(filter.column),
    }),
  );
  const meets = (bytes: Buffer): boolean => {
    for (const test of tests) if (test(bytes, reader.places) === (match === "any")) return match === "any";
    return match === "all";
  };
  const test: RowTest = {
    passes: true,
    look(bytes, at) {
      const next = reader.locate(bytes, at);
      test.passes = meets(bytes);
      if (!test.passes || search === null) return next;
      search.look(bytes, at);
      test.passes = search.passes;
      return next;
    },
  };
  return test;
}

function takeEach(table: TableForm): RowTest {
  return { passes: true, look: createReader(table, []).skip };
}

type PlaceTest = (bytes: Buffer, places: CellPlaces) => boolean;

function testCell(
  filter: Condition,
  slot: number,
  { blank, isText: isOfTexts }: { blank: readonly string[]; isText: boolean },
): PlaceTest {
  const test = createCellTest(filter, isOfTexts);
  const passesBlank = test(null);
  const ofBytes = createByteTest(filter, isOfTexts);
  const isText = blank.length > 0;
  return (bytes, places) => {
    const kind = places.kinds[slot] as number;
    if (kind === CELL.null || kind === CELL.empty) return passesBlank;
    if (!isText && isAsWritten(kind)) {
      const found = ofBytes(bytes, places.starts[slot] as number, places.ends[slot] as number);
      if (found !== null) return found;
    }
    const text = textOfCell(bytes, places, slot) ?? "";
    return isText && blank.includes(text) ? passesBlank : test(text);
  };
}

/** Whether the bytes of a cell are its text. */
function isAsWritten(kind: number): boolean {
  return kind !== CELL.doubled && kind !== CELL.escaped && kind !== CELL.nested;
}

/** The test whether a cell of a row holds words, case ignored. */
export function createWordSearch(table: TableForm, words: string, blanks: Blanks): RowTest {
  const wanted = foldCase(words);
  const missing = table.tableColumns.map((name) => listBlanks(blanks, name));
  const reader = createReader(table, table.tableColumns);
  const { places } = reader;
  const holdsWords = (bytes: Buffer): boolean => {
    for (let slot = 0; slot < places.kinds.length; slot++) {
      const text = textOfCell(bytes, places, slot);
      if (text === null || missing[slot]?.includes(text)) continue;
      if (foldCase(text).includes(wanted)) return true;
    }
    return false;
  };
  const mayHold = (bytes: Buffer, at: number, end: number): boolean =>
    foldCase(bytes.toString("utf8", at, end)).includes(wanted);
  const test: RowTest = {
    passes: true,
    look(bytes, at) {
      const next = reader.locate(bytes, at);
      // Where each cell's bytes are its text, one look at the row finds what none of them holds.
      const isFoundAtOnce = places.kinds.every(isAsWritten);
      test.passes = (!isFoundAtOnce || mayHold(bytes, at, next)) && holdsWords(bytes);
      return next;
    },
  };
  return test;
}

/** The test of the bytes of a filled cell that a condition stands for: a text for each cell would take five times as long. */
function createByteTest({ op, value }: Pick<Condition, "op" | "value">, isText: boolean): ByteTest {
  if (op === "in") return () => null;
  if (value === null || value === "") return () => op === "ne";
  if (op === "contains") return openByteSearch(foldCase(value));
  const decide = ORDER_TESTS[op];
  if (!isText && isNumberText(value)) return testNumbers(value, decide);
  return value.isWellFormed() ? testTexts(value, decide) : () => null;
}

function testNumbers(value: string, decide: (order: number) => boolean): ByteTest {
  const wanted = Number(value);
  // A wanted number of more digits than a double holds differs from the cells that share its double.
  const tie = compareShortNeighbour(value);
  return (bytes, start, end) => {
    const cell = readShortNumber(bytes, start, end);
    if (Number.isNaN(cell)) return null;
    return decide(cell === wanted ? tie : cell - wanted);
  };
}

/** Compares UTF-8 bytes, whose order is the order of code points. */
function testTexts(value: string, decide: (order: number) => boolean): ByteTest {
  const wanted = new TextEncoder().encode(value);
  return (bytes, start, end) => decide(compareBytes(bytes, start, end, wanted));
}

/** What a condition says of the UTF-8 bytes between two places; null where only a text can tell. */
type ByteTest = (bytes: Buffer, start: number, end: number) => boolean | null;

// The two characters whose small form has an ASCII letter: İ (U+0130) and the sign for kelvin (U+212A).
const OF_ASCII = /\xc4\xb0|\xe2\x84\xaa/;

/** Opens the search for folded words, case ignored: to decode each cell for words of ASCII would take twice as long. */
export function openByteSearch(wanted: string): ByteTest {
  if (!isAscii(Buffer.from(wanted)))
    return (bytes, start, end) => (isAscii(bytes.subarray(start, end)) ? false : null);
  const pattern = new RegExp(`${RegExp.escape(wanted)}|${OF_ASCII.source}`, "i");
  return (bytes, start, end) => {
    const letters = bytes.toString("latin1", start, end);
    return pattern.test(letters) && (OF_ASCII.test(letters) ? null : true);
  };
}
