import { CELL } from "../rows/cells.ts";
import { isSameCell } from "./compare-cells.ts";
import { haveSameBytes, readSide, type SideReader, type TableSide } from "./table-side.ts";

/** The columns of two tables, by name. */
export interface SideColumns {
  /** Of the head alone, and of the base alone. */
  added: string[];
  removed: string[];
  /** Of both, in the order of the head. */
  same: string[];
}

/** Compares a row of the base with one of the head. */
export interface RowComparison {
  /** Both with the columns of both tables first, then those of their own. */
  base: SideReader;
  head: SideReader;
  /** The places among the columns of both tables whose cells differ, as far as `changedCount`. */
  changed: Int32Array;
  changedCount: number;
  /** Whether a column that one table has alone holds a value here. */
  hasOwnValue: boolean;
  /** Whether the rows differ; says in the members above in what. */
  compare(baseRow: number, headRow: number): boolean;
}

/** Compares rows of two tables cell by cell. */
export function openComparison(
  base: TableSide,
  head: TableSide,
  { same, added, removed }: SideColumns,
): RowComparison {
  const comparison: RowComparison = {
    base: readSide(base, [...same, ...removed]),
    head: readSide(head, [...same, ...added]),
    changed: new Int32Array(same.length),
    changedCount: 0,
    hasOwnValue: false,
    compare: (baseRow, headRow) => {
      comparison.base.locate(baseRow);
      comparison.head.locate(headRow);
      return compareLocated(comparison, same.length);
    },
  };
  return comparison;
}

function compareLocated(comparison: RowComparison, sameCount: number): boolean {
  const { base, head, changed } = comparison;
  let count = 0;
  for (let slot = 0; slot < sameCount; slot++) {
    if (!isSameCell(base, slot, head, slot)) changed[count++] = slot;
  }
  comparison.changedCount = count;
  comparison.hasOwnValue = hasValue(base, sameCount) || hasValue(head, sameCount);
  return count > 0 || comparison.hasOwnValue;
}

/** Whether a row that was located holds a value behind its first cells. */
export function hasValue({ places: { kinds } }: SideReader, from: number): boolean {
  for (let slot = from; slot < kinds.length; slot++) if (kinds[slot] !== CELL.null) return true;
  return false;
}

/** A test that is true for rows that are the same byte by byte; for others it does not tell. */
export function createByteTest(
  base: TableSide,
  head: TableSide,
): (baseRow: number, headRow: number) => boolean {
  const names = head.tableColumns;
  // A record of JSON names its columns itself.
  const isComparable =
    head.format === "json" ||
    (names.length === base.tableColumns.length &&
      names.every((name, column) => name === base.tableColumns[column]));
  return isComparable ? (baseRow, headRow) => haveSameBytes(base, baseRow, head, headRow) : () => false;
}
