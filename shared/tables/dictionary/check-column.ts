import { clipText } from "../../ground/text.ts";
import { bufferOf, type CodedColumn, createTextReader, KIND } from "../questions/coded-table.ts";
import { numberRow, quoteName } from "../rows/plan.ts";
import { countValue, numberOfValue, startCounts } from "../statistics/value-counts.ts";
import { type Bound, type BoundKind, readBound } from "./bounds.ts";
import type { ColumnRules, RuleFault } from "./table-rules.ts";

/** The different values of a column, outside of the heap: whether the text of a code of another column is among them. */
export type ValueSet = (column: CodedColumn, code: number) => boolean;

interface ColumnContext {
  isCsv: boolean;
  /** The values of the column that this one refers to. */
  set: ValueSet | null;
}

/** Looks up the rules of a column in its cells; notes each that does not hold with the first row that breaks it. */
export function checkColumn(
  rules: ColumnRules,
  column: CodedColumn,
  { isCsv, set }: ColumnContext,
  faults: RuleFault[],
): void {
  const textOf = createTextReader(column);
  const note = (member: string, sentence: string | null) => {
    if (sentence !== null) faults.push({ path: `${rules.path}.${member}`, sentence });
  };
  const noteFirst = (member: string, isWrong: (code: number) => boolean, why: (code: number) => string) => {
    const code = findFirstCode(column, isWrong);
    if (code === 0) return;
    const cell = showCell(textOf(code), column.kinds[code] === KIND.number);
    note(member, `Row ${numberRow(column.codes.indexOf(code), isCsv)} holds ${cell}, ${why(code)}.`);
  };
  if (rules.required) note("required", findBlank(column, isCsv));
  if (rules.unique) note("unique", findRepeat(column, textOf, isCsv));
  for (const [member, text, sign] of [
    ["minimum", rules.minimum, -1],
    ["maximum", rules.maximum, 1],
  ] as const) {
    const bound = text === null ? null : readBound(text);
    if (bound === null) continue;
    const compare = createComparison(column, bound, isCsv, textOf);
    const isBeyond = (code: number) => {
      const order = compare(code);
      return order === null || order * sign > 0;
    };
    noteFirst(member, isBeyond, (code) =>
      compare(code) === null
        ? explainKind(bound.kind, textOf(code))
        : `${sign < 0 ? "below" : "above"} ${bound.text}`,
    );
  }
  if (rules.categories !== null) {
    const known = new Set(rules.categories);
    noteFirst(
      "categories",
      (code) => !known.has(textOf(code)),
      () => "which is none of the categories",
    );
  }
  const { reference } = rules;
  if (reference !== null && set !== null)
    noteFirst(
      "references",
      (code) => !set(column, code),
      () => `which does not occur in ${quoteName(reference.column)} of ${quoteName(reference.label)}`,
    );
}

/** Codes have the order in which they appear, so the first that is wrong is that of the first row. */
function findFirstCode({ kinds }: CodedColumn, isWrong: (code: number) => boolean): number {
  for (let code = 1; code < kinds.length; code++)
    if (kinds[code] !== KIND.blank && isWrong(code)) return code;
  return 0;
}

function findBlank({ codes, kinds }: CodedColumn, isCsv: boolean): string | null {
  const row = codes.findIndex((code) => kinds[code] === KIND.blank);
  return row === -1 ? null : `Row ${numberRow(row, isCsv)} is blank.`;
}

function findRepeat(column: CodedColumn, textOf: (code: number) => string, isCsv: boolean): string | null {
  const { codes, kinds } = column;
  const found = findFirstRepeat(codes.length, kinds.length, (row) => {
    const code = codes[row] as number;
    return kinds[code] === KIND.blank ? -1 : code;
  });
  if (found === null) return null;
  const code = codes[found.row] as number;
  const cell = showCell(textOf(code), kinds[code] === KIND.number);
  return `Row ${numberRow(found.row, isCsv)} holds ${cell}, as row ${numberRow(found.first, isCsv)} does.`;
}

/** How the cell of a code compares with a bound; most numbers by their doubles, whose order is that of decimals. */
function createComparison(
  column: CodedColumn,
  { kind, text, compare }: Bound,
  isCsv: boolean,
  textOf: (code: number) => string,
): (code: number) => number | null {
  const { kinds } = column;
  if (kind !== "number") {
    const mayBeDate = (code: number) => isCsv || kinds[code] === KIND.text;
    return (code) => (mayBeDate(code) ? compare(textOf(code)) : null);
  }
  const values = { bytes: bufferOf(column), ends: column.ends };
  const nearest = Number(text);
  return (code) => {
    if (kinds[code] !== KIND.number) return null;
    const double = numberOfValue(values, code);
    return double === nearest ? compare(textOf(code)) : double - nearest;
  };
}

const WRITTEN: Readonly<Record<Exclude<BoundKind, "number">, string>> = {
  month: "a month such as 2026-01",
  day: "a day such as 2026-01-31",
  time: "a time without a zone, as the bound is",
  "time with a zone": "a time with a zone, as the bound is",
};

function explainKind(kind: BoundKind, cell: string): string {
  const what = kind === "number" ? "a number" : WRITTEN[kind];
  // It may be the bound that is written in another way than the column.
  const isOther = (readBound(cell)?.kind ?? kind) !== kind;
  const first = isOther ? "write the bound as the cells are, or " : "";
  return `which is not ${what}; ${first}list it under missing_values where it stands for blank`;
}

/** The sentence about the first row whose key is not filled, or repeats that of an earlier row; null where none does. */
export function findKeyFault(
  columns: readonly CodedColumn[],
  { seed, isCsv }: { seed: number; isCsv: boolean },
): string | null {
  const [first, ...others] = columns;
  if (first === undefined) return null;
  const rowCount = first.codes.length;
  const blank = findBlankCell(columns, rowCount);
  let numbered = { ids: first.codes, count: first.kinds.length };
  for (const { codes } of others) numbered = numberPairs(numbered.ids, codes, seed);
  const { ids, count } = numbered;
  const found = findFirstRepeat(blank?.row ?? rowCount, count, (row) => ids[row] as number);
  const rowOf = (row: number): number => numberRow(row, isCsv);
  if (found !== null) return `Row ${rowOf(found.row)} repeats the key of row ${rowOf(found.first)}.`;
  return blank && `Row ${rowOf(blank.row)} has no value in ${quoteName(blank.name)}.`;
}

function findBlankCell(
  columns: readonly CodedColumn[],
  rowCount: number,
): { row: number; name: string } | null {
  let row = rowCount;
  let name = "";
  for (const { codes, kinds, name: own } of columns) {
    for (let at = 0; at < row; at++) {
      if (kinds[codes[at] as number] !== KIND.blank) continue;
      row = at;
      name = own;
    }
  }
  return row === rowCount ? null : { row, name };
}

/** The first row whose number an earlier row has, and that row; rows of a number below 0 do not count. */
function findFirstRepeat(
  rowCount: number,
  most: number,
  numberOf: (row: number) => number,
): { row: number; first: number } | null {
  const seen = new Uint8Array(most);
  for (let row = 0; row < rowCount; row++) {
    const number = numberOf(row);
    if (number < 0) continue;
    if (seen[number] === 0) seen[number] = 1;
    else return { row, first: findFirst(numberOf, number) };
  }
  return null;
}

function findFirst(numberOf: (row: number) => number, wanted: number): number {
  let row = 0;
  while (numberOf(row) !== wanted) row++;
  return row;
}

/** Numbers for the different pairs of two lists, from 0. */
function numberPairs(
  one: Uint32Array,
  other: Uint32Array,
  seed: number,
): { ids: Uint32Array<ArrayBuffer>; count: number } {
  const counts = startCounts(seed);
  const pair = new Uint32Array(2);
  const bytes = new Uint8Array(pair.buffer);
  const ids = new Uint32Array(one.length);
  for (let row = 0; row < ids.length; row++) {
    pair[0] = one[row] as number;
    pair[1] = other[row] as number;
    ids[row] = countValue(counts, bytes, 0, bytes.length, 0);
  }
  return { ids, count: counts.size };
}

const CELL_CHARACTERS = 60;

/** A cell as a sentence repeats it: a number as written, a text in quotes, both cut. */
function showCell(text: string, isNumber: boolean): string {
  const shown = clipText(text, CELL_CHARACTERS);
  return isNumber ? shown : JSON.stringify(shown);
}
