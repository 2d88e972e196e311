import type { RowTest } from "./row-test.ts";
import type { RowsWindow } from "./windows.ts";

/** Rows of a window in the order of a query: where each begins, and its number in the table. */
export interface MatchingRows {
  starts: Uint32Array;
  numbers: Uint32Array;
}

/** Finds the rows of a window that meet the conditions; it begins at `start` in the bytes, which end in a line feed. */
export function findMatchingRows(
  window: RowsWindow,
  test: RowTest,
  { bytes, start }: { bytes: Buffer; start: number },
  from: "start" | "end",
): MatchingRows {
  const starts = new Uint32Array(window.rowCount);
  const numbers = new Uint32Array(window.rowCount);
  let [at, count] = [start, 0];
  for (let row = -window.skip; row < window.rowCount; row++) {
    const next = test.look(bytes, at);
    if (test.passes && row >= 0) {
      starts[count] = at;
      numbers[count++] = window.firstRow + row;
    }
    at = next;
  }
  const found = { starts: starts.subarray(0, count), numbers: numbers.subarray(0, count) };
  return from === "start" ? found : { starts: found.starts.reverse(), numbers: found.numbers.reverse() };
}
