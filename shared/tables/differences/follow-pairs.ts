import { findPlaceOf } from "./longest-run.ts";

/** Takes a pair of a common subsequence. */
export type AddPair = (first: number, second: number) => void;
/** The places of each number of a list, the last first. */
export type Places = Map<number, number[]>;

/** Every pair of equal numbers that ends a longest common subsequence so far. */
interface Pairs {
  ones: Int32Array;
  others: Int32Array;
  /** The pair before it; -1 for the first of a subsequence. */
  before: Int32Array;
  size: number;
  /** The pair that ends a common subsequence of each length, with the smallest place in the second list. */
  lasts: Int32Array;
  longest: number;
}

/** Finds a longest common subsequence through all pairs of equal numbers, of which there are so many (Hunt, Szymanski 1977). */
export function followPairs(
  first: Int32Array,
  second: Int32Array,
  add: AddPair,
  { places, count }: { places: Places; count: number },
): void {
  const pairs: Pairs = {
    ones: new Int32Array(count),
    others: new Int32Array(count),
    before: new Int32Array(count),
    size: 0,
    lasts: new Int32Array(Math.min(first.length, second.length)),
    longest: 0,
  };
  for (let one = 0; one < first.length; one++)
    for (const other of places.get(first[one] as number) ?? []) addLast(pairs, one, other);
  const run: number[] = [];
  let pair = pairs.longest === 0 ? -1 : (pairs.lasts[pairs.longest - 1] as number);
  for (; pair !== -1; pair = pairs.before[pair] as number) run.push(pair);
  for (const found of run.reverse()) add(pairs.ones[found] as number, pairs.others[found] as number);
}

function addLast(pairs: Pairs, one: number, other: number): void {
  const { ones, others, before, lasts, longest } = pairs;
  const length = findPlaceOf(other, longest, (at) => others[lasts[at] as number] as number);
  if (length < longest && others[lasts[length] as number] === other) return;
  const pair = pairs.size++;
  ones[pair] = one;
  others[pair] = other;
  before[pair] = length === 0 ? -1 : (lasts[length - 1] as number);
  lasts[length] = pair;
  if (length === longest) pairs.longest++;
}
