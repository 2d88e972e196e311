import { isNumberText } from "../inspection/column-types.ts";
import { type ByteSearch, openByteSearch } from "./byte-search.ts";
import { foldCase, ORDER_TESTS } from "./conditions.ts";
import { compareShortNeighbour, readShortNumber } from "./decimal.ts";
import type { Condition } from "./selection.ts";

/**
 * What a condition says of the bytes of a filled cell; null where only its text can tell. A text for each cell would take
 * five times as long.
 */
export type ByteTest = ByteSearch;

/** The test of bytes that a condition stands for. */
export function createByteTest({ op, value }: Pick<Condition, "op" | "value">): ByteTest {
  if (op === "in") return () => null;
  if (value === null || value === "") return () => op === "ne";
  if (op === "contains") return openByteSearch(foldCase(value));
  const decide = ORDER_TESTS[op];
  if (isNumberText(value)) return testNumbers(value, decide);
  return value.isWellFormed() ? testTexts(value, decide) : () => null;
}

function testNumbers(value: string, decide: (order: number) => boolean): ByteTest {
  const wanted = Number(value);
  // A wanted number of more digits than a double holds differs from the cells that share its double.
  const tie = compareShortNeighbour(value);
  return (bytes, start, end) => {
    const cell = readShortNumber(bytes, start, end);
    if (Number.isNaN(cell)) return null;
    return decide(cell === wanted ? tie : cell - wanted);
  };
}

/** Compares UTF-8 bytes, whose order is the order of code points. */
function testTexts(value: string, decide: (order: number) => boolean): ByteTest {
  const wanted = new TextEncoder().encode(value);
  return (bytes, start, end) => decide(compareBytes(bytes, start, end, wanted));
}

function compareBytes(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): number {
  const length = Math.min(end - start, wanted.length);
  for (let index = 0; index < length; index++) {
    const difference = (bytes[start + index] as number) - (wanted[index] as number);
    if (difference !== 0) return difference;
  }
  return end - start - wanted.length;
}
