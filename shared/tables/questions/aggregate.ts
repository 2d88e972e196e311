import { type CodedColumn, comparedAs, createTextReader, KIND, type ScaledNumbers } from "./coded-table.ts";
import { addExact, divideToDouble, type Exact, readExact, writeExact } from "./exact.ts";
import { NO_NUMBER, type QueryPlan, refuseCell, tooLarge } from "./plan.ts";
import type { Aggregate } from "./question.ts";
import { type Grouping, orderByGroup } from "./select-rows.ts";
import { addUp } from "./sums.ts";

/** One column of a grouped result: a cell for each group. */
export interface ResultColumn {
  kind(group: number): number;
  text(group: number): string;
  /** Whether answers show every cell as a text: a CSV's own cells. */
  isText: boolean;
}

/** What an aggregate is worked out from. */
export interface GroupedRows {
  plan: QueryPlan;
  rows: Uint32Array;
  grouping: Grouping;
  columnOf(name: string): CodedColumn;
  ranksOf(name: string): Uint32Array;
  /** The same of numbers by value, also in a column of texts. */
  numberRanksOf(name: string): Uint32Array;
  scaledOf(name: string): ScaledNumbers;
}

/** Works an aggregate out for each group. */
export function aggregate(grouped: GroupedRows, asked: Aggregate): ResultColumn {
  if (asked.column === null) return countsOf(countRows(grouped, null));
  const column = grouped.columnOf(asked.column);
  switch (asked.op) {
    case "count":
      return countsOf(countRows(grouped, column));
    case "count_distinct":
      return countsOf(countDistinct(grouped, column));
    case "min":
    case "max":
      return findExtremes(grouped, column, asked.op);
    case "sum":
    case "avg":
      requireNumbers(grouped, column, asked);
      return addNumbers(grouped, column, asked.op);
    case "median":
      requireNumbers(grouped, column, asked);
      return findMedians(grouped, column);
  }
}

function countsOf(counts: Float64Array): ResultColumn {
  return { kind: () => KIND.number, text: (group) => String(counts[group]), isText: false };
}

/** The rows of each group or, with a column, those whose cell is filled. */
function countRows({ rows, grouping }: GroupedRows, column: CodedColumn | null): Float64Array {
  const counts = new Float64Array(grouping.count);
  for (let place = 0; place < rows.length; place++) {
    if (column !== null && isBlank(column, rows[place] as number)) continue;
    const group = grouping.groupOf[place] as number;
    counts[group] = (counts[group] as number) + 1;
  }
  return counts;
}

function isBlank({ codes, kinds }: CodedColumn, row: number): boolean {
  return kinds[codes[row] as number] === KIND.blank;
}

/** Goes through the groups one after the other, so that one mark a code tells what a group has seen. */
function countDistinct({ rows, grouping }: GroupedRows, { codes, kinds }: CodedColumn): Float64Array {
  const counts = new Float64Array(grouping.count);
  const seenBy = new Uint32Array(kinds.length);
  const { places } = orderByGroup(grouping);
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    const code = codes[rows[place] as number] as number;
    const group = grouping.groupOf[place] as number;
    if (kinds[code] === KIND.blank || seenBy[code] === group + 1) continue;
    seenBy[code] = group + 1;
    counts[group] = (counts[group] as number) + 1;
  }
  return counts;
}

/** The first or last cell of each group by rank; of equal ones the first in the file. */
function findExtremes(grouped: GroupedRows, column: CodedColumn, op: "min" | "max"): ResultColumn {
  const { plan, rows, grouping } = grouped;
  const ranks = grouped.ranksOf(column.name);
  const { codes, kinds } = column;
  const best = new Uint32Array(grouping.count);
  for (let place = 0; place < rows.length; place++) {
    const code = codes[rows[place] as number] as number;
    if (kinds[code] === KIND.blank) continue;
    const group = grouping.groupOf[place] as number;
    const known = best[group] as number;
    const difference = (ranks[code] as number) - (ranks[known] as number);
    if (known === 0 || (op === "min" ? difference < 0 : difference > 0)) best[group] = code;
  }
  const textOf = createTextReader(column);
  return {
    kind: (group) => comparedAs(column, best[group] as number),
    text: (group) => textOf(best[group] as number),
    isText: plan.format === "csv",
  };
}

/** Refuses the first selected cell that is filled and no number. */
function requireNumbers({ plan, rows }: GroupedRows, column: CodedColumn, { index }: Aggregate): void {
  const { codes, kinds } = column;
  // In most columns that are added up every cell is a number: codes are fewer than rows.
  if (isOfNumbers(kinds)) return;
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] as number;
    const code = codes[row] as number;
    if (kinds[code] === KIND.number || kinds[code] === KIND.blank) continue;
    const field = `aggregate.${index}.column`;
    const text = createTextReader(column)(code);
    const isCsv = plan.format === "csv";
    throw refuseCell({ field, column: column.name, row, text, isCsv, fault: NO_NUMBER });
  }
}

function isOfNumbers(kinds: Uint8Array): boolean {
  for (let code = 1; code < kinds.length; code++)
    if (kinds[code] !== KIND.number && kinds[code] !== KIND.blank) return false;
  return true;
}

function addNumbers(grouped: GroupedRows, column: CodedColumn, op: "sum" | "avg"): ResultColumn {
  const sums = addUp(column, grouped.scaledOf(column.name), grouped.rows, grouped.grouping);
  const kind = (group: number): number => (sums.counts[group] === 0 ? KIND.blank : KIND.number);
  const text = (group: number): string => {
    const sum = sums.sumOf(group);
    if (op === "avg") return writeDouble(divideToDouble(sum, sums.counts[group] as number));
    const written = writeExact(sum);
    if (written === null) throw tooLarge("A sum has over 10,000 digits. Filter such numbers out first.");
    return written;
  };
  return { kind, text, isText: false };
}

function writeDouble(double: number): string {
  if (Number.isFinite(double)) return JSON.stringify(double);
  throw tooLarge("A result is beyond double precision. Filter such numbers out first.");
}

function findMedians(grouped: GroupedRows, column: CodedColumn): ResultColumn {
  const { rows, grouping } = grouped;
  const ranks = grouped.numberRanksOf(column.name);
  const { codes, kinds } = column;
  // Equal numbers share a rank, so any code of a rank stands for its value.
  const codeOfRank = new Uint32Array(kinds.length + 1);
  for (let code = 1; code < kinds.length; code++) codeOfRank[ranks[code] as number] = code;
  const { places, ends } = orderByGroup(grouping);
  const sorted = new Uint32Array(places.length);
  const counts = new Uint32Array(grouping.count);
  for (let group = 0; group < grouping.count; group++) {
    const start = ends[group] as number;
    let end = start;
    for (let at = start; at < (ends[group + 1] as number); at++) {
      const code = codes[rows[places[at] as number] as number] as number;
      if (kinds[code] !== KIND.blank) sorted[end++] = ranks[code] as number;
    }
    sorted.subarray(start, end).sort();
    counts[group] = end - start;
  }
  const textOf = createTextReader(column);
  const valueAt = (at: number): string => textOf(codeOfRank[sorted[at] as number] as number);
  return {
    kind: (group) => (counts[group] === 0 ? KIND.blank : KIND.number),
    text: (group) => {
      const count = counts[group] as number;
      const upper = (ends[group] as number) + (count >>> 1);
      if (count % 2 === 1) return writeDouble(Number(valueAt(upper)) + 0);
      return writeDouble(
        divideToDouble(addExact(readOrRefuse(valueAt(upper - 1)), readOrRefuse(valueAt(upper))), 2),
      );
    },
    isText: false,
  };
}

function readOrRefuse(text: string): Exact {
  const exact = readExact(text);
  if (exact === null) throw tooLarge("A number has over 10,000 digits. Filter such numbers out first.");
  return exact;
}
