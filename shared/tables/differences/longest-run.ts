/**
 * Marks a longest increasing run among different numbers, which need not stand side by side: the fewest others have to
 * move.
 */
export function markLongestRun(values: Int32Array): Uint8Array {
  const marks = new Uint8Array(values.length);
  if (isIncreasing(values)) return marks.fill(1);
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

function isIncreasing(values: Int32Array): boolean {
  for (let place = 1; place < values.length; place++)
    if ((values[place] as number) < (values[place - 1] as number)) return false;
  return true;
}

/** The first of so many rising values that is not below the wanted one; their count where all are. */
export function findPlaceOf(wanted: number, count: number, valueAt: (place: number) => number): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (valueAt(middle) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
