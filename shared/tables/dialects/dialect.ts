import type { FieldErrors } from "../../ground/errors.ts";
import type { Hint } from "../inspection/hints.ts";
import type { ColumnType } from "../inspection/verdict.ts";

/** How a text file writes a table, in the words of Data Package's Table Dialect 2.0; what is left out has its default. */
export interface Dialect {
  delimiter?: string;
  quoteChar?: '"' | "'" | null;
  doubleQuote?: boolean;
  escapeChar?: "\\" | null;
  lineTerminator?: "\r";
  skipInitialSpace?: boolean;
  header?: boolean;
  headerRows?: number[];
  commentChar?: string | null;
  nullColumns?: "name" | "refuse";
  encoding?: string;
  decimalChar?: "," | ".";
  groupChar?: "." | "," | " " | "\u00a0" | "\u202f" | "'";
  columns?: string[];
  rows?: [first: number, last: number | null];
}

/** A row of the file as sent that is no part of the table, cut at 200 characters. */
export interface LeftOutRow {
  row: number;
  text: string;
}

/** What a reading changes and leaves out. */
export interface Reading {
  dialect: Dialect;
  changes: string[];
  left_out: LeftOutRow[];
  left_out_count: number;
}

/** A reading under which a file is a sound table. */
export interface Plan extends Reading {
  columns: { name: string; generated: boolean; type: ColumnType }[];
  row_count: number;
  sample: (string | null)[][];
}

/** How a file was read by a dialect. */
export interface Converted extends Reading {
  names: { name: string; generated: boolean }[];
  hints: Hint[];
  /** The row of the file as sent that became a row of the canonical file, where the header is row 1; 0 for names that no row has. */
  sourceRow(canonicalRow: number): number;
}

/** The file shows that its dialect cannot be meant: faults by field, such as `dialect.rows`. */
export class DialectRefused extends Error {
  override name = "DialectRefused";
  readonly faults: FieldErrors;

  constructor(faults: FieldErrors) {
    super(Object.values(faults).flat().join(" "));
    this.faults = faults;
  }
}

/** The refusal of one member. */
export function refuseMember(member: string, sentence: string): DialectRefused {
  return new DialectRefused({ [`dialect.${member}`]: [sentence] });
}
