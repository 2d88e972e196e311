import { type CodedColumn, KIND } from "../questions/coded-table.ts";
import { quoteName } from "../rows/plan.ts";
import { numberRow } from "./sentences.ts";

/** The sentence about the first row whose key is not filled, or repeats that of an earlier row; null where none does. */
export function findKeyFault(
  columns: readonly CodedColumn[],
  { seed, isCsv }: { seed: number; isCsv: boolean },
): string | null {
  const [first, ...others] = columns;
  if (first === undefined) return null;
  const rowCount = first.codes.length;
  const blank = findBlankCell(columns, rowCount);
  let ids = first.codes;
  let most = first.kinds.length;
  for (const { codes, kinds } of others) {
    const paired = pairCodes([ids, most], [codes, kinds.length], seed);
    ids = paired.ids;
    most = paired.count;
  }
  const found = findFirstRepeat(blank?.row ?? rowCount, most, (row) => ids[row] as number);
  const rowOf = (row: number): number => numberRow(row, isCsv);
  if (found !== null) return `Row ${rowOf(found.row)} repeats the key of row ${rowOf(found.first)}.`;
  return blank && `Row ${rowOf(blank.row)} has no value in ${quoteName(blank.name)}.`;
}

function findBlankCell(
  columns: readonly CodedColumn[],
  rowCount: number,
): { row: number; name: string } | null {
  let row = rowCount;
  let name = "";
  for (const { codes, kinds, name: own } of columns) {
    for (let at = 0; at < row; at++) {
      if (kinds[codes[at] as number] !== KIND.blank) continue;
      row = at;
      name = own;
    }
  }
  return row === rowCount ? null : { row, name };
}

/** The first row whose number an earlier row has, and that row; rows of a number below 0 do not count. */
export function findFirstRepeat(
  rowCount: number,
  most: number,
  numberOf: (row: number) => number,
): { row: number; first: number } | null {
  const seen = new Uint8Array(most);
  for (let row = 0; row < rowCount; row++) {
    const number = numberOf(row);
    if (number < 0) continue;
    if (seen[number] === 0) seen[number] = 1;
    else return { row, first: findFirst(numberOf, number) };
  }
  return null;
}

function findFirst(numberOf: (row: number) => number, wanted: number): number {
  let row = 0;
  while (numberOf(row) !== wanted) row++;
  return row;
}

/** Below so many pairs a plain table of them is smaller and faster than one by hashes. */
const MOST_PAIRS = 4_194_304;

/** Numbers for the different pairs of two lists, from 0. */
function pairCodes(
  [one, ones]: [Uint32Array, number],
  [other, others]: [Uint32Array, number],
  seed: number,
): { ids: Uint32Array; count: number } {
  const ids = new Uint32Array(one.length);
  const find = ones * others <= MOST_PAIRS ? numberPlainly(ones * others) : numberByHash(one.length, seed);
  let count = 0;
  for (let row = 0; row < ids.length; row++) {
    const id = find((one[row] as number) * others + (other[row] as number), count);
    if (id === count) count++;
    ids[row] = id;
  }
  return { ids, count };
}

type NumberPair = (pair: number, next: number) => number;

function numberPlainly(most: number): NumberPair {
  const known = new Uint32Array(most);
  return (pair, next) => {
    const id = known[pair] as number;
    if (id > 0) return id - 1;
    known[pair] = next + 1;
    return next;
  };
}

function numberByHash(most: number, seed: number): NumberPair {
  const size = 2 ** Math.ceil(Math.log2(2 * most + 2));
  const pairs = new Float64Array(size);
  const ids = new Uint32Array(size);
  return (pair, next) => {
    let slot = hashPair(pair, seed) & (size - 1);
    while (ids[slot] !== 0) {
      if (pairs[slot] === pair) return (ids[slot] as number) - 1;
      slot = (slot + 1) & (size - 1);
    }
    pairs[slot] = pair;
    ids[slot] = next + 1;
    return next;
  };
}

/** Mixes all of the 53 bits of a pair with a seed, so that no author can make a file of one slot. */
function hashPair(pair: number, seed: number): number {
  const low = pair >>> 0;
  const high = Math.floor(pair / 2 ** 32) >>> 0;
  let hash = Math.imul(low ^ seed ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
