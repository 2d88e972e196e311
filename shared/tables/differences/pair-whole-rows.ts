import { areSameCells, hashCells } from "./compare-cells.ts";
import { createByteTest, hasValue, type SideColumns } from "./compare-rows.ts";
import { followDiagonals } from "./follow-diagonals.ts";
import { followPairs, type Places } from "./follow-pairs.ts";
import { startIndex } from "./row-index.ts";
import { readSide, type SideReader, type TableSide } from "./table-side.ts";

/**
 * A longest common subsequence of two lists of numbers, as pairs of places: those of the first list in `first`, those
 * of the second in `second`, both rising.
 */
interface CommonRun {
  first: number[];
  second: number[];
}

/** Up to so many pairs of equal numbers are gone through one by one; it takes 12 bytes for each. */
const MOST_PAIRS = 4_000_000;

/** Finds a longest common subsequence; lists of numbers that repeat often take as many steps as they differ, squared. */
export function findCommonRun(first: Int32Array, second: Int32Array): CommonRun {
  const run: CommonRun = { first: [], second: [] };
  const most = Math.min(first.length, second.length);
  let head = 0;
  while (head < most && first[head] === second[head]) addPair(run, head, head++);
  let tail = 0;
  while (tail < most - head && first[first.length - 1 - tail] === second[second.length - 1 - tail]) tail++;
  const middle = [
    first.subarray(head, first.length - tail),
    second.subarray(head, second.length - tail),
  ] as const;
  const places = listPlaces(middle[1]);
  const count = countPairs(middle[0], places);
  const add = (one: number, other: number): void => addPair(run, head + one, head + other);
  if (count <= MOST_PAIRS) followPairs(...middle, add, { places, count });
  else followDiagonals(...middle, add);
  for (; tail > 0; tail--) addPair(run, first.length - tail, second.length - tail);
  return run;
}

function addPair(run: CommonRun, first: number, second: number): void {
  run.first.push(first);
  run.second.push(second);
}

function listPlaces(list: Int32Array): Places {
  const places: Places = new Map();
  for (let place = list.length - 1; place >= 0; place--) {
    const known = places.get(list[place] as number);
    if (known === undefined) places.set(list[place] as number, [place]);
    else known.push(place);
  }
  return places;
}

function countPairs(list: Int32Array, places: Places): number {
  let count = 0;
  for (const value of list) count += places.get(value)?.length ?? 0;
  return count;
}

/**
 * Pairs rows that are the same as wholes, in order: a longest common subsequence. A row with a value in a column that
 * its table has alone has no pair. Gives the row of the base for each row of the head, or -1.
 */
export function pairWholeRows(
  base: TableSide,
  head: TableSide,
  columns: SideColumns,
  { seed, isTurned }: { seed: number; isTurned: boolean },
): Int32Array {
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
  const { hashes, slots } = startIndex(base.rowCount);
  const mask = slots.length - 1;
  const ofBase = new Int32Array(base.rowCount).fill(-1);
  const ofHead = new Int32Array(head.rowCount).fill(-1);
  const known = readSide(base, [...same, ...removed]);
  /** The first row of the base that is the same, or the slot where it would stand. */
  const find = (hash: number, row: SideReader, isSame: (known: number) => boolean): number => {
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const earlier = (slots[slot] as number) - 1;
      if (hashes[earlier] !== hash) continue;
      if (isSame(earlier)) return earlier;
      known.locate(earlier);
      if (areSameCells(known, row, same.length)) return earlier;
    }
    return -1 - slot;
  };
  const code = (side: TableSide, own: string[], codes: Int32Array, isOfBase: boolean): void => {
    const row = readSide(side, [...same, ...own]);
    const haveSameBytes = createByteTest(base, side);
    for (let number = 0; number < side.rowCount; number++) {
      row.locate(number);
      if (hasValue(row, same.length)) continue;
      const hash = hashCells(side.bytes, row.places, same.length, seed);
      const found = find(hash, row, (earlier) => haveSameBytes(earlier, number));
      if (found >= 0) codes[number] = found;
      else if (isOfBase) {
        codes[number] = number;
        hashes[number] = hash;
        slots[-1 - found] = number + 1;
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
