import { KIND_BITS } from "./column-types.ts";
import type { Column } from "./verdict.ts";

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
  const what = `Column "${clip(name, NAME_CHARACTERS)}" is ${type}`;
  const [earliest] = first;
  if (type === "mixed") return `${what}: ${describeMixture(first)}`;
  if (type !== "text" || earliest === undefined) return null;
  const { row, text } = earliest;
  const cell = `row ${row} holds "${clip(text, CELL_CHARACTERS)}"`;
  if (LIKE_NUMBER.test(text)) return `${what}: ${cell}, which is no number as it is written.`;
  return LIKE_DATE.test(text) ? `${what}: ${cell}, which is no date as it is written.` : null;
}

function describeMixture(first: readonly FirstCell[]): string {
  const cells = first.map(
    ({ kind, row, text }) =>
      `row ${row} holds "${clip(text, CELL_CHARACTERS)}", ${KIND_WORDS[kind] ?? "a value"}`,
  );
  const isKnown = first.every(({ kind, text }) => kind !== KIND_BITS.text || !NOTHING_KNOWN.test(text));
  return `${cells.join("; ")}.${isKnown ? "" : " Leave cells empty where nothing is known."}`;
}

function clip(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : text;
}
