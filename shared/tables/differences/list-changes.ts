import { markLongestRun } from "./common-run.ts";

/** What became of a row; of one that differs in a column that one table has alone, only its columns did. */
export const CHANGE = { added: 0, removed: 1, changed: 2, moved: 3, columns: 4 } as const;
/** The kinds of changes by their numbers. */
export const CHANGE_NAMES = ["added", "removed", "changed", "moved", "columns"] as const;

/** The changes of a table in their order: by row of the head, a removed row where it stood. */
export interface FoundChanges {
  /** How many of each kind, by its number. */
  counts: [added: number, removed: number, changed: number, moved: number, columns: number];
  /** How many rows neither changed nor moved, those among them that differ in columns of one table alone. */
  same: number;
  kinds: Uint8Array;
  /** The row of the base; 0 for an added one. */
  bases: Uint32Array;
  /** The row of the head; for a removed one the row of the head before which it stood. */
  heads: Uint32Array;
}

interface Pairs {
  /** The row of the base for each of the head, or -1. */
  baseOf: Int32Array;
  /** For rows of the head that differ from their row of the base 1, or 2 where only columns of one table do. */
  differs: Uint8Array;
  baseCount: number;
  /** Whether to choose among equally short answers as from the head to the base. */
  isTurned: boolean;
}

/**
 * Lists the changes. The rows that stay the same keep their order, so the fewest others are moved; what changed is
 * never listed as moved as well.
 */
export function listChanges(pairs: Pairs): FoundChanges {
  const { baseOf, differs, baseCount } = pairs;
  const stays = markStaying(pairs);
  const isKept = markKept(pairs, stays);
  const removed = listRemoved(baseOf, isKept, baseCount);
  const total = removed.rows.length + countHead(baseOf, differs, stays);
  const found: FoundChanges = {
    counts: [0, 0, 0, 0, 0],
    same: 0,
    kinds: new Uint8Array(total),
    bases: new Uint32Array(total),
    heads: new Uint32Array(total),
  };
  let [size, next] = [0, 0];
  const add = (kind: number, base: number, head: number): void => {
    found.kinds[size] = kind;
    found.bases[size] = base;
    found.heads[size++] = head;
    found.counts[kind] = (found.counts[kind] ?? 0) + 1;
  };
  for (let row = 0; row <= baseOf.length; row++) {
    for (; next < removed.rows.length && removed.places[next] === row; next++)
      add(CHANGE.removed, removed.rows[next] as number, row);
    if (row === baseOf.length) break;
    const base = baseOf[row] as number;
    if (base === -1) add(CHANGE.added, 0, row);
    else if (differs[row] === 1) add(CHANGE.changed, base, row);
    else if (differs[row] === 2) {
      add(CHANGE.columns, base, row);
      found.same++;
    } else if (stays[row] === 0) add(CHANGE.moved, base, row);
    else found.same++;
  }
  return found;
}

/** Marks the rows of the head that are the same as in the base and stay in its order. */
function markStaying({ baseOf, differs, baseCount, isTurned }: Pairs): Uint8Array {
  const rows = Int32Array.from(baseOf.keys()).filter((row) => baseOf[row] !== -1 && differs[row] === 0);
  const marks = new Uint8Array(baseOf.length);
  if (!isTurned) {
    const run = markLongestRun(rows.map((row) => baseOf[row] as number));
    for (const [place, row] of rows.entries()) marks[row] = run[place] as number;
    return marks;
  }
  const headOf = new Int32Array(baseCount).fill(-1);
  for (const row of rows) headOf[baseOf[row] as number] = row;
  const heads = headOf.filter((row) => row !== -1);
  const run = markLongestRun(heads);
  for (const [place, row] of heads.entries()) marks[row] = run[place] as number;
  return marks;
}

/** Marks the rows by which a removed one finds where it stood: those that stay, and changed ones in order with them. */
function markKept({ baseOf, differs }: Pairs, stays: Uint8Array): Uint8Array {
  const kept = Uint8Array.from(stays);
  const between: number[] = [];
  let [from, lowest] = [0, -1];
  for (let row = 0; row <= baseOf.length; row++) {
    if (row < baseOf.length && stays[row] === 0) continue;
    const end = row === baseOf.length ? Number.POSITIVE_INFINITY : (baseOf[row] as number);
    between.length = 0;
    for (let one = from; one < row; one++) {
      const base = baseOf[one] as number;
      if (differs[one] !== 0 && base > lowest && base < end) between.push(one);
    }
    // Between most rows that stay there is none.
    if (between.length > 0) {
      const run = markLongestRun(Int32Array.from(between, (one) => baseOf[one] as number));
      for (const [place, one] of between.entries()) kept[one] = run[place] as number;
    }
    from = row + 1;
    lowest = end;
  }
  return kept;
}

/** The rows of the base that are gone, each with the row of the head before which it stood; both rise. */
function listRemoved(baseOf: Int32Array, isKept: Uint8Array, baseCount: number) {
  const headOf = new Int32Array(baseCount).fill(-1);
  for (let row = 0; row < baseOf.length; row++) {
    const base = baseOf[row] as number;
    if (base !== -1) headOf[base] = row;
  }
  const rows: number[] = [];
  const places: number[] = [];
  let place = 0;
  for (let base = 0; base < baseCount; base++) {
    const head = headOf[base] as number;
    if (head === -1) {
      rows.push(base);
      places.push(place);
    } else if (isKept[head] === 1) place = head + 1;
  }
  return { rows, places };
}

function countHead(baseOf: Int32Array, differs: Uint8Array, stays: Uint8Array): number {
  let count = 0;
  for (let row = 0; row < baseOf.length; row++)
    if (baseOf[row] === -1 || differs[row] !== 0 || stays[row] === 0) count++;
  return count;
}
