import { createCellTest, foldCase } from "./conditions.ts";
import { compareShortNeighbour } from "./decimal.ts";
import { isPreparedFor, type PreparedColumn, type PreparedTable } from "./prepared.ts";
import type { Filter, FilterOp } from "./query.ts";

type RowTest = (row: number) => boolean;

/** The rows that meet every condition, rising; the table has each condition's column prepared for it. */
export function findMatches(table: PreparedTable, filters: readonly Filter[]): Uint32Array {
  const tests = filters
    .map((filter) => ({ filter, column: getPrepared(table, filter) }))
    .sort((one, other) => COSTS[one.column.preparation] - COSTS[other.column.preparation])
    .map(({ filter, column }) => createRowTest(column, filter));
  const [first, ...others] = tests;
  const rows = new Uint32Array(table.rowCount);
  let count = 0;
  for (let row = 0; row < table.rowCount; row++) if (first === undefined || first(row)) rows[count++] = row;
  for (const test of others) count = keepRows(rows, count, test);
  return rows.subarray(0, count);
}

// The cheapest conditions come first, so that the dearer ones check fewer rows.
const COSTS = { numbers: 0, texts: 1, folded: 2 } as const;

function keepRows(rows: Uint32Array, count: number, test: RowTest): number {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const row = rows[index] as number;
    if (test(row)) rows[kept++] = row;
  }
  return kept;
}

function getPrepared(table: PreparedTable, filter: Filter): PreparedColumn {
  const found = table.columns.find((one) => isPreparedFor(one, filter));
  if (found === undefined) throw new Error("a condition's column is not prepared");
  return found;
}

function createRowTest(column: PreparedColumn, filter: Filter): RowTest {
  const { ends } = column;
  const { op, value } = filter;
  if (value === null || value === "") {
    const wantsBlank = op === "eq";
    return (row) => (ends[row] === ends[row + 1]) === wantsBlank;
  }
  if (column.preparation === "numbers") return testNumbers(column, op, value, testSlowly(column, filter));
  if (column.preparation === "folded") return testContains(column, value);
  return value.isWellFormed() ? testTexts(column, op, value) : testSlowly(column, filter);
}

/** The rule itself, on the cell as a text. */
function testSlowly({ bytes, ends }: PreparedColumn, filter: Filter): RowTest {
  const test = createCellTest(filter);
  const texts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (row) => {
    const start = ends[row] as number;
    const end = ends[row + 1] as number;
    return test(start === end ? null : texts.toString("utf8", start, end));
  };
}

function testNumbers({ values }: PreparedColumn, op: FilterOp, value: string, slowly: RowTest): RowTest {
  const wanted = Number(value);
  const tie = compareShortNeighbour(value);
  const decide = ORDER_TESTS[op];
  // A wanted number of more digits than a double holds differs from the cells that share its double.
  const compare: (value: number, wanted: number) => boolean =
    tie === 0 ? NUMBER_TESTS[op] : (cell) => decide(cell === wanted ? tie : cell - wanted);
  return (row) => {
    const cell = values[row] as number;
    return Number.isNaN(cell) ? slowly(row) : compare(cell, wanted);
  };
}

const NUMBER_TESTS: Readonly<Record<FilterOp, (value: number, wanted: number) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value !== wanted,
  gt: (value, wanted) => value > wanted,
  gte: (value, wanted) => value >= wanted,
  lt: (value, wanted) => value < wanted,
  lte: (value, wanted) => value <= wanted,
  contains: () => false,
};

/** Compares UTF-8 bytes, whose order is the order of code points. */
function testTexts({ bytes, ends }: PreparedColumn, op: FilterOp, value: string): RowTest {
  const wanted = Buffer.from(value);
  const decide = ORDER_TESTS[op];
  return (row) => {
    const start = ends[row] as number;
    const end = ends[row + 1] as number;
    if (start === end) return op === "ne";
    return decide(compareBytes(bytes, start, end, wanted));
  };
}

const ORDER_TESTS: Readonly<Record<FilterOp, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  contains: () => false,
};

function compareBytes(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): number {
  const length = Math.min(end - start, wanted.length);
  for (let index = 0; index < length; index++) {
    const difference = (bytes[start + index] as number) - (wanted[index] as number);
    if (difference !== 0) return difference;
  }
  return end - start - wanted.length;
}

// Up to so many bytes a search may begin again at each byte: even in a file of the letter a alone it is fast.
const SHORT_SEARCH_BYTES = 32;

function testContains(column: PreparedColumn, value: string): RowTest {
  const folded = foldCase(value);
  // No cell holds half of a surrogate pair, but a search for its bytes would find every astral character.
  if (!folded.isWellFormed()) return () => false;
  const wanted = Buffer.from(folded);
  return wanted.length <= SHORT_SEARCH_BYTES
    ? testContainsShort(column, wanted)
    : testContainsLong(column, wanted);
}

function testContainsShort({ bytes, ends }: PreparedColumn, wanted: Uint8Array): RowTest {
  const first = wanted[0] as number;
  const rest = wanted.length - 1;
  return (row) => {
    const last = (ends[row + 1] as number) - rest;
    for (let at = ends[row] as number; at < last; at++) {
      if (bytes[at] === first && startsWith(bytes, at, wanted)) return true;
    }
    return false;
  };
}

function startsWith(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let index = 1; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

/** Reads each byte of a cell once (Knuth, Morris and Pratt). */
function testContainsLong({ bytes, ends }: PreparedColumn, wanted: Uint8Array): RowTest {
  const borders = findBorders(wanted);
  return (row) => {
    const end = ends[row + 1] as number;
    let found = 0;
    for (let at = ends[row] as number; at < end; at++) {
      const byte = bytes[at];
      while (found > 0 && byte !== wanted[found]) found = borders[found] as number;
      if (byte === wanted[found]) found++;
      if (found === wanted.length) return true;
    }
    return false;
  };
}

/** For each number of bytes found: how many of them remain found where the next byte differs. */
function findBorders(wanted: Uint8Array): Uint32Array {
  const borders = new Uint32Array(wanted.length + 1);
  let border = 0;
  for (let length = 2; length <= wanted.length; length++) {
    const byte = wanted[length - 1];
    while (border > 0 && byte !== wanted[border]) border = borders[border] as number;
    if (byte === wanted[border]) border++;
    borders[length] = border;
  }
  return borders;
}
