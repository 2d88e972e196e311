import { isNumberText } from "../inspection/column-types.ts";
import { createDecimalComparison } from "./decimal.ts";

/** Which rows of a table a query asks for: conditions on columns, and words that a row holds. */

export const FILTER_OPS = ["eq", "ne", "gt", "gte", "lt", "lte", "contains"] as const;
export type FilterOp = (typeof FILTER_OPS)[number];
export const QUERY_OPS = [...FILTER_OPS, "in"] as const;
export type QueryOp = (typeof QUERY_OPS)[number];
export const MATCHES = ["all", "any"] as const;

/** A condition on a column of the table or, in `having`, of the grouped result. */
export interface Condition {
  /** The number by which refusals name it. */
  index: number;
  column: string;
  op: QueryOp;
  /** Null or empty: blank cells; null with `in` too. */
  value: string | null;
  /** Of `in`; an empty text stands for blank cells. */
  values: readonly string[];
}

/** Texts of cells of one column that count as blank. */
export interface ColumnBlanks {
  /** The number by which refusals name it. */
  index: number;
  column: string;
  values: readonly string[];
}

/** What counts as blank beside cells without a text. */
export interface Blanks {
  /** Texts of any column. */
  blank: string[];
  blankOf: readonly ColumnBlanks[];
}

export interface Selection extends Blanks {
  filters: Condition[];
  match: (typeof MATCHES)[number];
  /** Words that a cell of the row holds. */
  q: string | null;
}

/** The texts that count as blank cells of a column. */
export function listBlanks({ blank, blankOf }: Blanks, column: string): readonly string[] {
  const own = blankOf.find((one) => one.column === column);
  return own === undefined ? blank : [...blank, ...own.values];
}

/** Whether a selection asks anything of a row. */
export function hasConditions({ filters, q }: Selection): boolean {
  return filters.length > 0 || q !== null;
}

/**
 * Whether a cell meets a condition (contract 5 L), the one rule for every format.
 *
 * A cell is a text, or null when blank. Two numbers compare as numbers, exactly, unless their column is one of texts;
 * anything else as text, by code point. A condition without a value asks for blank cells (`eq`) or filled ones (`ne`). A blank cell fails `gt`,
 * `gte`, `lt`, `lte` and `contains`, and passes `ne` with a value.
 */
export type CellTest = (cell: string | null) => boolean;

/** The test that a condition stands for; an empty value counts as none. */
export function createCellTest(
  { op, value, values }: Pick<Condition, "op" | "value" | "values">,
  isText = false,
): CellTest {
  if (op === "in") return createListTest(values, isText);
  if (value === null || value === "") return op === "ne" ? (cell) => cell !== null : (cell) => cell === null;
  if (op === "contains") {
    const wanted = foldCase(value);
    return (cell) => cell !== null && foldCase(cell).includes(wanted);
  }
  const compare = isText ? (cell: string) => compareCodePoints(cell, value) : createComparison(value);
  const decide = ORDER_TESTS[op];
  return (cell) => (cell === null ? op === "ne" : decide(compare(cell)));
}

/** What each comparison says of an order: negative, 0 or positive as a sort expects. */
export const ORDER_TESTS: Readonly<Record<Exclude<FilterOp, "contains">, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

/** Whether a cell equals one of many values; numbers of one double are compared digit by digit. */
function createListTest(values: readonly string[], isText: boolean): CellTest {
  const texts = new Set(values);
  const numbers = new Map<number, ((text: string) => number)[]>();
  for (const value of isText ? [] : values.filter(isNumberText)) {
    const double = Number(value) + 0;
    numbers.set(double, [...(numbers.get(double) ?? []), createDecimalComparison(value)]);
  }
  return (cell) => {
    if (cell === null) return texts.has("");
    if (texts.has(cell)) return true;
    if (numbers.size === 0 || !isNumberText(cell)) return false;
    return numbers.get(Number(cell) + 0)?.some((compare) => compare(cell) === 0) ?? false;
  };
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
