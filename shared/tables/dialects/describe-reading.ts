import { clipText, countNoun, joinWords } from "../../ground/text.ts";
import { clip } from "../inspection/csv-header.ts";
import { type Hint, hint } from "../inspection/hints.ts";
import type { Dialect } from "./dialect.ts";
import { UTF_8, WINDOWS_1252 } from "./encodings.ts";
import type { FollowedTable } from "./follow-table.ts";
import { findMarks, type PointedColumns } from "./number-marks.ts";
import { findEncoding } from "./read-table.ts";
import type { TableName } from "./table-names.ts";

const SEPARATORS: Readonly<Record<string, string>> = {
  ";": "Semicolons separate",
  "\t": "Tabs separate",
  "|": "Vertical bars separate",
  " ": "Blanks separate",
  ":": "Colons separate",
  "\u0001": "The character U+0001 separates",
};

/** A sentence without its end: that a character separates the values. */
export function sayWhatSeparates(delimiter: string): string {
  return `${SEPARATORS[delimiter] ?? `The character ${delimiter} separates`} the values`;
}

/** Cells with characters above ASCII: how many there are, and the first of them. */
export interface ForeignCells {
  count: number;
  first: { text: string; row: number }[];
}

/** What was found in the cells that were written. */
export interface WrittenCells {
  /** By place: whether numbers are rewritten in a column, and how many of its filled cells are none. */
  isMarked: boolean[];
  unlike: number[];
  points: PointedColumns;
  /** Null of a file in UTF-8. */
  foreign: ForeignCells | null;
}

const FOREIGN_SHOWN = 3;
const FOREIGN_CHARACTERS = 40;

/** Counts a cell where it holds a character above ASCII. */
export function noteForeign(
  cells: ForeignCells,
  bytes: Buffer,
  start: number,
  end: number,
  row: number,
): void {
  let at = start;
  while (at < end && (bytes[at] as number) < 0x80) at++;
  if (at === end) return;
  cells.count++;
  if (cells.first.length < FOREIGN_SHOWN)
    cells.first.push({ text: clipText(bytes.toString("utf8", start, end), FOREIGN_CHARACTERS), row });
}

/** One sentence for each thing that a reading changes, the separator first. */
export function describeReading(table: FollowedTable, cells: WrittenCells): string[] {
  const { dialect } = table;
  return [
    ...describeSeparator(table),
    ...describeEncoding(dialect, cells.foreign),
    ...describeQuoting(dialect),
    ...describeNames(table),
    ...describeLeftOut(table),
    ...describeNumbers(dialect, table.names ?? [], cells),
    ...describePoints(dialect, table.names ?? [], cells)
      .slice(0, NAMES_SHOWN)
      .map(({ message }) => message),
  ];
}

function describeSeparator({ dialect, rowCount, namesRows, names }: FollowedTable): string[] {
  const { delimiter = ",", lineTerminator, skipInitialSpace } = dialect;
  const lines = rowCount + namesRows.length;
  const all = lines === 1 ? ", in the one line" : `, in all ${lines} lines`;
  const where = names?.length === 1 ? "; each row has one" : all;
  return [
    ...(delimiter === "," ? [] : [`${sayWhatSeparates(delimiter)}${where}.`]),
    ...(skipInitialSpace ? ["Blanks behind a separator are no part of the value."] : []),
    ...(lineTerminator === undefined ? [] : ["Rows end with a carriage return."]),
  ];
}

function describeEncoding(dialect: Dialect, foreign: ForeignCells | null): string[] {
  const name = findEncoding(dialect);
  if (name === UTF_8) return [];
  const { count, first } = foreign ?? { count: 0, first: [] };
  const cells = first.map(({ text, row }) => (row === 0 ? text : `${text} in row ${row}`));
  const shown =
    count === 0 ? "all cells are ASCII" : `${countNoun(count, "cell")}, such as ${joinWords(cells)}`;
  const label = dialect.encoding?.trim().toLowerCase() ?? name;
  const isLabel = name === WINDOWS_1252 && label !== name;
  return [
    `Read as ${sayEncoding(name)}: ${shown}.`,
    ...(isLabel ? [`${clipText(label, 40)} is a label of ${sayEncoding(name)}.`] : []),
  ];
}

/** The name of an encoding as people write it. */
function sayEncoding(name: string): string {
  return /^(?:windows|macintosh)/.test(name)
    ? `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    : name.toUpperCase();
}

function describeQuoting({ quoteChar, doubleQuote, escapeChar }: Dialect): string[] {
  if (quoteChar === null) return ["Quotes are characters like others."];
  return [
    ...(quoteChar === "'" ? ["Single quotes enclose values."] : []),
    ...(escapeChar
      ? ["A backslash before a quote, a separator or a backslash is no part of the value."]
      : []),
    ...(doubleQuote === false && !escapeChar ? ["No quote stands inside a quoted value."] : []),
  ];
}

function describeNames({ dialect, names, namesRows }: FollowedTable): string[] {
  const width = names?.length ?? 0;
  if (dialect.header === false) {
    const made =
      width === 1 ? "its column is named column_1" : `the columns are named column_1 to column_${width}`;
    return [`The first row is data: ${made}.`];
  }
  const rows = namesRows.map(({ row }) => row);
  const made = (names ?? []).filter(({ generated }) => generated).map(({ name }) => name);
  return [
    ...(rows.length === 1 && rows[0] !== 1 ? [`The names are in row ${rows[0]}.`] : []),
    ...(rows.length > 1 ? [`The names are those of rows ${joinWords(rows)}, joined by a blank.`] : []),
    ...(made.length > 0 ? [`${countNoun(made.length, "column")} without a name: ${joinNames(made)}.`] : []),
  ];
}

/** The hint of plain values with a quote in them; none where there are none. */
export function describeQuotes({ quotes, names }: FollowedTable): Hint[] {
  const { rows, count } = quotes;
  if (count === 0) return [];
  const [them, are] = count === 1 ? ["it", "holds a quote, which is"] : ["them", "hold quotes, which are"];
  const message = `${countNoun(count, "value")} without quotes around ${them} ${are} a part of ${them}, first in row ${rows[0]}.`;
  const columns = quotes.columns.map((at) => names?.[at]?.name ?? "");
  return [hint("quote_in_value", message, { rows, columns, count })];
}

function describeLeftOut({ dialect, leftOutCount, commentCount }: FollowedTable): string[] {
  const rows = leftOutCount - commentCount;
  return [
    ...(rows > 0 ? [`${countNoun(rows, "row")} outside of the table ${areLeftOut(rows)}.`] : []),
    ...(commentCount > 0
      ? [
          `${countNoun(commentCount, "line")} that ${commentCount === 1 ? "begins" : "begin"} with ${dialect.commentChar} ${areLeftOut(commentCount)}.`,
        ]
      : []),
  ];
}

function areLeftOut(count: number): string {
  return count === 1 ? "is left out" : "are left out";
}

const DECIMALS = { ",": "Decimal commas", ".": "Decimal points" } as const;
const GROUPS: Readonly<Record<string, string>> = {
  ".": "points",
  ",": "commas",
  " ": "blanks",
  "\u00a0": "no-break blanks",
  "\u202f": "narrow blanks",
  "'": "apostrophes",
};

function describeNumbers(
  dialect: Dialect,
  names: readonly TableName[],
  { isMarked, unlike }: WrittenCells,
): string[] {
  const marks = findMarks(dialect);
  if (marks === null) return [];
  const read = names.filter((_, at) => isMarked[at] === true).map(({ name }) => name);
  const grouped = marks.group === null ? "" : ` and ${GROUPS[marks.group]} between thousands`;
  const where =
    read.length === 0 ? "in no column" : `in ${countNoun(read.length, "column")}: ${joinNames(read)}`;
  const others = names.flatMap(({ name }, at) => {
    const count = unlike[at] ?? 0;
    const are = count === 1 ? "is no such number and stays" : "are no such numbers and stay";
    return count === 0 ? [] : [`In ${clip(name)} ${countNoun(count, "cell")} ${are} as written.`];
  });
  return [`${DECIMALS[marks.decimal]}${grouped} are read ${where}.`, ...others.slice(0, NAMES_SHOWN)];
}

/** The hints of columns whose points may stand between thousands, beside decimal commas or numbers without a point. */
export function describePoints(
  dialect: Dialect,
  names: readonly TableName[],
  { points }: WrittenCells,
): Hint[] {
  const decimal = findMarks(dialect)?.decimal;
  return names.flatMap(({ name }, at) => {
    const cells = points[at];
    if (!cells || cells.count === 0 || decimal === "." || (decimal !== "," && cells.wholes === 0)) return [];
    const { rows, count, text } = cells;
    const message = `In ${clip(name)} the point of ${text}, in row ${rows[0]}, is read as a decimal point. If it stands between thousands, name it as groupChar, and the column in columns.`;
    return [hint("number_format", message, { rows, columns: [name], count })];
  });
}

const NAMES_SHOWN = 10;

function joinNames(names: readonly string[]): string {
  const rest = names.length - NAMES_SHOWN;
  const shown = names.slice(0, NAMES_SHOWN).map((name) => clip(name));
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : joinWords(shown);
}
