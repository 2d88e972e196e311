import { type CellTest, createCellTest } from "../rows/conditions.ts";
import { createWordSearch } from "../rows/row-test.ts";
import { type CodedColumn, type CodedTable, createTextReader, KIND } from "./coded-table.ts";
import type { GroupKeys } from "./group-keys.ts";
import { type QueryPlan, tooLarge } from "./plan.ts";
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
    return { codes: column.codes, passes: testCodes(column, createCellTest(filter, column.isText)) };
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
  { starts }: CodedTable,
  bytes: Buffer,
  q: string,
): (row: number) => boolean {
  const search = createWordSearch(plan, q, plan.question);
  return (row) => {
    search.look(bytes, starts[row] as number);
    return search.passes;
  };
}

/** Rows in groups, numbered by their first row. */
export interface Grouping {
  count: number;
  /** The group of each selected row, by the row's place in the selection. */
  groupOf: Uint32Array;
  /** The first row of each group. */
  firstRows: ArrayLike<number>;
}

/** Puts the selected rows into groups; without keys they are one group, also where there are none. */
export function groupRows(plan: QueryPlan, rows: Uint32Array, keys: readonly GroupKeys[]): Grouping {
  let grouping: Grouping = {
    count: 1,
    groupOf: new Uint32Array(rows.length),
    firstRows: [rows[0] ?? -1],
  };
  if (keys.length > 0 && rows.length === 0) grouping = { ...grouping, count: 0, firstRows: [] };
  for (const key of keys) grouping = divide(plan, rows, grouping, key);
  return grouping;
}

/** Above so many pairs of group and key, they are looked up by a map instead of a table. */
const MOST_PAIRS = 4_194_304;

function divide(plan: QueryPlan, rows: Uint32Array, before: Grouping, { keyOf, size }: GroupKeys): Grouping {
  // Keys first, then the groups in their places: one list of numbers less in memory.
  const groupOf = new Uint32Array(rows.length);
  for (let place = 0; place < rows.length; place++) {
    groupOf[place] = keyOf(rows[place] as number);
  }
  const width = size();
  const find = width * before.count <= MOST_PAIRS ? createTable(width * before.count) : createMap();
  const firstRows: number[] = [];
  for (let place = 0; place < rows.length; place++) {
    const pair = (before.groupOf[place] as number) * width + (groupOf[place] as number);
    const group = find(pair, firstRows.length);
    if (group === firstRows.length) {
      if (group === plan.mostGroups) throw tooManyGroups(plan.mostGroups);
      firstRows.push(rows[place] as number);
    }
    groupOf[place] = group;
  }
  return { count: firstRows.length, groupOf, firstRows };
}

/** Gives the group of a pair, or the next number for a new one. */
type FindGroup = (pair: number, next: number) => number;

function createTable(pairs: number): FindGroup {
  const groups = new Int32Array(pairs).fill(-1);
  return (pair, next) => {
    const known = groups[pair] as number;
    if (known >= 0) return known;
    groups[pair] = next;
    return next;
  };
}

function createMap(): FindGroup {
  const groups = new Map<number, number>();
  return (pair, next) => {
    const known = groups.get(pair);
    if (known !== undefined) return known;
    groups.set(pair, next);
    return next;
  };
}

function tooManyGroups(most: number): Error {
  return tooLarge(`There are over ${most} groups. Group by something coarser, or filter first.`);
}

/** The places of the selected rows, group after group, and where each group ends after an entry of 0. */
export function orderByGroup({ count, groupOf }: Grouping): { places: Uint32Array; ends: Uint32Array } {
  const ends = new Uint32Array(count + 1);
  for (let place = 0; place < groupOf.length; place++) {
    const group = groupOf[place] as number;
    ends[group + 1] = (ends[group + 1] as number) + 1;
  }
  for (let group = 1; group <= count; group++)
    ends[group] = (ends[group] as number) + (ends[group - 1] as number);
  const next = ends.slice();
  const places = new Uint32Array(groupOf.length);
  for (let place = 0; place < groupOf.length; place++) {
    const group = groupOf[place] as number;
    places[next[group] as number] = place;
    next[group] = (next[group] as number) + 1;
  }
  return { places, ends };
}
