import { countNoun } from "../../ground/text.ts";
import { classifyCsvText } from "./column-types.ts";
import { OTHER_SEPARATORS } from "./csv-separators.ts";
import {
  findTable,
  finishReading,
  type LaxReading,
  type LaxTable,
  listRows,
  readLaxly,
  startReading,
} from "./lax-reading.ts";

/** What a file holds beside its first fault: of its first MiB the text, and the readings with each separator. */
export interface CauseSearch {
  text: string;
  comma: LaxReading;
  others: readonly LaxReading[];
}

const MOST_ROWS = 40;

/** Starts a search in a file whose first MiB is a text. */
export function startCauses(text: string): CauseSearch {
  return { text, comma: startReading(","), others: OTHER_SEPARATORS.map(([mark]) => startReading(mark)) };
}

/** Reads the next bytes of the file. */
export function searchCauses(search: CauseSearch, bytes: Uint8Array): void {
  for (const reading of [search.comma, ...search.others]) readLaxly(reading, bytes);
}

/** Why a file is most likely refused, in a sentence with its mend; null where nothing more than the fault is known. */
export function findCause(search: CauseSearch): string | null {
  for (const reading of [search.comma, ...search.others]) finishReading(reading);
  const rows = listRows(search.text, ",", MOST_ROWS);
  return (
    findSeparator(search) ??
    findTwoTables(search.comma, rows) ??
    findPlaceOfNames(search.comma, rows) ??
    findRowsBelow(search.comma)
  );
}

/** Whether all records from the first of a table on are its own. */
function reachesEnd({ rows }: LaxReading, { from, count }: LaxTable): boolean {
  return from + count > rows;
}

function findSeparator({ comma, others }: CauseSearch): string | null {
  const plain = findTable(comma);
  const mend = "Write commas in their place, and quote a value that holds a comma.";
  for (const [at, reading] of others.entries()) {
    const [, name = ""] = OTHER_SEPARATORS[at] ?? [];
    const table = findTable(reading);
    const isBehindQuote = comma.behindQuote === reading.mark;
    if (table === null && !isBehindQuote) continue;
    const isNoBetter =
      plain !== null && plain.width >= (table?.width ?? 0) && plain.from <= (table?.from ?? 0);
    if (!isBehindQuote && isNoBetter) continue;
    const what = `${name.charAt(0).toUpperCase()}${name.slice(1)} separate the values`;
    if (table === null || !reachesEnd(reading, table)) return `${what}, as it seems. ${mend}`;
    const where = table.from === 1 ? `in all ${countNoun(table.count, "row")}` : `from row ${table.from} on`;
    return `${what}, ${where}. ${mend}`;
  }
  if (comma.beforeQuote === BACKSLASH)
    return 'Quotes inside of values seem to be written \\". Double them in place of that: "".';
  return null;
}

const BACKSLASH = 0x5c;

/** A blank line behind which the header comes again, or rows of another width. */
function findTwoTables({ runs }: LaxReading, rows: readonly string[][]): string | null {
  const at = runs.findIndex(({ width }, index) => width === 0 && index > 0);
  const [before, next] = [runs[at - 1], runs[at + 1]];
  if (before === undefined || next === undefined || before.width < 2 || next.width < 2) return null;
  const header = rows[before.from - 1]?.join();
  if (before.width === next.width && header !== rows[next.from - 1]?.join()) return null;
  return `Behind the blank line another table seems to begin, in row ${next.from}. Upload each table as a file of its own.`;
}

const isFilled = (cell: string) => cell !== "";
const isData = (cell: string) => isFilled(cell) && classifyCsvText(cell) !== "text";

/** Where the names of the columns seem to be, if they are not in row 1. */
function findPlaceOfNames(comma: LaxReading, rows: readonly string[][]): string | null {
  const table = findTable(comma);
  const [first = []] = rows;
  if (table === null) return null;
  const { width } = table;
  const filled = first.filter(isFilled).length;
  const names = rows.findIndex(
    (row, at) => at > 0 && row.length === width && 2 * row.filter(isFilled).length > width,
  );
  const namesAreNames = names > 0 && !(rows[names] ?? []).some(isData);
  if (2 * filled <= width && namesAreNames) {
    const parts = filled > 1 ? " Where the header takes several rows, write one row of names." : "";
    return `Lines stand above the header: the names seem to be in row ${names + 1}. Take out what stands above.${parts}`;
  }
  if (looksLikeData(rows, width))
    return "Row 1 looks like data, as the rows below it: put a row of names above it.";
  if (first.length === width || table.from > 2) return null;
  if (namesAreNames && names === 1 && rows.slice(2).some((row) => row.some(isData)))
    return "A line stands above the header: the names seem to be in row 2. Take out what stands above.";
  const every = reachesEnd(comma, table) ? "every row" : "most rows";
  return `The header has ${countNoun(first.length, "name")}, ${every} ${width}. ${describeWidth(first.length, width, rows)}`;
}

function describeWidth(names: number, width: number, rows: readonly string[][]): string {
  if (width !== names + 1) return "Give every column one name.";
  if (rows.slice(1).every((row) => row.at(-1) === ""))
    return "A comma ends every row but the header: take it out.";
  return "Give every column one name. Row names that a program wrote are left out by row.names=FALSE in R and index=False in pandas.";
}

/** Whether each filled cell of row 1 is of its column's kind, and one kind at least is not text. */
function looksLikeData(rows: readonly string[][], width: number): boolean {
  const [first = [], ...others] = rows;
  const below = others.filter((row) => row.length === width);
  const kindOf = (column: number) => {
    const kinds = new Set(
      below.flatMap((row) => (isFilled(row[column] ?? "") ? classifyCsvText(row[column] ?? "") : [])),
    );
    return kinds.size === 1 ? [...kinds][0] : "text";
  };
  const cells = first.flatMap((cell, column) =>
    isFilled(cell) ? [{ is: classifyCsvText(cell), kind: kindOf(column) }] : [],
  );
  return (
    first.length === width &&
    cells.some(({ kind }) => kind !== "text") &&
    cells.every(({ is, kind }) => is === kind)
  );
}

/** Notes below a table: it ends before the file does. */
function findRowsBelow(comma: LaxReading): string | null {
  const table = findTable(comma);
  if (table === null || table.from > 1 || table.count < table.to || table.to === comma.rows) return null;
  const below = comma.runs.filter(({ from }) => from > table.to);
  if (below.some(({ width }) => width >= table.width) || 2 * table.count < comma.rows) return null;
  return `From row ${table.to + 1} on lines stand below the table: take them out.`;
}
