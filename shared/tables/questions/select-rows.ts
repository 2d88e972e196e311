import { type CellTest, createCellTest } from "../rows/conditions.ts";
import { createReader } from "../rows/reader.ts";
import { createWordSearch } from "../rows/row-test.ts";
import { type CodedColumn, type CodedTable, createTextReader, findRow, KIND } from "./coded-table.ts";
import type { QueryPlan } from "./plan.ts";
import type { Question } from "./question.ts";

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
    return { codes: column.codes, passes: testCodes(column, createCellTest(filter)) };
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

/** Whether a row holds the words. */
function createSearch(
  plan: QueryPlan,
  table: CodedTable,
  bytes: Buffer,
  q: string,
): (row: number) => boolean {
  const search = createWordSearch(plan, q, plan.question.blank);
  const reader = createReader(plan, []);
  // Most rows follow the one before: finding each anew goes over three others.
  let [next, nextAt] = [-1, 0];
  return (row) => {
    const at = row === next ? nextAt : findRow(table, reader, bytes, row);
    next = row + 1;
    nextAt = search.look(bytes, at);
    return search.passes;
  };
}
