import { readExact, roundExact, writeExact, writeFixed } from "./exact.ts";

/** How a figure of a text writes the value of its question. */
export interface FigureForm {
  decimals?: number | null | undefined;
  unit?: string | null | undefined;
}

/** The longest value that a figure may have, in characters. */
export const MOST_VALUE_CHARACTERS = 100;

/**
 * The value of a cell that is a number, with every digit: as it is written, or in its shortest form; null for one that is
 * too long.
 */
export function writeValue(cell: string, asWritten: boolean): string | null {
  const exact = readExact(cell);
  const value = asWritten || exact === null ? cell : writeExact(exact);
  return exact === null || value === null || value.length > MOST_VALUE_CHARACTERS ? null : value;
}

/** What a text must say of a value: rounded half to even to `decimals` if given, with the unit behind it. */
export function writeFigure(value: string, { decimals, unit }: FigureForm): string {
  const exact = decimals == null ? null : readExact(value);
  const number = exact === null || decimals == null ? value : writeFixed(roundExact(exact, decimals));
  return unit == null ? number : `${number} ${unit}`;
}

const THIN_BLANKS = /[\u2009\u202f]/g;
/** A comma between thousands; one before other than three digits could be a decimal comma. */
const THOUSANDS_MARK = /(?<=\d),(?=\d{3}(?!\d))/g;

/** Whether a text says this figure; marks between thousands are left out of both. */
export function saysFigure(text: string, figure: string): boolean {
  return withoutMarks(text) === withoutMarks(figure);
}

function withoutMarks(text: string): string {
  return text.replace(THIN_BLANKS, "").replace(THOUSANDS_MARK, "");
}
