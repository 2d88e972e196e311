import type { FileFormat } from "../inspect/verdict.ts";
import { blankOut, type CodedColumn, codeColumns } from "../query/coded-table.ts";
import { createReader } from "../rows/page.ts";
import { checkColumn } from "./check-column.ts";
import { findKeyFault } from "./check-key.ts";
import { type DescribedCells, describeCells } from "./described-cells.ts";
import { MOST_FAULTS, mustRead, type RuleFault, type TableRules } from "./table-rules.ts";
import { createValueSet, type ValueSet } from "./value-set.ts";

/** A whole file and a line feed, and where the rows of a table begin in it. */
export interface TableBytes {
  bytes: Buffer;
  format: FileFormat;
  firstRowAt: number;
  /** Keeps an author from making a file whose cells all fall into one slot. */
  seed: number;
}

type CodedTable = Pick<TableRules, "tableColumns" | "rowCount">;

// The cells that are coded in one pass: each may be a value of its own, of some 30 bytes and its text.
const MOST_CELLS_A_PASS = 1_000_000;

/**
 * Looks up in the bytes of a table what its rules need. Notes each rule that does not hold with the first row that
 * breaks it, and gives what the columns with missing values hold beside those.
 */
export function checkTable(
  rules: TableRules,
  table: TableBytes,
  sets: ReadonlyMap<string, ValueSet>,
  faults: RuleFault[],
): DescribedCells[] {
  const key = rules.primaryKey ?? [];
  const described: DescribedCells[] = [];
  const inKey = new Set(key.map(({ name }) => name));
  // Those of the key are coded together.
  const [ofKey, others] = [true, false].map((isOfKey) =>
    rules.columns.filter((column) => inKey.has(column.name) === isOfKey && (isOfKey || mustRead(column))),
  );
  const isCsv = table.format === "csv";
  const check = (column: TableRules["columns"][number], coded: CodedColumn): void => {
    if (column.missing.length > 0) described.push(describeCells(coded, isCsv, table.seed));
    checkColumn(column, coded, { isCsv, set: sets.get(column.path) ?? null }, faults);
  };
  if (key.length > 0) {
    const coded = codeAll(rules, table, key);
    const fault = findKeyFault(coded, table.seed);
    if (fault !== null) faults.push({ path: `${rules.path}.primary_key`, sentence: fault });
    for (const column of ofKey ?? []) {
      const own = coded.find(({ name }) => name === column.name);
      if (own !== undefined) check(column, own);
    }
  }
  for (const pass of splitPasses(others ?? [], rules.rowCount)) {
    if (faults.length >= MOST_FAULTS) break;
    const coded = codeAll(rules, table, pass);
    for (const [at, column] of pass.entries()) check(column, coded[at] as CodedColumn);
  }
  return described;
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
