import { numberRow, type RowsRefusal, refuseFields } from "../rows/plan.ts";
import { findCommonRun } from "./common-run.ts";
import {
  hashCells,
  hasValue,
  openComparison,
  type RowComparison,
  readSide,
  type SideColumns,
  type TableSide,
} from "./compare-rows.ts";
import {
  type FoundKey,
  findKey,
  findRow,
  indexBoth,
  indexByKey,
  isKeyFault,
  startIndex,
} from "./find-key.ts";
import { type FoundChanges, listChanges } from "./list-changes.ts";

/** Two tables to compare. */
export interface DiffInput {
  base: TableSide;
  head: TableSide;
  columns: SideColumns;
  /** The key that was asked for, and the one to take before looking for one; both have columns of both tables. */
  key: readonly string[] | null;
  preferredKey: readonly string[] | null;
  /** Keeps an author from making a file whose rows all fall into one slot. */
  seed: number;
}

/** What changed between two tables. */
export interface FoundDiff extends FoundChanges {
  ok: true;
  key: string[] | null;
  /** How often a cell of each column of both tables changed. */
  byColumn: Uint32Array;
  cells: number;
  /** Where the rows of both begin. */
  baseStarts: Uint32Array;
  headStarts: Uint32Array;
}

/** Finds what changed between two tables; refuses a key that does not identify the rows of both. */
export function diffTables(input: DiffInput): FoundDiff | RowsRefusal {
  const { base, head, columns } = input;
  const key = chooseKey(input);
  if (key !== null && "ok" in key) return key;
  // Both directions take the same choice among equally short answers.
  const isTurned = base.bytes.compare(head.bytes) > 0;
  const baseOf = key === null ? pairWholeRows(input, isTurned) : pairByKey(input, key);
  const counted = countCells(openComparison(base, head, columns), baseOf);
  const changes = listChanges({ baseOf, baseCount: base.rowCount, isTurned, differs: counted.differs });
  const { cells, byColumn } = counted;
  const starts = { baseStarts: base.starts, headStarts: head.starts };
  return { ok: true, key: key?.key ?? null, ...changes, cells, byColumn, ...starts };
}

function chooseKey(input: DiffInput): FoundKey | RowsRefusal | null {
  const { base, head, columns, key, preferredKey, seed } = input;
  if (key !== null) return indexAsked(input, [...key]);
  const preferred = preferredKey === null ? null : indexBoth(base, head, [...preferredKey], seed);
  return preferred ?? findKey(base, head, columns.same, seed);
}

const ADVICE = "Name columns that identify a row in both files, or leave key out.";

function indexAsked({ base, head, seed }: DiffInput, key: string[]): FoundKey | RowsRefusal {
  const indexes = [];
  for (const [name, side] of [["base", base] as const, ["head", head] as const]) {
    const index = indexByKey(side, key, { seed, mayBeBlank: true });
    if (isKeyFault(index)) {
      const [one, other = one] = index.rows.map((row) => numberRow(row, side.format === "csv"));
      return refuseFields({ key: [`Rows ${one} and ${other} of the ${name} have the same key. ${ADVICE}`] });
    }
    indexes.push(index);
  }
  const [ofBase, ofHead] = indexes;
  if (ofBase === undefined || ofHead === undefined) throw new Error("a table was not indexed");
  return { key, base: ofBase, head: ofHead };
}

/** Compares the rows of each pair, and counts the cells that differ. */
function countCells(comparison: RowComparison, baseOf: Int32Array) {
  const differs = new Uint8Array(baseOf.length);
  const byColumn = new Uint32Array(comparison.changed.length);
  let cells = 0;
  for (let row = 0; row < baseOf.length; row++) {
    const baseRow = baseOf[row] as number;
    if (baseRow === -1 || !comparison.compare(baseRow, row)) continue;
    const { changed, changedCount } = comparison;
    differs[row] = changedCount > 0 ? 1 : 2;
    cells += changedCount;
    for (let at = 0; at < changedCount; at++) {
      const column = changed[at] as number;
      byColumn[column] = (byColumn[column] as number) + 1;
    }
  }
  return { differs, byColumn, cells };
}

/** The row of the base with the key of each row of the head, or -1; both are indexed with one seed. */
function pairByKey({ base, head }: DiffInput, { key, base: ofBase, head: ofHead }: FoundKey): Int32Array {
  const [baseKey, headKey] = [readSide(base, key), readSide(head, key)];
  return Int32Array.from(ofHead.hashes, (hash, row) => {
    headKey.locate(row);
    return Math.max(-1, findRow(ofBase, hash, baseKey, headKey));
  });
}

/**
 * Pairs rows that are the same as wholes, in order: a longest common subsequence. A row with a value in a column that
 * its table has alone has no pair. Gives the row of the base for each row of the head, or -1.
 */
function pairWholeRows({ base, head, columns, seed }: DiffInput, isTurned: boolean): Int32Array {
  const { ofBase, ofHead } = codeRows(base, head, columns, seed);
  const [baseRows, headRows] = [keepShared(ofBase, ofHead), keepShared(ofHead, ofBase)];
  const [baseCodes, headCodes] = [pick(ofBase, baseRows), pick(ofHead, headRows)];
  const baseOf = new Int32Array(head.rowCount).fill(-1);
  const run = isTurned ? findCommonRun(headCodes, baseCodes) : findCommonRun(baseCodes, headCodes);
  const [inBase, inHead] = isTurned ? [run.second, run.first] : [run.first, run.second];
  for (const [place, at] of inBase.entries())
    baseOf[headRows[inHead[place] as number] as number] = baseRows[at] as number;
  return baseOf;
}

/** A number for each row, the same for rows that are the same; -1 for those that have no equal in the other table. */
function codeRows(base: TableSide, head: TableSide, { same, added, removed }: SideColumns, seed: number) {
  const index = startIndex(base.rowCount);
  const ofBase = new Int32Array(base.rowCount).fill(-1);
  const ofHead = new Int32Array(head.rowCount).fill(-1);
  const known = readSide(base, [...same, ...removed]);
  const code = (side: TableSide, own: string[], codes: Int32Array, isOfBase: boolean): void => {
    const row = readSide(side, [...same, ...own]);
    for (let number = 0; number < side.rowCount; number++) {
      row.locate(number);
      if (hasValue(row, same.length)) continue;
      const hash = hashCells(side.bytes, row.places, same.length, seed);
      const found = findRow(index, hash, known, row, same.length);
      if (found >= 0) codes[number] = found;
      else if (isOfBase) {
        codes[number] = number;
        index.hashes[number] = hash;
        index.slots[-1 - found] = number + 1;
      }
    }
  };
  code(base, removed, ofBase, true);
  code(head, added, ofHead, false);
  return { ofBase, ofHead };
}

/** The rows whose number occurs among those of the other table. */
function keepShared(codes: Int32Array, others: Int32Array): Int32Array {
  const occurs = new Set(others);
  return Int32Array.from(codes.keys()).filter((row) => codes[row] !== -1 && occurs.has(codes[row] as number));
}

function pick(codes: Int32Array, rows: Int32Array): Int32Array {
  return rows.map((row) => codes[row] as number);
}
