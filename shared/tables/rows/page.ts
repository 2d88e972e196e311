import { frameJson } from "../../ground/framed-json.ts";
import type { IndexedTable } from "../inspection/reading-index.ts";
import type { RowReader } from "./cells.ts";
import { createCsvRows } from "./csv-rows.ts";
import { createJsonRows } from "./json-rows.ts";
import { findMatches } from "./match.ts";
import type { RowsPlan, RowsRefusal } from "./plan.ts";
import {
  isPreparedFor,
  type PreparedTable,
  preparationFor,
  prepareColumns,
  ROWS_A_START,
} from "./prepared.ts";
import { copyRow, createRowWriter, type RowWriter, writeRow } from "./row-writer.ts";

export type RowsOutcome =
  | {
      ok: true;
      columns: string[];
      returned: number;
      matched: number;
      total: number;
      next_offset: number | null;
      /**
       * The complete `data` object as JSON in UTF-8; the rows stand here only, with numbers as the file
       * writes them. It is bytes, as a text of 1 MB would be read, joined and written again on its way out.
       */
      json: Uint8Array;
    }
  | RowsRefusal;

/** The rows of a page without conditions, and the bytes of the file that hold them. */
export interface RowsWindow {
  /** Rows from the start of the bytes that come before the page. */
  skip: number;
  rowCount: number;
  start: number;
  /** Byte after the last. */
  end: number;
}

/** Finds the bytes of a page without conditions. */
export function findWindow(plan: RowsPlan, table: IndexedTable): RowsWindow {
  const [first, last] = findRowRange(plan);
  if (first >= last) return { skip: 0, rowCount: 0, start: 0, end: 0 };
  const place = findPlace(table.rows, first + 1) - 1;
  const next = findPlace(table.rows, last);
  return {
    skip: first - (table.rows[place] ?? 0),
    rowCount: last - first,
    start: table.offsets[place] ?? 0,
    end: table.offsets[next] ?? table.end,
  };
}

/**
 * The first row of a query without conditions, from 0 in the order of the file, and the row after its last.
 */
export function findRowRange(plan: RowsPlan): [number, number] {
  const { offset, limit, from } = plan.query;
  const isForward = from === "start";
  const last = isForward ? Math.min(offset + limit, plan.total) : Math.max(plan.total - offset, 0);
  const first = isForward ? Math.min(offset, plan.total) : Math.max(last - limit, 0);
  return [first, last];
}

/** The first place at a row or after it. */
export function findPlace(rows: readonly number[], row: number): number {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((rows[middle] as number) < row) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Reads a page without conditions; its window begins at `start` in the bytes, which end in a line feed. */
export function readPlainPage(plan: RowsPlan, window: RowsWindow, bytes: Buffer, start: number): RowsOutcome {
  const reader = createReader(plan, plan.columns);
  const page = startPage(plan, reader, window.end - window.start);
  let at = start;
  for (let skipped = 0; skipped < window.skip; skipped++) at = reader.skip(bytes, at);
  if (plan.query.from === "start") {
    for (let row = 0; row < window.rowCount && !page.isFull; row++) at = addRow(page, bytes, at);
  } else {
    addRowsBackward(page, window, bytes, at);
  }
  return encodeOutcome(page, plan.total);
}

/**
 * Reads a page with conditions; `bytes` are the whole file and a line feed. Also returns all columns that are
 * prepared now.
 */
export function readMatchingPage(
  plan: RowsPlan,
  firstRowAt: number,
  bytes: Buffer,
  prepared: PreparedTable | null,
): { outcome: RowsOutcome; prepared: PreparedTable } {
  const ready = prepareFor(plan, firstRowAt, bytes, prepared);
  const matches = findMatches(ready, plan.query.filters);
  const { offset, limit, from } = plan.query;
  const page = startPage(plan, createReader(plan, plan.columns), FIRST_BYTES);
  for (let index = offset; index < Math.min(offset + limit, matches.length) && !page.isFull; index++) {
    const row = matches[from === "start" ? index : matches.length - 1 - index] as number;
    addRow(page, bytes, findRow(ready, page.reader, bytes, row));
  }
  return { outcome: encodeOutcome(page, matches.length), prepared: ready };
}

function prepareFor(
  plan: RowsPlan,
  firstRowAt: number,
  bytes: Buffer,
  prepared: PreparedTable | null,
): PreparedTable {
  const known = prepared?.columns ?? [];
  const names: string[] = [];
  const wanted: Parameters<typeof prepareColumns>[3] = [];
  for (const filter of plan.query.filters) {
    const { column: name } = filter;
    const preparation = preparationFor(filter);
    if ([...known, ...wanted].some((one) => isPreparedFor(one, filter))) continue;
    if (!names.includes(name)) names.push(name);
    wanted.push({ name, preparation, slot: names.indexOf(name) });
  }
  if (prepared !== null && wanted.length === 0) return prepared;
  const place = { rowCount: plan.total, firstRowAt };
  const added = prepareColumns(bytes, createReader(plan, names), place, wanted);
  return { ...added, columns: [...known, ...added.columns] };
}

/** The place of a row, from that of an eighth one before it. */
export function findRow(
  table: Pick<PreparedTable, "starts">,
  reader: RowReader,
  bytes: Buffer,
  row: number,
): number {
  let at = table.starts[Math.floor(row / ROWS_A_START)] as number;
  for (let skipped = row % ROWS_A_START; skipped > 0; skipped--) at = reader.skip(bytes, at);
  return at;
}

/** A reader of rows that finds the named columns, each in the slot of its place in the list. */
export function createReader(
  plan: Pick<RowsPlan, "format" | "tableColumns">,
  names: readonly string[],
): RowReader {
  const slots = new Map(names.map((name, slot) => [name, slot]));
  if (plan.format === "json") return createJsonRows(slots);
  const slotOfColumn = new Int32Array(plan.tableColumns.length);
  for (const [column, name] of plan.tableColumns.entries()) slotOfColumn[column] = slots.get(name) ?? -1;
  return createCsvRows(slotOfColumn, names.length);
}

type PagePlan = Pick<RowsPlan, "columns" | "rowsResponseBytes">;

/** A page that is being written. */
export interface OpenPage<Plan extends PagePlan = RowsPlan> {
  plan: Plan;
  reader: RowReader;
  writer: RowWriter;
  order: Int32Array;
  returned: number;
  /** Encoded bytes of the rows, each with the comma that parts it from the next. */
  bytes: number;
  isFull: boolean;
}

const FIRST_BYTES = 16_384;

/** Starts a page without rows; about `bytes` bytes of the file will be written. */
export function startPage<Plan extends PagePlan>(
  plan: Plan,
  reader: RowReader,
  bytes: number,
): OpenPage<Plan> {
  const order = new Int32Array(plan.columns.length);
  for (let slot = 0; slot < order.length; slot++) order[slot] = slot;
  // Quotes and commas of JSON take a little more than those of CSV.
  const writer = createRowWriter(FIRST_BYTES + Math.min(2 * bytes, plan.rowsResponseBytes));
  return { plan, reader, writer, order, returned: 0, bytes: 0, isFull: false };
}

/** Adds the row at a place, unless the answer would grow too large; the first row is always taken. */
export function addRow(page: OpenPage<PagePlan>, bytes: Buffer, at: number): number {
  const { writer, reader } = page;
  const before = writer.length;
  const next = reader.locate(bytes, at);
  writeRow(writer, bytes, reader.places, page.order);
  countRow(page, before);
  return next;
}

/** Counts the row that has been written, or takes it back. */
function countRow(page: OpenPage<PagePlan>, before: number): void {
  const { writer } = page;
  page.bytes += writer.length - before + (before === 0 ? 1 : 0);
  page.isFull = page.bytes > page.plan.rowsResponseBytes;
  if (page.isFull && page.returned > 0) writer.length = before;
  else page.returned++;
}

/** Adds the rows of a window, the last first: each is written once, in the order of the file, and then taken over. */
function addRowsBackward(page: OpenPage, window: RowsWindow, bytes: Buffer, from: number): void {
  const { reader, order, writer } = page;
  const forward = createRowWriter(writer.out.length);
  const ends = [0];
  let at = from;
  for (let row = 0; row < window.rowCount; row++) {
    at = reader.locate(bytes, at);
    writeRow(forward, bytes, reader.places, order);
    ends.push(forward.length);
  }
  for (let row = window.rowCount - 1; row >= 0 && !page.isFull; row--) {
    const comma = row === 0 ? 0 : 1;
    const before = writer.length;
    copyRow(writer, forward.out.subarray((ends[row] ?? 0) + comma, ends[row + 1]));
    countRow(page, before);
  }
}

function encodeOutcome({ plan, writer, returned }: OpenPage, matched: number): RowsOutcome {
  const { columns, total, query } = plan;
  const next = query.offset + returned < matched && returned > 0 ? query.offset + returned : null;
  const json = frameJson([
    Buffer.from(`{"columns":${JSON.stringify(columns)},"rows":[`),
    writer.out.subarray(0, writer.length),
    Buffer.from(`],"returned":${returned},"matched":${matched},"total":${total},"next_offset":${next}}`),
  ]);
  return { ok: true, columns, returned, matched, total, next_offset: next, json };
}
