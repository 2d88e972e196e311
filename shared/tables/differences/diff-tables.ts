import { type RowsRefusal, refuseFields } from "../rows/plan.ts";
import { areSameCells } from "./compare-cells.ts";
import { createByteTest, openComparison, type RowComparison, type SideColumns } from "./compare-rows.ts";
import { type FoundKey, findKey, indexBoth, isKeyFault } from "./find-key.ts";
import { type FoundChanges, listChanges } from "./list-changes.ts";
import { pairWholeRows } from "./pair-whole-rows.ts";
import { indexByKey, type RowIndex } from "./row-index.ts";
import { numberRow, readSide, type TableSide } from "./table-side.ts";

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

/** What changed between two tables; its lists stand in shared memory. */
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
  const pairs = key === null ? pairAsWholes(input, isTurned) : pairKeyed(input, key);
  const counted = countCells(openComparison(base, head, columns), pairs);
  const changes = listChanges({ ...pairs, baseCount: base.rowCount, isTurned, differs: counted.differs });
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
      const [one, other = one] = index.rows.map((row) => numberRow(side.format, row));
      return refuseFields({ key: [`Rows ${one} and ${other} of the ${name} have the same key. ${ADVICE}`] });
    }
    indexes.push(index);
  }
  const [ofBase, ofHead] = indexes;
  if (ofBase === undefined || ofHead === undefined) throw new Error("a table was not indexed");
  return { key, base: ofBase, head: ofHead };
}

function pairKeyed({ base, head }: DiffInput, found: FoundKey): PairedRows {
  return pairByKey(found.key, { side: base, index: found.base }, { side: head, index: found.head });
}

function pairAsWholes({ base, head, columns, seed }: DiffInput, isTurned: boolean): PairedRows {
  const baseOf = pairWholeRows(base, head, columns, { seed, isTurned });
  return { baseOf, areSame: new Uint8Array(baseOf.length).fill(1) };
}

/** Compares the rows of each pair, and counts the cells that differ. */
function countCells(comparison: RowComparison, { baseOf, areSame }: PairedRows) {
  const differs = new Uint8Array(baseOf.length);
  const byColumn = new Uint32Array(new SharedArrayBuffer(4 * comparison.changed.length));
  let cells = 0;
  for (let row = 0; row < baseOf.length; row++) {
    const baseRow = baseOf[row] as number;
    if (baseRow === -1 || areSame[row] === 1 || !comparison.compare(baseRow, row)) continue;
    differs[row] = 1;
    const { changed, changedCount } = comparison;
    cells += changedCount;
    for (let at = 0; at < changedCount; at++) {
      const column = changed[at] as number;
      byColumn[column] = (byColumn[column] as number) + 1;
    }
  }
  return { differs, byColumn, cells };
}

/** Which row of the base each row of the head goes on; -1 for one that is new. */
interface PairedRows {
  baseOf: Int32Array;
  /** 1 where both rows are known to be the same. */
  areSame: Uint8Array;
}

/** Pairs the rows of two tables by their keys, which are indexed with one seed. */
function pairByKey(
  key: readonly string[],
  base: { side: TableSide; index: RowIndex },
  head: { side: TableSide; index: RowIndex },
): PairedRows {
  const baseOf = new Int32Array(head.side.rowCount).fill(-1);
  const areSame = new Uint8Array(head.side.rowCount);
  const { hashes, slots } = base.index;
  const mask = slots.length - 1;
  const [baseKey, headKey] = [readSide(base.side, key), readSide(head.side, key)];
  const haveSameBytes = createByteTest(base.side, head.side);
  for (let row = 0; row < baseOf.length; row++) {
    const hash = head.index.hashes[row] as number;
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const known = (slots[slot] as number) - 1;
      if (hashes[known] !== hash) continue;
      if (haveSameBytes(known, row)) areSame[row] = 1;
      else {
        baseKey.locate(known);
        headKey.locate(row);
        if (!areSameCells(baseKey, headKey, key.length)) continue;
      }
      baseOf[row] = known;
      break;
    }
  }
  return { baseOf, areSame };
}
