import { diffArrays } from "diff";

/**
 * Marks a longest increasing run among numbers, which need not stand side by side: the fewest others have to move. Of equal
 * numbers that would end it alike it takes the first.
 */
export function markLongestRun(values: Int32Array): Uint8Array {
  const marks = new Uint8Array(values.length);
  // The place of the smallest last value of a run of each length, and the place before each.
  const lasts = new Int32Array(values.length);
  const before = new Int32Array(values.length);
  let longest = 0;
  for (let place = 0; place < values.length; place++) {
    const value = values[place] as number;
    const from = findPlaceOf(value, longest, (at) => values[lasts[at] as number] as number);
    if (from < longest && values[lasts[from] as number] === value) continue;
    before[place] = from === 0 ? -1 : (lasts[from - 1] as number);
    lasts[from] = place;
    if (from === longest) longest++;
  }
  let place = longest === 0 ? -1 : (lasts[longest - 1] as number);
  for (; place !== -1; place = before[place] as number) marks[place] = 1;
  return marks;
}

/** The first of so many rising values that is not below the wanted one; their count where all are. */
function findPlaceOf(wanted: number, count: number, valueAt: (place: number) => number): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (valueAt(middle) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * A longest common subsequence of two lists of numbers, as pairs of places: those of the first list in `first`, those
 * of the second in `second`, both rising.
 */
interface CommonRun {
  first: number[];
  second: number[];
}

/** Up to so many pairs of equal numbers are gone through one by one; it takes 17 bytes for each. */
const MOST_PAIRS = 4_000_000;

/** Finds a longest common subsequence; lists of numbers that repeat often take as many steps as they differ, squared. */
export function findCommonRun(first: Int32Array, second: Int32Array): CommonRun {
  const run: CommonRun = { first: [], second: [] };
  const most = Math.min(first.length, second.length);
  let head = 0;
  while (head < most && first[head] === second[head]) addPair(run, head, head++);
  let tail = 0;
  while (tail < most - head && first[first.length - 1 - tail] === second[second.length - 1 - tail]) tail++;
  const ones = first.subarray(head, first.length - tail);
  const others = second.subarray(head, second.length - tail);
  const places = listPlaces(others);
  const count = countPairs(ones, places);
  const add = (one: number, other: number): void => addPair(run, head + one, head + other);
  if (count <= MOST_PAIRS) followPairs(ones, places, count, add);
  else followEdits(ones, others, add);
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

/** Takes a pair of a common subsequence. */
type AddPair = (first: number, second: number) => void;
/** The places of each number of a list, the last first. */
type Places = Map<number, number[]>;

/**
 * Finds a longest common subsequence through all pairs of equal numbers, of which there are so many (Hunt, Szymanski 1977):
 * of one place in the first list, the last place in the second comes first, so no run takes two of its pairs.
 */
function followPairs(first: Int32Array, places: Places, count: number, add: AddPair): void {
  const [ones, others] = [new Int32Array(count), new Int32Array(count)];
  let size = 0;
  for (const [one, value] of first.entries())
    for (const other of places.get(value) ?? []) {
      ones[size] = one;
      others[size++] = other;
    }
  const marks = markLongestRun(others);
  for (let pair = 0; pair < count; pair++)
    if (marks[pair] === 1) add(ones[pair] as number, others[pair] as number);
}

/** Finds a longest common subsequence in as many steps as the lists differ, squared, and in memory for these alone. */
function followEdits(first: Int32Array, second: Int32Array, add: AddPair): void {
  let [one, other] = [0, 0];
  for (const { added, removed, count } of diffArrays(Array.from(first), Array.from(second))) {
    for (let left = added || removed ? 0 : count; left > 0; left--) add(one++, other++);
    if (removed) one += count;
    if (added) other += count;
  }
}
