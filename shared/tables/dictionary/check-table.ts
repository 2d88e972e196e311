import { blankOut, type CodedColumn, codeColumns } from "../questions/coded-table.ts";
import { createReader } from "../rows/reader.ts";
import { checkColumn } from "./check-column.ts";
import { findKeyFault } from "./check-key.ts";
import { type DescribedCells, describeCells } from "./described-cells.ts";
import { NOTHING_PROVEN, proveRules } from "./prove-rules.ts";
import type { TableBytes } from "./table-bytes.ts";
import { type ColumnRules, MOST_FAULTS, mustRead, type RuleFault, type TableRules } from "./table-rules.ts";
import { createValueSet, type ValueSet } from "./value-set.ts";

type CodedTable = Pick<TableRules, "tableColumns" | "rowCount">;

// The cells that are coded in one pass: each may be a value of its own, of some 30 bytes and its text.
const MOST_CELLS_A_PASS = 1_000_000;

/** What a check is given beside a table. */
export interface CheckContext {
  /** The values of the columns that others refer to, by the path of the column that refers. */
  sets: ReadonlyMap<string, ValueSet>;
  /** Whether rules that hold by the bytes alone are left out of the check of values: what is found stays the same. */
  mayProve: boolean;
}

/**
 * Looks up in the bytes of a table what its rules need. Notes each rule that does not hold with the first row that
 * breaks it, and gives what the columns with missing values hold beside those.
 */
export function checkTable(
  rules: TableRules,
  table: TableBytes,
  { sets, mayProve }: CheckContext,
  faults: RuleFault[],
): DescribedCells[] {
  const proven = mayProve ? proveRules(rules, table) : NOTHING_PROVEN;
  const key = rules.primaryKey ?? [];
  const described = new Map<string, DescribedCells | null>(proven.columns);
  const isLeft = ({ name }: ColumnRules) => !proven.columns.has(name);
  const [ofKey, others] = listRead(rules);
  const isCsv = table.format === "csv";
  const check = (column: ColumnRules, coded: CodedColumn): void => {
    if (column.missing.length > 0) described.set(column.name, describeCells(coded, isCsv, table.seed));
    checkColumn(column, coded, { isCsv, set: sets.get(column.path) ?? null }, faults);
  };
  const isKeyLeft = key.length > 0 && !proven.isKey;
  if (isKeyLeft) {
    // The columns of the key are coded together.
    const coded = codeAll(rules, table, key);
    const fault = findKeyFault(coded, { seed: table.seed, isCsv });
    if (fault !== null) faults.push({ path: `${rules.path}.primary_key`, sentence: fault });
    for (const column of ofKey.filter(isLeft)) {
      const own = coded.find(({ name }) => name === column.name);
      if (own !== undefined) check(column, own);
    }
  }
  const left = [...(isKeyLeft ? [] : ofKey), ...others].filter(isLeft);
  for (const pass of splitPasses(left, rules.rowCount)) {
    if (faults.length >= MOST_FAULTS) break;
    const coded = codeAll(rules, table, pass);
    for (const [at, column] of pass.entries()) check(column, coded[at] as CodedColumn);
  }
  return [...ofKey, ...others].flatMap(({ name }) => described.get(name) ?? []);
}

/** The columns of the key, and others that have to be read. */
function listRead({ primaryKey, columns }: TableRules): [ColumnRules[], ColumnRules[]] {
  const inKey = new Set(primaryKey?.map(({ name }) => name));
  return [
    columns.filter(({ name }) => inKey.has(name)),
    columns.filter((column) => !inKey.has(column.name) && mustRead(column)),
  ];
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
