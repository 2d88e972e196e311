import { clipText } from "../../ground/text.ts";
import { findCellKind } from "./cell-kinds.ts";
import { isOutermost, MARKS } from "./cell-marks.ts";
import { type FirstCell, KIND_BITS } from "./column-types.ts";
import { clip } from "./csv-header.ts";
import type { CsvSurvey } from "./csv-survey.ts";
import { type Hint, hint, type StoredHint } from "./hints.ts";
import type { Tally } from "./tally.ts";
import type { Column } from "./verdict.ts";

/** A column of a CSV with what its cells are. */
export interface SurveyedColumn extends Column {
  /** Its kinds and marks. */
  bits: number;
  filled: number;
  /** The first cell of each kind, in the order of the file. */
  first: readonly FirstCell[];
}

const CELL_CHARACTERS = 40;
const { plain, address, nothing, format } = MARKS;
const OTHERS = plain | address | KIND_BITS.date | KIND_BITS.boolean;

const KIND_WORDS: Readonly<Record<number, string>> = {
  [KIND_BITS.number]: "a number",
  [KIND_BITS.text]: "a text",
  [KIND_BITS.date]: "a date",
  [KIND_BITS.boolean]: "a boolean",
};

/** A number that a dialect reads: with a decimal comma, or in groups of three digits. */
const MARKED =
  /^-?(?:(?:\d+|\d{1,3}(?:[ .'\u00a0\u202f]\d{3})+),\d+|\d{1,3}([ ,.'\u00a0\u202f])\d{3}(?:\1\d{3})*(?:(?!\1)\.\d+)?)$/;

const EMPTY =
  "Leave cells empty where nothing is known, or name the mark in missing_values of the dictionary.";

/** Whether the cells of a column with these bits are numbers as people write them, or say that nothing is known. */
export function holdsNumbers(bits: number): boolean {
  return (bits & OTHERS) === 0 && (bits & (KIND_BITS.number | format)) !== 0;
}

/** What cells make a column no numbers, or numbers that others read as something else. */
export function findColumnHints(column: SurveyedColumn, at: number, survey: CsvSurvey): StoredHint[] {
  const { name, type, bits } = column;
  const { zero, exponent, long, format: formats } = survey.found;
  const is = `Column "${clip(name)}" is ${type}`;
  const tell = (
    code: Hint["code"],
    tally: Tally | undefined,
    say: (cell: string, text: string) => string,
    marks: readonly string[] = [],
  ) => {
    if (tally === undefined) return [];
    const { count, rows, text } = tally;
    const message = `${is}: ${say(showCell(rows[0], text), text)}`;
    const named = marks.map((mark) => [name, mark] as const);
    return [hint(code, message, { rows, columns: [name], count, marks: named })];
  };
  const isNumeric = holdsNumbers(bits);
  const hasNumbers = (bits & KIND_BITS.number) !== 0;
  const powers = exponent.get(at);
  const isShortened = (powers?.count ?? 0) > 1 || (bits & MARKS.ten) !== 0;
  const unknown = isNumeric || hasNumbers ? listUnknown(survey, at, bits) : [];
  return [
    ...(isNumeric
      ? tell(
          "number_format",
          formats.get(at),
          (cell, text) => `${cell}, which is no number as it is written.${nameReading(text)}`,
        )
      : []),
    ...(isShortened
      ? tell("exponent_identifier", powers, (cell) => `${cell}. Did a program shorten whole numbers so?`)
      : []),
    ...unknown.flatMap(({ tally, marks }) =>
      tell("missing_value_marks", tally, (cell) => `${cell} beside numbers. ${EMPTY}`, marks),
    ),
    ...tell("leading_zeros", zero.get(at) ?? findCode(column), (cell) => `${cell}, a code and no number.`),
    ...tell("long_numbers", long.get(at), (cell) => `${cell}, a whole number over 2^53. Read it as text.`),
    ...describeMixture(column, is),
  ];
}

/** How a text gets a number: by the member of a dialect where one reads it. */
function nameReading(text: string): string {
  if (MARKED.test(text)) return " A dialect that names decimalChar or groupChar, and columns, reads it.";
  if (text.startsWith(" ")) return " skipInitialSpace of a dialect leaves out blanks behind a separator.";
  return " Numbers are written as 1234, -5 and 0.5 are; their unit belongs in the dictionary.";
}

function showCell(row: number | undefined, text: string): string {
  return `row ${row} holds "${clipText(text, CELL_CHARACTERS)}"`;
}

/** What of a column says that nothing is known: its marks together, and each of its nines. */
function listUnknown({ found, unknowns, nines }: CsvSurvey, at: number, bits: number) {
  const outermost = [...(nines.get(at)?.values() ?? [])].filter(({ text }) => isOutermost(text, bits));
  return [
    { tally: found.nothing.get(at), marks: [...(unknowns.get(at)?.values() ?? [])] },
    ...outermost.map((tally) => ({ tally, marks: [tally.text] })),
  ];
}

/** The first of a column of codes such as 12E12. */
function findCode({ type, bits, first, filled }: SurveyedColumn): Tally | undefined {
  const [cell] = first;
  if (type !== "text" || (bits & MARKS.code) === 0 || (bits & KIND_BITS.text) !== 0) return undefined;
  return cell && { count: filled, rows: [cell.row], columns: [], text: cell.text };
}

function describeMixture({ name, type, bits, first }: SurveyedColumn, is: string): Hint[] {
  const [earliest] = first;
  const rows = first.map(({ row }) => row);
  if (type === "mixed" && (bits & OTHERS) !== 0) {
    const cells = first.map(
      ({ kind, row, text }) => `${showCell(row, text)}, ${KIND_WORDS[kind] ?? "a value"}`,
    );
    const isKnown = (bits & nothing) === 0 || (bits & plain) !== 0;
    return [
      hint("mixed_column", `${is}: ${cells.join("; ")}.${isKnown ? "" : ` ${EMPTY}`}`, {
        rows,
        columns: [name],
      }),
    ];
  }
  if (type !== "text" || earliest === undefined || findCellKind(earliest.text) !== "date") return [];
  const message = `${is}: ${showCell(earliest.row, earliest.text)}, which is no date as it is written. Dates are written as 2026-01-31 is.`;
  return [hint("mixed_column", message, { rows, columns: [name] })];
}
