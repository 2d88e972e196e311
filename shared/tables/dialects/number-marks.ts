import { isNumberText } from "../inspection/column-types.ts";
import type { Dialect } from "./dialect.ts";

/** How a file marks its numbers, and reads a text that is one. */
export interface NumberMarks {
  decimal: "," | ".";
  group: string | null;
  pattern: RegExp;
}

/** The marks that a dialect names; null where it names none. */
export function findMarks({ decimalChar, groupChar }: Dialect): NumberMarks | null {
  if (decimalChar === undefined && groupChar === undefined) return null;
  return createMarks(decimalChar ?? (groupChar === "." ? "," : "."), groupChar ?? null);
}

/** Marks for a decimal and a group. */
export function createMarks(decimal: "," | ".", group: string | null): NumberMarks {
  const grouped = group === null ? "" : `|\\d{1,3}(?:[${group}]\\d{3})+`;
  return { decimal, group, pattern: new RegExp(`^-?(?:\\d+${grouped})(?:[${decimal}]\\d+)?$`) };
}

/** A number as every file has it: without groups, with a decimal point. Null for a text that is none by the marks. */
export function convertNumber({ decimal, group, pattern }: NumberMarks, text: string): string | null {
  if (!pattern.test(text)) return null;
  const plain = group === null ? text : text.replaceAll(group, "");
  return decimal === "." ? plain : plain.replace(decimal, ".");
}

/** What a column is made of, as bits; 0 where it has no filled cell. */
const HAS = { number: 1, plain: 2, other: 4 } as const;

/** Looks at the filled cells of columns for whether marks make numbers of them. */
export interface ColumnKinds {
  /** By column: whether a cell is a number by the marks alone, without them too, or none by them. */
  bits: number[];
}

/** Notes a filled cell of a column. */
export function noteCell(kinds: number[], column: number, text: string, marks: NumberMarks): void {
  const bit = !marks.pattern.test(text) ? HAS.other : isNumberText(text) ? HAS.plain : HAS.number;
  kinds[column] = (kinds[column] ?? 0) | bit;
}

/** The places of columns that are made of numbers by the marks, and not without. */
export function findMarkedColumns(kinds: readonly number[]): number[] {
  return kinds.flatMap((bits, column) =>
    (bits & HAS.number) !== 0 && (bits & HAS.other) === 0 ? [column] : [],
  );
}
