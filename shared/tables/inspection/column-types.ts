import { clipText } from "../../ground/text.ts";
import { isDateText } from "./dates.ts";
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

/** The tally of one column while its file is read. */
export interface ColumnTally {
  name: string;
  kinds: number;
  filled: number;
}

/** The complete column of a table with `rowCount` rows. */
export function finishColumn(tally: ColumnTally, rowCount: number): Column {
  return {
    name: tally.name,
    type: TYPE_OF_BITS.get(tally.kinds) ?? "mixed",
    blanks: rowCount - tally.filled,
  };
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

const MOST_HINTS = 5;
const NAME_CHARACTERS = 60;
const CELL_CHARACTERS = 40;

const KIND_WORDS: Readonly<Record<number, string>> = {
  [KIND_BITS.number]: "a number",
  [KIND_BITS.text]: "a text",
  [KIND_BITS.date]: "a date",
  [KIND_BITS.boolean]: "a boolean",
};

// The usual notations for an unknown value.
const NOTHING_KNOWN = /^\s*(?:n\/?a|#n\/a|nan|null|none|nil|unknown|missing|-+|\.+|\?+|\*+|\\N)\s*$/i;

// Plain, in groups, with a decimal comma or point; with a sign, a currency or a percent mark. Blanks follow a sign or a
// mark alone: three parts that may share 2,000 blanks took 14 seconds.
const LIKE_NUMBER =
  /^\s*(?:[-+\u2012-\u2014\u2212]\s*)?(?:[$€£¥]\s*)?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\d{1,3}(?:[ ,.'\u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?|\d+,\d+|\d*\.\d+(?:[eE][+-]?\d+)?|\d+\.)(?:\s*[%€$£])?\s*$/;
const LIKE_DATE = /^\s*(?:\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}([./-])\d{1,2}\2\d{1,2})(?:[T ].*)?$/;

/**
 * Why columns have a type that may not have been meant: the cells that make one mixed, or a text that only looks like
 * a number or a date. `first` has for each column the first cell of each kind, in the order of the file.
 */
export function findColumnHints(columns: readonly Column[], first: readonly FirstCell[][]): string[] {
  const hints = columns.flatMap((column, index) => describeColumn(column, first[index] ?? []) ?? []);
  const rest = hints.length - MOST_HINTS;
  if (rest <= 0) return hints;
  return [
    ...hints.slice(0, MOST_HINTS),
    `${rest} more ${rest === 1 ? "column is" : "columns are"} like these.`,
  ];
}

function describeColumn({ name, type }: Column, first: readonly FirstCell[]): string | null {
  const what = `Column "${clipText(name, NAME_CHARACTERS)}" is ${type}`;
  const [earliest] = first;
  if (type === "mixed") return `${what}: ${describeMixture(first)}`;
  if (type !== "text" || earliest === undefined) return null;
  const { row, text } = earliest;
  const cell = `row ${row} holds "${clipText(text, CELL_CHARACTERS)}"`;
  if (LIKE_NUMBER.test(text)) return `${what}: ${cell}, which is no number as it is written.`;
  return LIKE_DATE.test(text) ? `${what}: ${cell}, which is no date as it is written.` : null;
}

function describeMixture(first: readonly FirstCell[]): string {
  const cells = first.map(
    ({ kind, row, text }) =>
      `row ${row} holds "${clipText(text, CELL_CHARACTERS)}", ${KIND_WORDS[kind] ?? "a value"}`,
  );
  const isKnown = first.every(({ kind, text }) => kind !== KIND_BITS.text || !NOTHING_KNOWN.test(text));
  return `${cells.join("; ")}.${isKnown ? "" : " Leave cells empty where nothing is known."}`;
}
