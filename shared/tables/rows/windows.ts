import { inspectFile } from "../inspection/inspect.ts";
import { decodeIndex, type IndexedTable, type ReadingIndex } from "../inspection/reading-index.ts";
import type { FileFormat } from "../inspection/verdict.ts";
import { findPlace } from "../statistics/value-counts.ts";
import { hasConditions } from "./conditions.ts";
import type { RowsPlan } from "./plan.ts";

/** The bytes of a file, or those of a range of it (both ends included), which may be read into some memory at once. */
export type Source = (range?: { start: number; end: number }, into?: Uint8Array) => AsyncIterable<Uint8Array>;

/** Builds the index of a file whose inspection made none. */
export async function buildIndex(
  source: AsyncIterable<Uint8Array>,
  format: FileFormat,
): Promise<ReadingIndex> {
  const verdict = await inspectFile(source, format);
  const index = verdict.ok && verdict.readingIndex !== null ? decodeIndex(verdict.readingIndex) : null;
  if (index === null) throw new Error("a file that passed inspection does not any more");
  return index;
}

/** The places of the queried table. */
export function findIndexedTable(index: ReadingIndex, plan: Pick<RowsPlan, "position">): IndexedTable {
  const found = index.tables.find((table) => table.position === plan.position);
  if (found === undefined) throw new Error("the reading index knows no such table");
  return found;
}

/** Where the first row of the queried table begins. */
export function findFirstRow(index: ReadingIndex, plan: Pick<RowsPlan, "position">): number {
  return findIndexedTable(index, plan).offsets[0] ?? 0;
}

/** Fills a buffer, which has room for one byte more, with a file's bytes and a line feed, by which readers stop. */
export async function collectBytes(source: AsyncIterable<Uint8Array>, into: Buffer): Promise<Buffer> {
  let length = 0;
  for await (const chunk of source) {
    if (length + chunk.length >= into.length) throw new Error("a stored file is longer than its row says");
    const stands = chunk.buffer === into.buffer && chunk.byteOffset === into.byteOffset + length;
    if (!stands) into.set(chunk, length);
    length += chunk.length;
  }
  into.fill(LINE_FEED, length);
  return into;
}

const LINE_FEED = 0x0a;

/** Gives memory for so many bytes, in which something else may stand; it is another's once more is asked for. */
export type Room = (byteCount: number) => Buffer;

/** The bytes of a window of a stored file and a line feed. */
export function readWindow(source: Source, { start, end }: RowsWindow, room: Room): Promise<Buffer> {
  const into = room(end - start + 1);
  return collectBytes(source({ start, end: end - 1 }, into), into);
}

/** Complete rows that a query may have to read, and the bytes of the file that hold them. */
export interface RowsWindow {
  /** The number of the first of these rows in the table, from 0. */
  firstRow: number;
  rowCount: number;
  /** Rows from the start of the bytes that come before them. */
  skip: number;
  start: number;
  /** Byte after the last. */
  end: number;
}

/**
 * Cuts the part of a table that a query may have to read into windows of about so many bytes, in the query's order.
 * With conditions that is every row; without, the rows between offset and limit.
 */
export function cutWindows(plan: RowsPlan, table: IndexedTable, bytes: number): RowsWindow[] {
  const [first, last] = hasConditions(plan.query) ? [0, plan.total] : findRowRange(plan);
  if (first >= last) return [];
  const from = findPlace(table.rows, first + 1) - 1;
  const groups = groupPlaces(table, from, findPlace(table.rows, last), { bytes });
  if (plan.query.from === "end") groups.reverse();
  return groups.map((group) => toWindow(table, group, [first, last]));
}

function toWindow(
  table: IndexedTable,
  [place, next]: [number, number],
  [first, last]: [number, number] = [0, table.rowCount],
): RowsWindow {
  const placedRow = table.rows[place] ?? 0;
  const firstRow = Math.max(first, placedRow);
  return {
    firstRow,
    rowCount: Math.min(last, table.rows[next] ?? last) - firstRow,
    skip: firstRow - placedRow,
    start: table.offsets[place] ?? 0,
    end: table.offsets[next] ?? table.end,
  };
}

/** Rows that stand one after the other from a place in some bytes, which end in a line feed. */
export interface RowsInMemory {
  bytes: Buffer;
  at: number;
  rowCount: number;
}

/** The most of a table that is in memory at once, unless a single row is larger. */
interface WindowSize {
  bytes: number;
  rows?: number;
}

/** Reads a table from its first row to its last, some rows at a time, whose bytes are another's with the next. */
export type ReadTable = (most?: WindowSize) => AsyncIterable<RowsInMemory>;

/** Opens the reading of a stored table. */
export function openTable(source: Source, room: Room, table: IndexedTable): ReadTable {
  return async function* read(most = { bytes: WINDOW_BYTES }) {
    for (const window of cutTable(table, most)) {
      const bytes = await readWindow(source, window, room);
      yield { bytes, at: 0, rowCount: window.rowCount };
    }
  };
}

/** Bytes of a file that a thread reads at once, unless a single row is larger: each window is a request of its own. */
export const WINDOW_BYTES = 4_194_304;

function cutTable(table: IndexedTable, most: WindowSize): RowsWindow[] {
  if (table.rowCount === 0) return [];
  return groupPlaces(table, 0, table.rows.length, most).map((group) => toWindow(table, group));
}

/** The first row of a query without conditions, from 0 in the order of the file, and the row after its last. */
function findRowRange(plan: RowsPlan): [number, number] {
  const { offset, limit, from } = plan.query;
  const isForward = from === "start";
  const last = isForward ? Math.min(offset + limit, plan.total) : Math.max(plan.total - offset, 0);
  const first = isForward ? Math.min(offset, plan.total) : Math.max(last - limit, 0);
  return [first, last];
}

/** Runs of places whose bytes and rows are one window's: the first of each, and the first after it. */
function groupPlaces(
  { offsets, rows, rowCount, end }: IndexedTable,
  first: number,
  last: number,
  most: WindowSize,
): [number, number][] {
  const { bytes, rows: mostRows = Number.POSITIVE_INFINITY } = most;
  const groups: [number, number][] = [];
  let from = first;
  for (let place = first + 1; place < last; place++) {
    const byteCount = (offsets[place + 1] ?? end) - (offsets[from] ?? 0);
    const ownRows = (rows[place + 1] ?? rowCount) - (rows[from] ?? 0);
    if (byteCount <= bytes && ownRows <= mostRows) continue;
    groups.push([from, place]);
    from = place;
  }
  groups.push([from, last]);
  return groups;
}
