import { isNumberText } from "../inspection/column-types.ts";
import { createDecimalComparison } from "./decimal.ts";
import type { Filter } from "./query.ts";

/**
 * Whether a cell meets a condition (contract 5 L), the one rule for every format.
 *
 * A cell is a text, or null when blank. Two numbers compare as numbers, exactly; anything else as text, by code
 * point. A condition without a value asks for blank cells (`eq`) or filled ones (`ne`). A blank cell fails `gt`,
 * `gte`, `lt`, `lte` and `contains`, and passes `ne` with a value.
 */
export type CellTest = (cell: string | null) => boolean;

/** The test that a filter stands for; an empty value counts as none. */
export function createCellTest(filter: Filter): CellTest {
  const { op, value } = filter;
  if (value === null || value === "") return op === "ne" ? (cell) => cell !== null : (cell) => cell === null;
  if (op === "contains") {
    const wanted = foldCase(value);
    return (cell) => cell !== null && foldCase(cell).includes(wanted);
  }
  const compare = createComparison(value);
  switch (op) {
    case "eq":
      return (cell) => cell !== null && compare(cell) === 0;
    case "ne":
      return (cell) => cell === null || compare(cell) !== 0;
    case "gt":
      return (cell) => cell !== null && compare(cell) > 0;
    case "gte":
      return (cell) => cell !== null && compare(cell) >= 0;
    case "lt":
      return (cell) => cell !== null && compare(cell) < 0;
    case "lte":
      return (cell) => cell !== null && compare(cell) <= 0;
  }
}

/** A text without its case. JavaScript writes a capital sigma in two ways, depending on the next letter. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

function createComparison(value: string): (cell: string) => number {
  if (!isNumberText(value)) return (cell) => compareCodePoints(cell, value);
  const compareNumber = createDecimalComparison(value);
  return (cell) => (isNumberText(cell) ? compareNumber(cell) : compareCodePoints(cell, value));
}

/** Compares texts by code point; JavaScript's own order puts astral characters before U+E000 to U+FFFF. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rankUnit(a) - rankUnit(b);
  }
  return left.length - right.length;
}

function rankUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
