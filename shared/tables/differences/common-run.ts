/**
 * Marks a longest increasing run among different numbers, which need not stand side by side: the fewest others have to
 * move.
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

/** Takes a pair of a common subsequence. */
type AddPair = (first: number, second: number) => void;
/** The places of each number of a list, the last first. */
type Places = Map<number, number[]>;

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
function followPairs(
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

/** A part of both lists, by the first place and the place after the last. */
type Box = [firstFrom: number, firstTo: number, secondFrom: number, secondTo: number];

/** Equal numbers side by side: where they begin in both lists, and where they end. */
type Snake = [first: number, second: number, firstEnd: number, secondEnd: number];

/** The furthest places that so many steps reach on each diagonal, from one end. */
interface Ways {
  places: Int32Array;
  /** Where diagonal 0 stands. */
  zero: number;
}

/**
 * Finds a longest common subsequence: divides the lists where the shortest ways from both ends meet (Myers 1986). It
 * takes memory for the lists alone, and as many steps as they differ, squared.
 */
export function followDiagonals(first: Int32Array, second: Int32Array, add: AddPair): void {
  const room = 2 * (first.length + second.length) + 4;
  const [forward, backward] = [new Int32Array(room), new Int32Array(room)];
  const boxes: Box[] = [[0, first.length, 0, second.length]];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let [one, oneEnd, other, otherEnd] = box;
    while (one < oneEnd && other < otherEnd && first[one] === second[other]) add(one++, other++);
    if (one === oneEnd || other === otherEnd) continue;
    const rest: Box = [one, oneEnd, other, otherEnd];
    const [x, y, u, v] = findSnake(first, second, rest, forward, backward);
    // The last box comes first: what is before the snake, the snake itself, what is behind it.
    boxes.push([u, oneEnd, v, otherEnd], [x, u, y, v], [one, x, other, y]);
  }
}

/** The equal numbers in the middle of a shortest way through a box. */
function findSnake(
  first: Int32Array,
  second: Int32Array,
  [left, right, top, bottom]: Box,
  forward: Int32Array,
  backward: Int32Array,
): Snake {
  const [width, height] = [right - left, bottom - top];
  const delta = width - height;
  const zero = width + height + 1;
  const [ahead, behind] = [
    { places: forward, zero },
    { places: backward, zero },
  ];
  forward[zero + 1] = 0;
  backward[zero + 1] = 0;
  const isSameAhead = (x: number, y: number) => first[left + x] === second[top + y];
  const isSameBehind = (x: number, y: number) => first[right - 1 - x] === second[bottom - 1 - y];
  for (let steps = 0; ; steps++) {
    // The ways meet on the way ahead where the lists differ in an odd number, otherwise on the way back.
    const [mostAhead, mostBehind] = delta % 2 === 0 ? [-1, steps] : [steps - 1, -1];
    const box = { width, height, delta, steps };
    const met = takeStep(ahead, behind, { ...box, most: mostAhead }, isSameAhead);
    if (met !== null) return [left + met[0], top + met[1], left + met[2], top + met[3]];
    const back = takeStep(behind, ahead, { ...box, most: mostBehind }, isSameBehind);
    if (back !== null) return [right - back[2], bottom - back[3], right - back[0], bottom - back[1]];
  }
}

/** Takes one step on each diagonal; gives the snake that meets a way from the other end, whose steps reach `most`. */
function takeStep(
  ways: Ways,
  others: Ways,
  box: { width: number; height: number; delta: number; steps: number; most: number },
  isSame: (x: number, y: number) => boolean,
): Snake | null {
  const { width, height, delta, steps, most } = box;
  const { places, zero } = ways;
  for (let k = -steps; k <= steps; k += 2) {
    const [below, above] = [places[zero + k - 1] as number, places[zero + k + 1] as number];
    const from = k === -steps || (k !== steps && below < above) ? above : below + 1;
    let x = from;
    while (x < width && x - k < height && isSame(x, x - k)) x++;
    places[zero + k] = x;
    const other = delta - k;
    if (Math.abs(other) <= most && x + (others.places[zero + other] as number) >= width)
      return [from, from - k, x, x - k];
  }
  return null;
}
