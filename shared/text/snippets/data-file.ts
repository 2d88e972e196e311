import type { ColumnType } from "../../tables/inspection/verdict.ts";

/** A column with what its dictionary says of it. */
export interface DataColumn {
  name: string;
  /** The type of the cells that stand for no blank. */
  type: ColumnType;
  /** The texts of cells that stand for blank. */
  missing: readonly string[];
  /** How its cells are written where it is the time of its rows: as days, or as times of one zone; null else. */
  time: "day" | "time" | null;
  unit: string | null;
}

/** A published table as the snippets of "Use this data" name it. */
export interface DataFile {
  url: string;
  /** The address of its rows, each line an object. */
  rowsUrl: string;
  contentSha256: string;
  format: "csv" | "json";
  /** The list of a JSON document; null where the whole file is the table. */
  table: string | null;
  /** Every column where there are few, else none: a snippet then leaves types to its reader. */
  columns: DataColumn[];
  /** The table as Parquet, where it is made. */
  parquet: { url: string; sha256: string } | null;
}

/** What a snippet says of a file whose bytes are others. */
export const CHANGED = "The file has changed.";

/** The name under which a snippet keeps the file. */
export function nameLocally({ format }: DataFile): string {
  return `data.${format}`;
}

const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/g;

/** A text in double quotes as JavaScript, Python and R read it. */
export function quoteText(text: string): string {
  const escaped = text.toWellFormed().replace(/[\\"]/g, "\\$&");
  return `"${escaped.replace(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
}

/** A text in single quotes as SQL reads it. */
export function quoteSql(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", "''")}'`;
}

/** A name in double quotes as SQL reads it. */
export function quoteSqlName(name: string): string {
  return `"${name.toWellFormed().replaceAll('"', '""')}"`;
}

/** A text in single quotes as a shell reads it. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
