import { clipText, nameCodePoint } from "../../ground/text.ts";
import { findColumnHints, holdsNumbers, type SurveyedColumn } from "./column-hints.ts";
import { clip } from "./csv-header.ts";
import { countMarks, findOtherSeparator, type Separators, separatesAll } from "./csv-separators.ts";
import type { CsvSurvey } from "./csv-survey.ts";
import { findHeaderHints } from "./header-hints.ts";
import { type Hint, hint } from "./hints.ts";
import type { LetterWatch } from "./letters.ts";
import type { Tally } from "./tally.ts";

/** What an accepted CSV file has that its sender should look at; `sourceRow` gives the row by which the sender knows one. */
export function findCsvHints(
  columns: readonly SurveyedColumn[],
  rowCount: number,
  survey: CsvSurvey,
  letters: LetterWatch,
  sourceRow: (row: number) => number,
): Hint[] {
  const { found, headerAgain, last, names } = survey;
  const tell = (code: Hint["code"], tallies: Map<number, Tally>, what: string) =>
    Array.from(tallies, ([at, { count, rows, text }]) => {
      const name = names[at] ?? "";
      const message = `Row ${rows[0]} holds ${JSON.stringify(clipText(text, 40))} in column "${clip(name)}": ${what}`;
      return hint(code, message, { rows, columns: [name], count });
    });
  return [
    ...findHeaderHints(columns, survey, sourceRow(1)),
    ...tell("quote_in_value", found.quote, "a quote inside a value without quotes around it is a character."),
    ...tell(
      "row_in_value",
      found.rowInValue,
      "it has line ends and as many commas as a row. Is a quote missing?",
    ),
    ...findSeparatorHints(columns, survey.separators, sourceRow),
    ...describeSpaced(names, sourceRow(1)),
    ...tell("blank_before_quote", found.blankBeforeQuote, "blank and quote are a part of the value."),
    ...tell("single_quotes", found.single, "the single quotes are a part of the value."),
    ...describeBroken(letters.broken, names),
    ...(last.count === rowCount ? [] : describeLast(last)),
    ...describeRepeats(headerAgain),
    ...(rowCount === 0 ? [hint("no_rows", "The file has a header and no row.", { count: 0 })] : []),
    ...columns.flatMap((column, at) => findColumnHints(column, at, survey)),
    ...describeUnseen(letters.unseen, names),
  ];
}

function findSeparatorHints(
  columns: readonly SurveyedColumn[],
  { alive }: Separators,
  sourceRow: (row: number) => number,
): Hint[] {
  const [{ name: first, bits } = { name: "", bits: 0 }] = columns;
  const tell = (message: string, row: number, count?: number) => [
    hint("other_separator", message, {
      rows: [row].filter((one) => one > 0),
      columns: [first],
      ...(count && { count }),
    }),
  ];
  const likely = alive.filter(({ mark }) => mark !== "," || !holdsNumbers(bits));
  const separator = likely.find(separatesAll);
  if (separator !== undefined) {
    const { mark, rows } = separator;
    const what =
      mark === ","
        ? "within the quotes around the whole row. They separate no values: take these quotes out"
        : "each. Only commas separate values here";
    return tell(`Header and rows hold ${countMarks(separator)} ${what}.`, sourceRow(1), rows);
  }
  const inHeader = findOtherSeparator(columns.map(({ name }) => name));
  if (inHeader !== null)
    return tell(
      `The header has ${inHeader} and no comma, so it names one column: "${clip(first)}". Only commas separate values.`,
      sourceRow(1),
    );
  const below = likely.find(({ count, rows }) => count > 0 && rows > 1);
  if (below === undefined) return [];
  const { name, rows } = below;
  const from = sourceRow(below.from);
  return tell(
    `From row ${from} on each row holds equally many ${name}. Only commas separate values here.`,
    from,
    rows,
  );
}

function describeSpaced([, ...names]: readonly string[], row: number): Hint[] {
  const [first = ""] = names;
  if (first === "" || !names.every((name) => name.startsWith(" "))) return [];
  const message = `Each name behind a separator begins with a blank, as ${JSON.stringify(clip(first))} does. skipInitialSpace of a dialect leaves out blanks behind a separator.`;
  return [hint("other_separator", message, { rows: [row], columns: [first] })];
}

function describeBroken({ count, rows, columns, text }: Tally, names: readonly string[]): Hint[] {
  if (count === 0) return [];
  const message = `Row ${rows[0]} holds "${text}": most likely the file was UTF-8 and was read as Windows-1252. Take it from before that.`;
  return [hint("broken_letters", message, { rows, columns: columns.map((at) => names[at] ?? ""), count })];
}

function describeUnseen({ count, rows, columns, text }: Tally, names: readonly string[]): Hint[] {
  if (count === 0) return [];
  const message = `Row ${rows[0]} holds ${nameCodePoint(text)}, which nobody sees. A cell with it is another value than one without.`;
  return [
    hint("invisible_characters", message, { rows, columns: columns.map((at) => names[at] ?? ""), count }),
  ];
}

function describeLast({ count, rows }: Tally): Hint[] {
  if (count === 0) return [];
  const which =
    count === 1
      ? `The last row, ${rows[0]}, is blank or looks like a total or a note.`
      : `The last ${count} rows, from row ${rows[0]} on, are blank or look like totals or notes.`;
  const message = `${which} Take out what is no data, or leave it out by "rows" of the dialect.`;
  return [hint("last_rows", message, { rows, count })];
}

function describeRepeats({ count, rows }: Tally): Hint[] {
  if (count === 0) return [];
  return [hint("header_again", `Row ${rows[0]} is the header again.`, { rows, count })];
}
