import {
  blankOut,
  bufferOf,
  type CodedColumn,
  codeColumns,
  createTextReader,
  KIND,
} from "../questions/coded-table.ts";
import { createReader } from "../rows/reader.ts";
import { isLongNumber, tallyForm } from "../statistics/column-form.ts";
import { findTypes } from "../statistics/tally-column.ts";
import { countValue, startCounts, TAG } from "../statistics/value-counts.ts";
import { checkColumn, findKeyFault, type ValueSet } from "./check-column.ts";
import {
  type ColumnRules,
  type DescribedCells,
  MOST_FAULTS,
  mustRead,
  type RuleFault,
  type TableBytes,
  type TableRules,
} from "./table-rules.ts";

/** What a check found, as it is stored. */
export interface StoredChecks {
  checked_at: string;
  /** How many rules there are. */
  rules: number;
  passed: number;
  /** What the columns with missing values hold beside those, by the place of their table in the file. */
  columns: { position: number | null; columns: DescribedCells[] }[];
}

/** Describes a column by the cells that its missing values leave. */
function describeCells(column: CodedColumn, isCsv: boolean): DescribedCells {
  const { name, codes, kinds, ends } = column;
  const bytes = bufferOf(column);
  const left = [...kinds.keys()].filter((code) => code > 0 && kinds[code] !== KIND.blank);
  const types = findTypes(isCsv);
  for (const code of left) {
    const tag = kinds[code] === KIND.text ? TAG.text : TAG.json;
    types.add(bytes, ends[code] as number, ends[code + 1] as number, tag);
  }
  const type = types.type();
  const form = tallyForm(type);
  for (const code of left) form.add(bytes, ends[code] as number, ends[code + 1] as number);
  let blanks = 0;
  for (const code of codes) if (kinds[code] === KIND.blank) blanks++;
  const textOf = createTextReader(column);
  const isLong = type === "number" && left.some((code) => isLongNumber(textOf(code)));
  return { name, type, blanks, form: form.form(), ...(isLong && { isLong }) };
}

type CodedTable = Pick<TableRules, "tableColumns" | "rowCount">;

// The cells that are coded in one pass: each may be a value of its own, of some 30 bytes and its text.
const MOST_CELLS_A_PASS = 1_000_000;

/**
 * Looks up in the bytes of a table what its rules need; `sets` are the values of the columns that others refer to, by the
 * path of the column that refers. Notes each rule that does not hold with the first row that breaks it, and gives what the
 * columns with missing values hold beside those.
 */
export function checkTable(
  rules: TableRules,
  table: TableBytes,
  sets: ReadonlyMap<string, ValueSet>,
  faults: RuleFault[],
): DescribedCells[] {
  const key = rules.primaryKey ?? [];
  const inKey = new Set(key.map(({ name }) => name));
  const ofKey = rules.columns.filter(({ name }) => inKey.has(name));
  const others = rules.columns.filter((column) => !inKey.has(column.name) && mustRead(column));
  const isCsv = table.format === "csv";
  const described = new Map<string, DescribedCells>();
  const check = (column: ColumnRules, coded: CodedColumn): void => {
    if (column.missing.length > 0) described.set(column.name, describeCells(coded, isCsv));
    checkColumn(column, coded, { isCsv, set: sets.get(column.path) ?? null }, faults);
  };
  // The columns of the key are coded together.
  const coded = key.length === 0 ? [] : codeAll(rules, table, key);
  const fault = findKeyFault(coded, { seed: table.seed, isCsv });
  if (fault !== null) faults.push({ path: `${rules.path}.primary_key`, sentence: fault });
  for (const column of ofKey) {
    const own = coded.find(({ name }) => name === column.name);
    if (own !== undefined) check(column, own);
  }
  for (const pass of splitPasses(others, rules.rowCount)) {
    if (faults.length >= MOST_FAULTS) break;
    const coded = codeAll(rules, table, pass);
    for (const [at, column] of pass.entries()) check(column, coded[at] as CodedColumn);
  }
  return [...ofKey, ...others].flatMap(({ name }) => described.get(name) ?? []);
}

/** Reads the values of a column that others refer to. */
export function readValues(
  rules: CodedTable,
  table: TableBytes,
  { column: name, missing }: { column: string; missing: readonly string[] },
): ValueSet {
  const [coded] = codeAll(rules, table, [{ name, missing }]);
  return createValueSet(coded as CodedColumn, table.seed);
}

function codeAll(
  { tableColumns, rowCount }: CodedTable,
  { bytes, format, firstRowAt, seed }: TableBytes,
  columns: readonly { name: string; missing: readonly string[] }[],
): CodedColumn[] {
  const names = columns.map(({ name }) => name);
  const reader = createReader({ format, tableColumns: [...tableColumns] }, names);
  const place = { rowCount, firstRowAt, isCsv: format === "csv" };
  const coded = codeColumns(bytes, reader, place, names, seed).columns;
  return coded.map((column, at) => blankOut(column, columns[at]?.missing ?? []));
}

function splitPasses<Item>(items: readonly Item[], rowCount: number): Item[][] {
  const most = Math.max(1, Math.floor(MOST_CELLS_A_PASS / Math.max(1, rowCount)));
  const passes: Item[][] = [];
  for (let at = 0; at < items.length; at += most) passes.push(items.slice(at, at + most));
  return passes;
}

/** Numbers and texts of the same letters are one value here: a CSV has no types. */
const ANY_TAG = 0;

/** The values of a column; those of blank cells are none. */
function createValueSet(column: CodedColumn, seed: number): ValueSet {
  const values = startCounts(seed);
  const find = (other: CodedColumn, code: number): number =>
    countValue(values, bufferOf(other), other.ends[code] as number, other.ends[code + 1] as number, ANY_TAG);
  for (let code = 1; code < column.kinds.length; code++)
    if (column.kinds[code] !== KIND.blank) find(column, code);
  const { size } = values;
  // A value that is not there is added behind those that are, so it does not count afterwards either.
  return (other, code) => find(other, code) < size;
}
