import { followDiagonals } from "./follow-diagonals.ts";
import { followPairs, type Places } from "./follow-pairs.ts";

/**
 * A longest common subsequence of two lists of numbers, as pairs of places: those of the first list in `first`, those
 * of the second in `second`, both rising.
 */
export interface CommonRun {
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
