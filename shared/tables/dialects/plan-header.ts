import { findCellKind, findColumnKind, findSteps, isYears } from "../inspection/cell-kinds.ts";
import type { Dialect } from "./dialect.ts";
import type { HeadRecords } from "./file-head.ts";

/** The members of a dialect that say where names and data are. */
export type HeaderMembers = Pick<Dialect, "header" | "headerRows" | "nullColumns" | "rows">;

/**
 * Where the names of a table are whose records have one width from some row on; null where nobody can tell, or nothing is
 * a table. `start` is the place of the first record, behind a `sep=` line.
 */
export function findHeader(records: HeadRecords, start: number): HeaderMembers | null {
  const width = records.at(-1)?.length ?? 0;
  const isNumbered = hasRowNumbers(records.slice(start));
  const filled = records.reduce((most, record) => Math.max(most, countFilled(record)), 0);
  const at = records.findIndex((record, place) => place >= start && (isNumbered || !isTitle(record, filled)));
  const names = records[at];
  if (width < 2 || names === undefined || at === records.length - 1) return null;
  if (records.some((record, place) => place >= at && record.length !== width)) return null;
  const leftOut = records.slice(start, at);
  if (leftOut.length > records.length - at || leftOut.some((record) => isIndexHeader(record))) return null;
  const rows = records.slice(at + 1);
  if (mayBeYears(names, rows)) return null;
  if (isNames(names, rows))
    return {
      ...(at > 0 && { headerRows: [at + 1] }),
      ...(names.some(isBlank) && { nullColumns: "name" }),
    };
  if (at > start || !isData(names, rows)) return null;
  return { header: false, ...(start > 0 && { rows: [start + 1, null] }) };
}

/** Whether a record fills at most half of the columns, as a title does and a blank line. */
export function isTitle(record: readonly string[], width: number): boolean {
  return 2 * record.filter((cell) => cell.trim() !== "").length <= width;
}

/** Names of two columns of which the first, of row numbers, has none look as a title does. */
function isIndexHeader(record: readonly string[]): boolean {
  return record.length === 2 && record[0] === "" && record[1]?.trim() !== "";
}

const isBlank = (cell = "") => cell.trim() === "";

/** How many columns a record has up to its last filled one. */
const countFilled = (record: readonly string[]) => record.findLastIndex((cell) => !isBlank(cell)) + 1;

/** Whether the first column has no name and counts the rows from 0 or 1, as programs write them. */
function hasRowNumbers([names = [], ...rows]: HeadRecords): boolean {
  const [first] = rows[0] ?? [];
  const from = first === "0" || first === "1" ? Number(first) : -1;
  return (
    from >= 0 && names[0] === "" && rows.every(([cell], at) => cell === "" || cell === String(from + at))
  );
}

/** Whether a row names the columns; none but one of row numbers, and blank ones at the end, has no name. */
function isNames(names: readonly string[], rows: HeadRecords): boolean {
  const end = countFilled(names);
  const from = hasRowNumbers([names, ...rows]) ? 1 : 0;
  const named = names.slice(from, end).map((name) => name.trim());
  const isSound = !named.some(isBlank) && new Set(named).size === named.length;
  const isNoMore = rows.every((row) => row.slice(end).every(isBlank));
  return (
    isSound && named.length > 1 - from && isNoMore && !hasOwnKind(names, rows) && !occursAgain(names, rows)
  );
}

/** Whether a name is a number, a date, an address, an e-mail or a boolean as all cells of its column are. */
export function hasOwnKind(names: readonly string[], rows: HeadRecords): boolean {
  const areYears = isYears(names.filter((name) => findCellKind(name) === "number"));
  return names.some((name, column) => {
    const kind = findCellKind(name);
    if (kind === "text" || (kind === "number" && areYears)) return false;
    return findColumnKind(cellsOf(rows, column)) === kind;
  });
}

/** Whether a name comes again in its column; the mark that ends each row, as "eor" does, tells nothing of names that differ from data. */
function occursAgain(names: readonly string[], rows: HeadRecords): boolean {
  const isMark =
    rows.every((row) => row.at(-1) === names.at(-1)) && findLikeness(names, rows) === "different";
  const end = isMark ? names.length - 1 : names.length;
  return rows.some((row) => row.slice(0, end).some((cell, column) => cell !== "" && cell === names[column]));
}

/** Whether nobody can tell the years of a wide table from a row that happens to hold such numbers. */
function mayBeYears(names: readonly string[], rows: HeadRecords): boolean {
  const numbers = names.filter((name) => findCellKind(name) === "number");
  if (!isYears(numbers) || areEven(numbers) || hasOwnKind(names, rows)) return false;
  return names.some(
    (name, column) => numbers.includes(name) && findColumnKind(cellsOf(rows, column)) === "number",
  );
}

/** Whether such numbers are years beyond doubt: two at least, with one step between them. */
function areEven(names: readonly string[]): boolean {
  const steps = findSteps(names);
  return steps.length > 0 && steps.every((step) => step === steps[0]);
}

function* cellsOf(rows: HeadRecords, column: number): Generator<string> {
  for (const row of rows) yield row[column] ?? "";
}

/** Whether row 1 is a row like the others: no cell of it differs from its column, and something shows that it is one. */
function isData(first: readonly string[], rows: HeadRecords): boolean {
  const likeness = findLikeness(first, rows);
  if (likeness !== "texts alone") return likeness === "alike";
  // Names that stand in the middle of a table once more are no data.
  return occursAgain(first, rows) && !rows.some((row) => row.every((cell, column) => cell === first[column]));
}

/** Whether each filled cell of row 1 is of its column's kind, and a kind is another than text. */
export function findLikeness(
  first: readonly string[],
  rows: HeadRecords,
): "alike" | "texts alone" | "different" {
  const cells = first.flatMap((cell, column) => {
    const kind = cell.trim() === "" ? null : findColumnKind(cellsOf(rows, column));
    return kind === null || kind === "text" ? [] : [findCellKind(cell) === kind];
  });
  if (cells.includes(false)) return "different";
  return cells.length > 0 ? "alike" : "texts alone";
}
