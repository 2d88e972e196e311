import { clipText, countNoun } from "../../ground/text.ts";
import { sayOtherRows } from "../inspection/csv-faults.ts";
import { note, startTally } from "../inspection/tally.ts";
import { FileRefused, refuseFault, refuseWideTable } from "../inspection/verdict.ts";
import { type Dialect, type LeftOutRow, refuseMember } from "./dialect.ts";
import { type RecordSink, SHOWS } from "./split-state.ts";
import { generateNames, joinNames, type NamesRow, type TableName } from "./table-names.ts";

/** Takes in the table of a dialect: its names, then its values row by row. */
export interface TableHooks {
  /** The names are known; `row` is the last that has some, or 0. */
  names(names: readonly TableName[], row: number): void;
  value(bytes: Buffer, start: number, end: number, column: number, row: number): void;
  endRow(): void;
  /** A value of the table shows more than its text; to refuse it is up to who seeks a plan. */
  shows?(bytes: Buffer, start: number, end: number, shows: number): void;
}

/** A record that has another number of values than the table has columns. */
interface RaggedRow {
  row: number;
  cells: number;
}

/** What a table has shown so far of its rows. */
export type FollowedTable = ReturnType<typeof startTable>;

const MOST_LEFT_OUT = 20;
const LEFT_OUT_CHARACTERS = 200;
const MOST_RAGGED = 20;
/** What 16 MB hold. */
const MOST_RUNS = 1_000_000;

/** A table before its first row. */
export function startTable(dialect: Dialect) {
  return {
    dialect,
    names: null as readonly TableName[] | null,
    namesRows: [] as NamesRow[],
    leftOut: [] as LeftOutRow[],
    ragged: [] as RaggedRow[],
    ...{ rowCount: 0, leftOutCount: 0, commentCount: 0 },
    /** Where rows begin to lie one behind the other again: by their place in the table and in the file. */
    runs: { places: [] as number[], rows: [] as number[] },
    /** Plain values with a quote in them. */
    quotes: startTally(),
  };
}

type Role = "names" | "values" | "left out";

function findRole({ dialect, names }: FollowedTable, row: number): Role {
  const [first, last] = dialect.rows ?? [1, null];
  const { headerRows } = dialect;
  if (headerRows?.includes(row)) return "names";
  if (row < first || row > (last ?? row) || row < (headerRows?.at(-1) ?? 0)) return "left out";
  return headerRows === undefined && dialect.header !== false && names === null ? "names" : "values";
}

/** Follows the records of a file by the rows that its dialect names. */
export function followRecords(table: FollowedTable, hooks: TableHooks): RecordSink {
  const { dialect } = table;
  let role: Role = "left out";
  let names: string[] = [];
  /** The values of a first row that is data: its names are made once they have been counted. */
  let held: Buffer[] = [];
  let column = 0;
  let place = 0;
  let isData = false;
  return {
    begins(row) {
      role = findRole(table, row);
      names = [];
      column = 0;
      place = row;
      isData = role === "values" && table.names !== null && table.ragged.length === 0;
      return role === "left out";
    },
    value(bytes, start, end, shows) {
      if (isData) hooks.value(bytes, start, end, column, place);
      else if (table.names === null) {
        if (role === "names") names.push(bytes.toString("utf8", start, end));
        else held.push(Buffer.from(bytes.subarray(start, end)));
        refuseWideTable(column + 1, 0);
      }
      if (shows !== 0) {
        if ((shows & SHOWS.quote) !== 0) note(table.quotes, place, column);
        hooks.shows?.(bytes, start, end, shows);
      }
      column++;
    },
    ends(row, cells) {
      if (role === "names") {
        table.namesRows.push({ row, names });
        if (row === (dialect.headerRows?.at(-1) ?? row))
          nameTable(table, hooks, joinNames(table.namesRows, dialect));
        return;
      }
      if (table.names === null) {
        nameTable(table, hooks, generateNames(cells));
        for (const [at, value] of held.entries()) hooks.value(value, 0, value.length, at, row);
        held = [];
      }
      if (cells !== table.names?.length) noteRagged(table, row, cells);
      else addRow(table, hooks, row);
    },
    leftOut: (row, text, isComment) => leaveOut(table, row, text, isComment),
    blankLines(row, count) {
      for (let blank = row; blank < row + count; blank++) addBlankLine(table, hooks, blank);
    },
  };
}

function nameTable(table: FollowedTable, hooks: TableHooks, names: readonly TableName[]): void {
  table.names = names;
  hooks.names(names, table.namesRows.at(-1)?.row ?? 0);
}

function addRow(table: FollowedTable, hooks: TableHooks, row: number): void {
  const { places, rows } = table.runs;
  const run = rows.length - 1;
  if (run < 0 || row - table.rowCount !== (rows[run] ?? 0) - (places[run] ?? 0)) {
    if (rows.length === MOST_RUNS)
      throw new FileRefused(`The file has over ${MOST_RUNS.toLocaleString("en")} comments between its rows.`);
    places.push(table.rowCount);
    rows.push(row);
  }
  table.rowCount++;
  if (table.ragged.length === 0) hooks.endRow();
}

function addBlankLine(table: FollowedTable, hooks: TableHooks, row: number): void {
  const role = findRole(table, row);
  if (role === "left out") {
    leaveOut(table, row, "", false);
    return;
  }
  if (role === "names" || table.names === null)
    throw new FileRefused(
      `Row ${row} is a blank line${role === "names" ? ", and the names are looked for in it" : ""}. Remove it.`,
    );
  if (table.names.length !== 1) {
    noteRagged(table, row, 0);
    return;
  }
  hooks.value(NOTHING, 0, 0, 0, row);
  addRow(table, hooks, row);
}

const NOTHING = Buffer.alloc(1);

function leaveOut(table: FollowedTable, row: number, text: string, isComment: boolean): void {
  if (table.dialect.headerRows?.includes(row))
    throw refuseMember("headerRows", `Row ${row} is no row of names: it begins with the commentChar.`);
  table.leftOutCount++;
  if (isComment) table.commentCount++;
  if (table.leftOut.length < MOST_LEFT_OUT)
    table.leftOut.push({ row, text: clipText(text, LEFT_OUT_CHARACTERS) });
}

function noteRagged(table: FollowedTable, row: number, cells: number): void {
  table.ragged.push({ row, cells });
  if (table.ragged.length === MOST_RAGGED) throw refuseRaggedRows(table);
}

/** The refusal of the rows that have another width than the table. */
export function refuseRaggedRows({ ragged, names, dialect }: FollowedTable): FileRefused {
  const [first, ...others] = ragged;
  const cells = first?.cells ?? 0;
  const what = cells === 0 ? "is a blank line" : `has ${countNoun(cells, "value")}`;
  const whole = dialect.header === false ? "the first row" : "the header";
  const width = names?.length ?? 0;
  return refuseFault(
    `Row ${first?.row} ${what}; ${whole} has ${width}.`,
    `Give every row one value per column, and quote a value that holds the separator.${sayOtherRows(others.map(({ row }) => row))}`,
  );
}

/** Ends a table behind the last row of its file. Throws where rows are missing or differ in width. */
export function endTable(table: FollowedTable, lastRow: number): void {
  const { dialect, names } = table;
  const [first, last] = dialect.rows ?? [1, null];
  const wanted = Math.max(first, last ?? first);
  if (dialect.rows !== undefined && wanted > lastRow)
    throw refuseMember("rows", `The file has ${countNoun(lastRow, "row")}, so there is no row ${wanted}.`);
  const missing = dialect.headerRows?.find((row) => row > lastRow);
  if (missing !== undefined)
    throw refuseMember(
      "headerRows",
      `The file has ${countNoun(lastRow, "row")}, so there is no row ${missing}.`,
    );
  if (table.ragged.length > 0) throw refuseRaggedRows(table);
  if (names === null)
    throw new FileRefused(
      dialect.header === false
        ? "The file has no row: nobody can tell its columns."
        : "The file has no row of names: it is empty.",
    );
}

/** The row of the file that became a row of the canonical file, whose header is row 1; 0 for names that no row has. */
export function findSourceRow({ runs, namesRows }: FollowedTable, canonicalRow: number): number {
  const place = canonicalRow - 2;
  if (place < 0) return namesRows.at(-1)?.row ?? 0;
  let [low, high] = [0, runs.places.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((runs.places[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  return (runs.rows[low] ?? 0) + place - (runs.places[low] ?? 0);
}
