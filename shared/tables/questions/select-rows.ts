import { isNumberText } from "../inspection/column-types.ts";
import { CELL, textOfCell } from "../rows/cells.ts";
import { type CellTest, createCellTest, foldCase } from "../rows/conditions.ts";
import { createDecimalComparison } from "../rows/decimal.ts";
import { createReader, findRow } from "../rows/page.ts";
import { openByteSearch } from "./byte-search.ts";
import { type CodedColumn, type CodedTable, createTextReader, KIND } from "./coded-table.ts";
import type { QueryPlan } from "./plan.ts";
import type { Condition, Question } from "./question.ts";

/** The test that a condition stands for; a cell is its text, or null when blank. */
export function createConditionTest(condition: Condition): CellTest {
  const { index, column, op, value, values } = condition;
  return op === "in" ? createListTest(values) : createCellTest({ index, column, op, value });
}

/** Whether a cell equals one of many values; numbers of one double are compared digit by digit. */
function createListTest(values: readonly string[]): CellTest {
  const texts = new Set(values);
  const numbers = new Map<number, ((text: string) => number)[]>();
  for (const value of values.filter(isNumberText)) {
    const double = Number(value) + 0;
    numbers.set(double, [...(numbers.get(double) ?? []), createDecimalComparison(value)]);
  }
  return (cell) => {
    if (cell === null) return texts.has("");
    if (texts.has(cell)) return true;
    if (numbers.size === 0 || !isNumberText(cell)) return false;
    return numbers.get(Number(cell) + 0)?.some((compare) => compare(cell) === 0) ?? false;
  };
}

/** The rows that meet the conditions and hold `q`, rising. */
export function selectRows(
  plan: QueryPlan,
  table: CodedTable,
  columnOf: (name: string) => CodedColumn,
  bytes: Buffer,
): Uint32Array {
  const { filters, match, q } = plan.question;
  const tests = filters.map((filter): CodeTest => {
    const column = columnOf(filter.column);
    return { codes: column.codes, passes: testCodes(column, createConditionTest(filter)) };
  });
  const rows = new Uint32Array(table.rowCount);
  let count = 0;
  for (let row = 0; row < table.rowCount; row++) {
    if (holds(tests, match, row)) rows[count++] = row;
  }
  const selected = rows.subarray(0, count);
  return q === null ? selected : selected.filter(createSearch(plan, table, bytes, q));
}

/** What a condition says of each code of its column. */
interface CodeTest {
  codes: Uint32Array;
  passes: Uint8Array;
}

function holds(tests: readonly CodeTest[], match: Question["match"], row: number): boolean {
  if (tests.length === 0) return true;
  const settles = match === "all" ? 0 : 1;
  // A function for each row would be garbage for each row.
  for (let at = 0; at < tests.length; at++) {
    const { codes, passes } = tests[at] as CodeTest;
    if (passes[codes[row] as number] === settles) return match === "any";
  }
  return match === "all";
}

function testCodes(column: CodedColumn, test: CellTest): Uint8Array {
  const { kinds } = column;
  const textOf = createTextReader(column);
  const passes = new Uint8Array(kinds.length);
  const passesBlank = test(null) ? 1 : 0;
  for (let code = 0; code < kinds.length; code++) {
    passes[code] = kinds[code] === KIND.blank ? passesBlank : Number(test(textOf(code)));
  }
  return passes;
}

/** Whether a cell of a row holds the words, case ignored. */
function createSearch(
  plan: QueryPlan,
  table: CodedTable,
  bytes: Buffer,
  q: string,
): (row: number) => boolean {
  const wanted = foldCase(q);
  const look = openByteSearch(wanted);
  const blank = new Set(plan.question.blank);
  const reader = createReader(plan, plan.tableColumns);
  const { places } = reader;
  const holdsWords = (slot: number): boolean => {
    const text = textOfCell(bytes, places, slot);
    return text !== null && !blank.has(text) && foldCase(text).includes(wanted);
  };
  const mayHold = (at: number, end: number): boolean =>
    look(bytes, at, end) ?? foldCase(bytes.toString("utf8", at, end)).includes(wanted);
  // A CSV's cell that holds words without a quote holds them in its bytes, too: other rows need not be taken apart.
  const isInBytes = plan.format === "csv" && !wanted.includes('"');
  // Most rows follow the one before: finding each anew goes over three others.
  let [next, nextAt] = [-1, 0];
  return (row) => {
    const at = row === next ? nextAt : findRow(table, reader, bytes, row);
    next = row + 1;
    if (isInBytes) {
      nextAt = reader.skip(bytes, at);
      if (!mayHold(at, nextAt)) return false;
    }
    nextAt = reader.locate(bytes, at);
    if (!isInBytes && isPlainRow(places.kinds) && !mayHold(at, nextAt)) return false;
    for (let slot = 0; slot < places.kinds.length; slot++) if (holdsWords(slot)) return true;
    return false;
  };
}

/** Whether the cells stand in the bytes of the row as they are, so that one look finds what none of them holds. */
function isPlainRow(kinds: Uint8Array): boolean {
  for (let slot = 0; slot < kinds.length; slot++) {
    const kind = kinds[slot];
    if (kind === CELL.doubled || kind === CELL.escaped || kind === CELL.nested) return false;
  }
  return true;
}
