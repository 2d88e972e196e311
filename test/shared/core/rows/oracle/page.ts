import { createCellTest } from "../../../../../shared/core/rows/conditions.ts";
import type { RowsLimits, RowsQuery } from "../../../../../shared/core/rows/query.ts";
import type { TableScan } from "./table-scan.ts";

/** One page of matching rows: each row as the JSON text of its cells. */
export interface Page {
  rows: string[];
  matched: number;
}

interface Wanted {
  columns: number[];
  conditions: { column: number; holds: (cell: string | null) => boolean }[];
}

/** Reads one page of a table whose columns and conditions have been checked against it. */
export async function readPage<Row>(
  table: TableScan<Row>,
  total: number,
  query: RowsQuery,
  columns: string[],
  limits: Pick<RowsLimits, "rowsResponseBytes">,
): Promise<Page> {
  const indexes = new Map(table.columns.map((name, index) => [name, index]));
  const indexOf = (name: string): number => indexes.get(name) ?? -1;
  const wanted: Wanted = {
    columns: columns.map(indexOf),
    conditions: query.filters.map((filter) => ({
      column: indexOf(filter.column),
      holds: createCellTest(filter),
    })),
  };
  const known = wanted.conditions.length === 0 ? total : null;
  if (query.from === "start") {
    return readForward(table, wanted, { first: query.offset, count: query.limit }, known, limits);
  }
  // The last rows are known only once the matches are counted, so a filtered page from the end takes two passes.
  const matched = known ?? (await countMatches(table, wanted));
  const end = Math.max(matched - query.offset, 0);
  const first = Math.max(end - query.limit, 0);
  const window = await collectRows(table, wanted, first, end);
  return { rows: takeWithinBudget(window.reverse(), limits.rowsResponseBytes), matched };
}

async function readForward<Row>(
  table: TableScan<Row>,
  wanted: Wanted,
  window: { first: number; count: number },
  known: number | null,
  limits: Pick<RowsLimits, "rowsResponseBytes">,
): Promise<Page> {
  const rows: string[] = [];
  let matched = 0;
  let bytes = 0;
  let isFull = false;
  for await (const batch of table.scan()) {
    for (const row of batch) {
      if (!matches(table, wanted, row)) continue;
      const at = matched++;
      if (isFull || at < window.first) continue;
      const json = encodeRow(table, wanted, row);
      bytes += countRowBytes(json);
      isFull = bytes > limits.rowsResponseBytes && rows.length > 0;
      if (!isFull) rows.push(json);
      isFull ||= rows.length === window.count;
    }
    if (known !== null && (isFull || window.first >= known)) break;
  }
  return { rows, matched: known ?? matched };
}

async function countMatches<Row>(table: TableScan<Row>, wanted: Wanted): Promise<number> {
  let matched = 0;
  for await (const batch of table.scan()) {
    for (const row of batch) if (matches(table, wanted, row)) matched++;
  }
  return matched;
}

async function collectRows<Row>(
  table: TableScan<Row>,
  wanted: Wanted,
  first: number,
  end: number,
): Promise<string[]> {
  const rows: string[] = [];
  if (first >= end) return rows;
  let at = 0;
  for await (const batch of table.scan()) {
    for (const row of batch) {
      if (at >= end || !matches(table, wanted, row)) continue;
      if (at >= first) rows.push(encodeRow(table, wanted, row));
      at++;
    }
    if (at >= end) break;
  }
  return rows;
}

function matches<Row>(table: TableScan<Row>, wanted: Wanted, row: Row): boolean {
  return wanted.conditions.every(({ column, holds }) => holds(table.textOf(row, column)));
}

function encodeRow<Row>(table: TableScan<Row>, wanted: Wanted, row: Row): string {
  return `[${wanted.columns.map((column) => table.jsonOf(row, column)).join(",")}]`;
}

function takeWithinBudget(rows: string[], budgetBytes: number): string[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += countRowBytes(row);
    return index > 0 && bytes > budgetBytes;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** A row's bytes in the answer, with the comma that parts it from the next. */
function countRowBytes(json: string): number {
  return Buffer.byteLength(json) + 1;
}
