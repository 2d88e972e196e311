import type { Column, ColumnType } from "./verdict.ts";

/**
 * The rules by which a column gets its type.
 *
 * A cell is blank (an empty CSV cell; a JSON null, missing key or empty text) or has one kind:
 * - number   CSV: -?digits, a fraction, an exponent, nothing else. So leading zeros ("007"), a year alone and
 *            "1e5" are numbers, as the rows reader compares them; "1,000", "+5", ".5", "5 %", "NaN" are text.
 *            JSON: a number. A JSON text that looks like a number stays text.
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

const TYPE_OF_BITS = new Map<number, ColumnType>([
  [0, "blank"],
  ...Object.entries(KIND_BITS).map(([kind, bit]): [number, ColumnType] => [bit, kind as ColumnType]),
]);

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const BOOLEANS = new Set(["true", "false", "TRUE", "FALSE", "True", "False"]);
const DATE =
  /^(\d{4})-(0[1-9]|1[0-2])(?:-([0-2]\d|3[01])(?:[T ]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?)?$/;
const LONGEST_DATE = 40;

/** The tally of one column while its file is read. */
export interface ColumnTally {
  name: string;
  kinds: number;
  filled: number;
}

/** The tally of a column before its first cell. */
export function startTally(name: string): ColumnTally {
  return { name, kinds: 0, filled: 0 };
}

/** Counts a CSV cell (text as written, empty when blank). */
export function tallyCsvCell(tally: ColumnTally, cell: string): void {
  if (cell === "") return;
  tally.filled++;
  tally.kinds |= KIND_BITS[classifyCsvText(cell)];
}

/** Counts a JSON cell, given as the JSON text of its value. */
export function tallyJsonCell(tally: ColumnTally, json: string): void {
  if (isBlankJson(json)) return;
  tally.filled++;
  tally.kinds |= KIND_BITS[classifyJsonText(json)];
}

/** The complete column of a table with `rowCount` rows. */
export function finishColumn(tally: ColumnTally, rowCount: number): Column {
  return {
    name: tally.name,
    type: TYPE_OF_BITS.get(tally.kinds) ?? "mixed",
    blanks: rowCount - tally.filled,
  };
}

/** Whether a JSON value, given as JSON text, is blank: null or empty text. */
export function isBlankJson(json: string): boolean {
  return json === "null" || json === '""';
}

/** Whether a text is a number by the rule that columns and the rows reader share. */
export function isNumberText(text: string): boolean {
  // Most texts fail on their first character; that check costs a tenth of the expression's.
  const first = text.charCodeAt(0);
  return (first === 45 || (first >= 48 && first <= 57)) && NUMBER.test(text);
}

/** The kind of a filled CSV cell. */
export function classifyCsvText(text: string): "number" | "date" | "boolean" | "text" {
  const first = text.charCodeAt(0);
  if (first === 45 || (first >= 48 && first <= 57)) {
    if (NUMBER.test(text)) return "number";
    return isDateText(text) ? "date" : "text";
  }
  return text.length <= 5 && BOOLEANS.has(text) ? "boolean" : "text";
}

function classifyJsonText(json: string): keyof typeof KIND_BITS {
  switch (json[0]) {
    case '"':
      return isDateText(json.slice(1, -1)) ? "date" : "text";
    case "{":
      return "object";
    case "[":
      return "array";
    case "t":
    case "f":
      return "boolean";
    default:
      return "number";
  }
}

/** Whether a text is a date by the rule above. */
export function isDateText(text: string): boolean {
  if (text.length > LONGEST_DATE) return false;
  const match = DATE.exec(text);
  if (match === null) return false;
  if (match[3] === undefined) return true;
  const day = Number(match[3]);
  return day >= 1 && day <= countDaysOfMonth(Number(match[1]), Number(match[2]));
}

/** Days of a month of the Gregorian calendar. */
export function countDaysOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
