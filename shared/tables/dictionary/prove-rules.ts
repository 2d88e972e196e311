import { type CellPlaces, copyBytes, createRowWriter, makeRoom, type RowWriter } from "../rows/cells.ts";
import { createReader } from "../rows/reader.ts";
import { isNewValue, startCounts, type ValueCounts } from "../statistics/value-counts.ts";
import { describeProven, type FollowedColumn, followColumn, followRow } from "./follow-column.ts";
import type { DescribedCells, TableBytes } from "./table-rules.ts";
import { type ColumnRules, mustRead, type TableRules } from "./table-rules.ts";

/** The rules of a table that hold for certain. */
export interface ProvenRules {
  /** Whether each row has a key of its own. */
  isKey: boolean;
  /** The columns all of whose rules hold: what one with missing values holds beside those, null for others. */
  columns: ReadonlyMap<string, DescribedCells | null>;
}

/** What is known before a byte is read. */
export const NOTHING_PROVEN: ProvenRules = { isKey: false, columns: new Map() };

/** The key of a table, as far as its rows were read. */
interface FollowedKey {
  holds: boolean;
  columns: readonly FollowedColumn[];
  rows: ValueCounts;
  /** The key of the row at hand. */
  writer: RowWriter;
}

/** The cells that are told apart at most, at some 30 bytes and their own each. */
const MOST_CELLS = 1_000_000;

/**
 * Goes once through the rows of a table and tells which rules hold, on the bytes of the cells alone.
 * What it does not prove may hold as well: a rule that needs more, and the first row that breaks one, are for the check.
 */
export function proveRules(rules: TableRules, table: TableBytes): ProvenRules {
  const columns = followColumns(rules, table);
  if (columns.length === 0) return NOTHING_PROVEN;
  const room = MOST_CELLS - rules.rowCount * columns.filter(({ different }) => different !== null).length;
  const key = followKey(rules, columns, table.seed, room);
  if (!goThrough(rules, table, columns, key)) return NOTHING_PROVEN;
  const proven = columns.filter(({ holds, rules: own }) => holds && own !== null);
  return {
    isKey: key.holds,
    columns: new Map(proven.map((column) => [column.name, describeProven(column)])),
  };
}

/** Each column that has rules or is of the key, with the slot of its place; others of another table are left out. */
function followColumns(rules: TableRules, { format, seed }: TableBytes): FollowedColumn[] {
  const context = { isCsv: format === "csv", rowCount: rules.rowCount, seed };
  const key = rules.primaryKey ?? [];
  const byName = new Map(rules.columns.map((column) => [column.name, column]));
  const others = rules.columns.filter(
    (column) =>
      mustRead(column) && column.reference === null && key.every(({ name }) => name !== column.name),
  );
  let left = MOST_CELLS;
  return [...key, ...others].map(({ name, missing }, slot) => {
    const own: ColumnRules | null = byName.get(name) ?? null;
    if (own?.unique) left -= rules.rowCount;
    const isFollowed = own !== null && own.reference === null && (!own.unique || left >= 0);
    return followColumn({ name, slot, missing, rules: isFollowed ? own : null }, context);
  });
}

function followKey(
  { primaryKey, rowCount }: TableRules,
  all: readonly FollowedColumn[],
  seed: number,
  room: number,
): FollowedKey {
  const columns = all.slice(0, primaryKey?.length ?? 0);
  const holds = columns.length > 0 && rowCount * columns.length <= room;
  return { holds, columns, rows: startCounts(seed), writer: createRowWriter(FIRST_KEY_BYTES) };
}

const FIRST_KEY_BYTES = 256;
/** Parts two cells: a byte that no text of UTF-8 has. */
const BETWEEN = 0xff;

/** Whether no row before the one that was located last has its key. */
function isNewKey(
  { columns, rows, writer }: FollowedKey,
  bytes: Buffer,
  { starts, ends }: CellPlaces,
): boolean {
  writer.length = 0;
  for (const { slot } of columns) {
    const [start, end] = [starts[slot] as number, ends[slot] as number];
    makeRoom(writer, end - start + 1);
    copyBytes(writer, bytes, start, end);
    writer.out[writer.length++] = BETWEEN;
  }
  return isNewValue(rows, writer.out, 0, writer.length);
}

/** The engine compiles a loop of many rows anew for each table, but a function of few rows once: half of the time. */
const ROWS_A_STEP = 128;

/** Reads the rows until nothing is left that holds; tells whether they are read to their end. */
function goThrough(
  { tableColumns, rowCount }: TableRules,
  { bytes, format, firstRowAt }: TableBytes,
  columns: readonly FollowedColumn[],
  key: FollowedKey,
): boolean {
  const names = columns.map(({ name }) => name);
  const reader = createReader({ format, tableColumns: [...tableColumns] }, names);
  let at = firstRowAt;
  const followRows = (count: number): void => {
    for (let row = 0; row < count; row++) {
      at = reader.locate(bytes, at);
      followRow(columns, bytes, reader.places);
      if (key.holds) key.holds = key.columns.every(({ isFilled }) => isFilled);
      if (key.holds) key.holds = isNewKey(key, bytes, reader.places);
    }
  };
  for (let row = 0; row < rowCount; row += ROWS_A_STEP) {
    followRows(Math.min(ROWS_A_STEP, rowCount - row));
    if (!key.holds && columns.every(({ holds }) => !holds)) return false;
  }
  return true;
}
