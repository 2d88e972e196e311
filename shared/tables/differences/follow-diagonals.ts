import type { AddPair } from "./follow-pairs.ts";

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
