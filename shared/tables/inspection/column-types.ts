import { holdsCodes } from "./cell-marks.ts";
import { isDateText } from "./dates.ts";
import type { Column, ColumnType } from "./verdict.ts";

/**
 * The rules by which a column gets its type.
 *
 * A cell is blank (an empty CSV cell; a JSON null, missing key or empty text) or has one kind:
 * - number   CSV: -?digits, a fraction, an exponent, nothing else. So a year alone and "1e5" are numbers;
 *            "1,000", "+5", ".5", "5 %", "NaN" are text. Where a cell of the column has a digit behind a leading
 *            zero ("007", "-007", "01.5"), or all are two or more digits, E and digits ("12E12"), they are codes:
 *            text. JSON: a number. A JSON text that looks like a number stays text.
 * - date     an ISO 8601 calendar day, alone ("2026-01-31", "2026-01") or with a time of day after "T" or one
 *            space, with or without a zone; the day must exist. In CSV cells and JSON texts alike.
 * - boolean  CSV: true or false, in small, capital or leading capital letters. JSON: true or false.
 * - object, array   JSON only.
 * - text     everything else; white space around a value counts as a part of it.
 *
 * A column without a filled cell is `blank`; with one kind it has that kind; with several it is `mixed`.
 */

/** One bit a kind of value: a column's kinds are their union. */
export const KIND_BITS = { number: 1, text: 2, date: 4, boolean: 8, object: 16, array: 32 } as const;

/** Beside the kinds of a JSON column: one of its numbers is whole and over 2^53. */
export const LONG_NUMBER = 64;

const CSV_KINDS = KIND_BITS.number | KIND_BITS.text | KIND_BITS.date | KIND_BITS.boolean;

const TYPE_OF_BITS = new Map<number, ColumnType>([
  [0, "blank"],
  ...Object.entries(KIND_BITS).map(([kind, bit]): [number, ColumnType] => [bit, kind as ColumnType]),
]);

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const BOOLEANS = new Set(["true", "false", "TRUE", "FALSE", "True", "False"]);

/** The tally of one column while its file is read. */
export interface ColumnTally {
  name: string;
  kinds: number;
  filled: number;
}

/** The kinds of a CSV column by its bits: numbers that are codes are texts. */
export function kindsOfCsv(bits: number): number {
  const kinds = bits & CSV_KINDS;
  return holdsCodes(bits) ? (kinds & ~KIND_BITS.number) | KIND_BITS.text : kinds;
}

/** The type of a column by the kinds of its cells. */
export function typeOfKinds(kinds: number): ColumnType {
  return TYPE_OF_BITS.get(kinds) ?? "mixed";
}

/** The complete column of a table with `rowCount` rows. */
export function finishColumn(tally: ColumnTally, rowCount: number): Column {
  return { name: tally.name, type: typeOfKinds(tally.kinds), blanks: rowCount - tally.filled };
}

/** Whether a text is a number by the rule that columns and the rows reader share. */
export function isNumberText(text: string): boolean {
  // Most texts fail on their first character; that check costs a tenth of the expression's.
  const first = text.charCodeAt(0);
  return (first === 45 || (first >= 48 && first <= 57)) && NUMBER.test(text);
}

/** The kind of a filled CSV cell. */
export function classifyCsvText(text: string): "number" | "date" | "boolean" | "text" {
  if (isNumberText(text)) return "number";
  if (isDateText(text)) return "date";
  return BOOLEANS.has(text) ? "boolean" : "text";
}

/** The first cell of a kind in a column, by its row (the header is row 1). */
export interface FirstCell {
  kind: number;
  row: number;
  text: string;
}
