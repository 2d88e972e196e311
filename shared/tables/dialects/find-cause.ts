import { countNoun } from "../../ground/text.ts";
import type { Advice } from "../inspection/verdict.ts";
import { sayWhatSeparates } from "./describe-reading.ts";
import type { Dialect } from "./dialect.ts";
import { type FileHead, type HeadRecords, listSeparators, type SplitHead, splitHead } from "./file-head.ts";
import { findLikeness, hasOwnKind, isTitle } from "./plan-header.ts";
import { haveEscapes, haveSingleQuotes } from "./quoting.ts";
import { findOtherWidth, findTwoTables } from "./two-tables.ts";

/** The records of the width that most records have; others may stand between them. Rows count from 1. */
interface MostRecords {
  width: number;
  from: number;
  to: number;
  count: number;
}

/** Rows by which names are told from data. */
const MOST_ROWS = 40;

/** Why a file is most likely refused, with its mend: in words, or as members of a dialect and what else would do. */
export type Cause = Pick<Advice, "says"> & Partial<Advice>;

/**
 * Why a file is most likely refused; null where its beginning shows no more than its fault, or its dialect names which rows
 * are names and data.
 */
export function findCause(head: FileHead, dialect: Dialect = {}): Cause | null {
  const { delimiter = ",", header, headerRows, rows, commentChar } = dialect;
  if (header === false || headerRows || rows || commentChar) return null;
  const split = splitHead(head, { ...dialect, delimiter });
  const table = findTable(split.records);
  const isEnd = head.isWhole && !split.isBroken;
  return (
    say(findExcelLine(split.records)) ??
    findSingleQuotes(head, dialect) ??
    (delimiter === "," ? findSeparator(head, dialect, split.strayQuote, table) : null) ??
    (split.strayQuote === null ? null : findEscapes(head, dialect)) ??
    say(findTwoTables(split.records) ?? (isEnd ? findOtherWidth(split.records) : null)) ??
    (table &&
      (findComments(split.records, table) ??
        findPlaceOfNames(split.records, table, isEnd, dialect) ??
        say(findCutRow(split.records, table, head) ?? findRowsBelow(split.records, table, isEnd))))
  );
}

const say = (says: string | null): Cause | null => (says === null ? null : { says });

/** The line that tells Excel the separator, which splits it where it is the one of the dialect. */
function findExcelLine([first = []]: HeadRecords): string | null {
  const isLine = first.length === 2 && /^sep=$/i.test(first[0] ?? "") && first[1] === "";
  return isLine ? "It is a line that tells Excel what separates the values. Take it out." : null;
}

/** Single quotes around values. */
function findSingleQuotes(head: FileHead, dialect: Dialect): Cause | null {
  return haveSingleQuotes(head, dialect)
    ? {
        says: "Single quotes seem to stand around values.",
        dialect: { quoteChar: "'" },
        otherwise: ", or write double ones.",
      }
    : null;
}

/** Lines among the rows that begin as comments do. */
function findComments(records: HeadRecords, { width }: MostRecords): Cause | null {
  const others = records.filter((record) => record.length !== width);
  const areComments =
    others.length > 0 && others.every((one) => one.length < width && one[0]?.startsWith("#"));
  return areComments && records[0]?.length === width
    ? {
        says: "Lines that begin with # stand among the rows.",
        dialect: { commentChar: "#" },
        otherwise: ", or take them out.",
      }
    : null;
}

/** A last row that ends without a line end before it has all values. */
function findCutRow(
  records: HeadRecords,
  { width, to }: MostRecords,
  { bytes, isWhole }: FileHead,
): string | null {
  const [last = []] = records.slice(to);
  const isCut = isWhole && to === records.length - 1 && last.length > 1 && last.length < width;
  if (!isCut || /[\r\n]$/.test(bytes.toString("latin1", bytes.length - 1))) return null;
  return `Row ${to + 1} is the last and has no line end: the file may have been cut there. Take it whole from where it comes.`;
}

function findTable(records: HeadRecords): MostRecords | null {
  const tables = new Map<number, MostRecords>();
  for (const [at, { length: width }] of records.entries()) {
    const { from, count } = tables.get(width) ?? { from: at + 1, count: 0 };
    if (width > 1) tables.set(width, { width, from, to: at + 1, count: count + 1 });
  }
  const [most] = [...tables.values()].toSorted((one, other) => other.count - one.count);
  return most !== undefined && 2 * most.count >= records.length - 1 ? most : null;
}

/**
 * Another separator, which makes a wider table, one that begins earlier or one as wide of more rows, or stands behind a
 * closing quote.
 */
function findSeparator(
  head: FileHead,
  dialect: Dialect,
  strayQuote: string | null,
  plain: MostRecords | null,
): Cause | null {
  for (const separator of listSeparators(head).filter((one) => one !== ",")) {
    const split = splitHead(head, { ...dialect, delimiter: separator });
    const table = findTable(split.records);
    // Below rows that commas separate, one of another separator is a fault of its own.
    if (isBetter(table, plain) || (plain === null && strayQuote?.endsWith(separator)))
      return {
        says: `${sayWhatSeparates(separator)}${sayWhere(split, table, head.isWhole)}.`,
        dialect: { delimiter: separator },
        otherwise: ", or write commas in their place and quote a value that holds a comma.",
      };
  }
  return null;
}

function findEscapes(head: FileHead, dialect: Dialect): Cause | null {
  return haveEscapes(head, dialect)
    ? {
        says: 'Quotes inside of values seem to be written \\".',
        dialect: { escapeChar: "\\" },
        otherwise: ', or double them in place of that: "".',
      }
    : null;
}

function isBetter(table: MostRecords | null, plain: MostRecords | null): boolean {
  if (table === null || plain === null) return table !== null;
  if (table.width > plain.width || table.from < plain.from) return true;
  return table.width === plain.width && table.from === plain.from && table.count > plain.count;
}

function sayWhere({ records, isBroken }: SplitHead, table: MostRecords | null, isWhole: boolean): string {
  if (table === null || isBroken || !isWhole || table.from + table.count <= records.length)
    return ", as it seems";
  return table.from === 1 ? `, in all ${countNoun(table.count, "row")}` : `, from row ${table.from} on`;
}

/** Where the names of the columns seem to be, if they are not in row 1. */
function findPlaceOfNames(
  records: HeadRecords,
  { width, from, count }: MostRecords,
  isEnd: boolean,
  dialect: Dialect,
): Cause | null {
  const [first = []] = records;
  const isRow = (record: readonly string[]) => record.length === width;
  const at = records.findIndex((record, place) => place > 0 && isRow(record) && !isTitle(record, width));
  const rows = records.slice(at, at + MOST_ROWS).filter(isRow);
  const [names = []] = rows;
  const areNames = at > 0 && !hasOwnKind(names, rows);
  if (isTitle(first, width) && areNames) return sayNamesBelow(records, at);
  const others = records.slice(1, MOST_ROWS).filter(isRow);
  const second = others[0] ?? [];
  if (isRow(first) && !areSoundNames(first) && findLikeness(second, others.slice(1)) === "different") {
    return (
      sayTwoRows(records, 1) ?? say("Rows 1 and 2 seem to name the columns together. Write one row of names.")
    );
  }
  if (isRow(first) && findLikeness(first, others) === "alike")
    return {
      says: "Row 1 looks like data, as the rows below it.",
      dialect: { header: false },
      otherwise: ", or put a row of names above it.",
    };
  if (isRow(first) || from > 2) return null;
  if (areNames && at === 1 && findLikeness(names, rows.slice(1)) === "different")
    return say("A line stands above the header: the names seem to be in row 2. Take out what stands above.");
  const every = isEnd && from + count > records.length ? "every row" : "most rows";
  const what = describeWidth(first, width, others, dialect);
  return say(`The header has ${countNoun(first.length, "name")}, ${every} ${width}. ${what}`);
}

/** Of a header below a title; where its names repeat, the row above them may say the rest of each. */
function sayNamesBelow(records: HeadRecords, at: number): Cause | null {
  const [first = []] = records;
  const names = (records[at] ?? []).filter((name) => name !== "");
  const areRepeated = new Set(names).size < names.length;
  const [below = [], ...rows] = records.slice(at + 1);
  const isHeaderToo = findLikeness(below, rows) === "different";
  const together = areRepeated ? sayTwoRows(records, isHeaderToo ? at + 1 : at) : null;
  if (together !== null) return together;
  const isSpread = first.filter((cell) => cell !== "").length > 1;
  const parts =
    isSpread || areRepeated ? " Where the header takes several rows, write one row of names." : "";
  return say(
    `Lines stand above the header: the names seem to be in row ${at + 1}. Take out what stands above.${parts}`,
  );
}

/** How a row and the one below it are read as names together; null where that gives no sound ones. */
function sayTwoRows(records: HeadRecords, row: number): Cause | null {
  const [above = [], below = []] = records.slice(row - 1);
  const joined = below.map((name, place) => `${above[place] ?? ""} ${name}`.trim());
  if (!areSoundNames(joined)) return null;
  return {
    says: `Rows ${row} and ${row + 1} seem to name the columns together.`,
    dialect: { headerRows: [row, row + 1] },
    otherwise: ".",
  };
}

const areSoundNames = (names: readonly string[]) =>
  !names.includes("") && new Set(names).size === names.length;

function describeWidth(
  first: readonly string[],
  width: number,
  rows: HeadRecords,
  { delimiter = "," }: Dialect,
): string {
  const separator = delimiter === "," ? "comma" : "separator";
  if (first.length === width + 1 && first.at(-1) === "")
    return `A ${separator} ends the header alone: take it out.`;
  if (first.length > width) return "Take out names without values, or row 1 where it stands above the names.";
  if (width !== first.length + 1) return "Give every column one name.";
  if (rows.every((row) => row.at(-1) === ""))
    return `A ${separator} ends every row but the header: take it out.`;
  return "Give every column one name. Row names that a program wrote are left out by row.names=FALSE in R and index=False in pandas.";
}

/** Notes below a table: it ends before the file does. */
function findRowsBelow(
  records: HeadRecords,
  { width, to, count }: MostRecords,
  isEnd: boolean,
): string | null {
  const below = records.slice(to);
  if (!isEnd || count < to || below.length === 0 || 2 * count < records.length) return null;
  if (below.some((record) => record.length >= width)) return null;
  return `From row ${to + 1} on lines stand below the table: take them out.`;
}
