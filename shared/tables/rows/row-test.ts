import { createByteTest } from "./byte-conditions.ts";
import { openByteSearch } from "./byte-search.ts";
import { CELL, type CellPlaces, textOfCell } from "./cells.ts";
import { createCellTest, foldCase } from "./conditions.ts";
import { createReader, type TableForm } from "./reader.ts";
import type { Condition, Selection } from "./selection.ts";

/** Looks at one row after the other. */
export interface RowTest {
  /** Whether the row that was looked at last is asked for. */
  passes: boolean;
  /** Looks at the row that begins at a place, and gives the start of the next. */
  look(bytes: Buffer, at: number): number;
}

/** The test whether a row meets the conditions of a selection and holds its words. */
export function createRowTest(table: TableForm, { filters, match, q, blank }: Selection): RowTest {
  const search = q === null ? null : createWordSearch(table, q, blank);
  if (filters.length === 0) return search ?? takeEach(table);
  const names = [...new Set(filters.map(({ column }) => column))];
  const reader = createReader(table, names);
  const tests = filters.map((filter) => testCell(filter, names.indexOf(filter.column), blank));
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

function testCell(filter: Condition, slot: number, blank: readonly string[]): PlaceTest {
  const test = createCellTest(filter);
  const passesBlank = test(null);
  const ofBytes = createByteTest(filter);
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
export function createWordSearch(table: TableForm, words: string, blank: readonly string[]): RowTest {
  const wanted = foldCase(words);
  const search = openByteSearch(wanted);
  const reader = createReader(table, table.tableColumns);
  const { places } = reader;
  const holdsWords = (bytes: Buffer): boolean => {
    for (let slot = 0; slot < places.kinds.length; slot++) {
      const text = textOfCell(bytes, places, slot);
      if (text !== null && !blank.includes(text) && foldCase(text).includes(wanted)) return true;
    }
    return false;
  };
  const mayHold = (bytes: Buffer, at: number, end: number): boolean =>
    search(bytes, at, end) ?? foldCase(bytes.toString("utf8", at, end)).includes(wanted);
  // A CSV's cell that holds words without a quote holds them in its bytes, too: other rows need not be taken apart.
  const isInBytes = table.format === "csv" && !wanted.includes('"');
  const test: RowTest = {
    passes: true,
    look(bytes, at) {
      const next = isInBytes ? reader.skip(bytes, at) : reader.locate(bytes, at);
      // Where each cell's bytes are its text, one look at the row finds what none of them holds.
      const isFoundAtOnce = isInBytes || places.kinds.every(isAsWritten);
      test.passes = !isFoundAtOnce || mayHold(bytes, at, next);
      if (test.passes) {
        if (isInBytes) reader.find(bytes, at);
        test.passes = holdsWords(bytes);
      }
      return next;
    },
  };
  return test;
}
