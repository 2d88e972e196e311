import { FileRefused } from "./verdict.ts";

// Every answer about a file holds its columns, so their number and names are bounded.
const MOST_COLUMNS = 10_000;
const MOST_NAME_CHARACTERS = 1_000_000;

/**
 * The refusal of a table that has more columns, or longer names, than answers about it can hold; else null.
 */
export function findWideTable(columnCount: number, nameCharacters: number): FileRefused | null {
  if (columnCount > MOST_COLUMNS) {
    return new FileRefused(
      "The table has over 10,000 different columns. Turn columns into rows, or split the file.",
    );
  }
  if (nameCharacters > MOST_NAME_CHARACTERS) {
    return new FileRefused(
      "The column names have over 1,000,000 characters together. Shorten them, and check that row 1 is a header.",
    );
  }
  return null;
}

/** Throws `FileRefused` for such a table. */
export function refuseWideTable(columnCount: number, nameCharacters: number): void {
  const refusal = findWideTable(columnCount, nameCharacters);
  if (refusal !== null) throw refusal;
}
