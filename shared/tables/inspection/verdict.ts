import { type Hint, hint } from "./hints.ts";

/** The result of inspection, and the error that passes a refusal out of the readers. */

export type FileFormat = "csv" | "json" | "txt" | "md";

/** The format of a file as sent: JSON Lines are read as the list of their objects. */
export type SentFormat = FileFormat | "jsonl";

/** The format in which a file is read. */
export function formatAsRead(format: SentFormat): FileFormat {
  return format === "jsonl" ? "json" : format;
}

export type ColumnType = "number" | "text" | "date" | "boolean" | "blank" | "mixed" | "object" | "array";

export interface Column {
  name: string;
  type: ColumnType;
  /** Cells without a value: empty, null or missing. */
  blanks: number;
}

/** A cell as JavaScript sees it; numbers beyond double precision are exact only in `inspectionJson`. */
export type Cell = string | number | boolean | null | Cell[] | { [name: string]: Cell };

export interface TableInspection {
  kind: "table";
  row_count: number;
  columns: Column[];
  sample: Cell[][];
}

export interface Outline {
  type: "object" | "array" | "text" | "number" | "boolean" | "null";
  /** Members of an object, items of an array. */
  count?: number;
  /** The first members of an object, in file order. */
  members?: ({ name: string } & Outline)[];
  /** The kinds of an array's items, in order of first appearance. */
  item_types?: Outline["type"][];
  /** The outline of an array's first item, when that has a structure of its own. */
  first_item?: Outline;
}

export interface DocumentInspection {
  kind: "document";
  outline: Outline;
  tables: string[];
}

export type Inspection = TableInspection | DocumentInspection;

/** A list of records under a top-level key of a JSON document. */
export interface TableSummary {
  name: string;
  /**
   * Which top-level member holds the list, from 0: this separates a repeated key's last value from the
   * earlier ones.
   */
  position: number;
  row_count: number;
  columns: Column[];
}

export type Verdict =
  | {
      ok: true;
      inspection: Inspection | null;
      /** The inspection as JSON text with every number as the file writes it; null with the inspection. */
      inspectionJson: string | null;
      tables: TableSummary[];
      hints: Hint[];
      /** The places of the rows (`reading-index.ts`), for the rows reader; null where there is no table. */
      readingIndex: Uint8Array | null;
      /** How many rows an appended part brought; left out where nothing was appended. */
      rowsAdded?: number;
    }
  | { ok: false; reason: string };

/** How a file is read. */
export interface InspectOptions {
  /** How much is decoded at once; it never changes the outcome. */
  blockBytes?: number | undefined;
  /** The byte at which an appended part begins: refusals then count rows and lines as the part has them. */
  partFrom?: number | undefined;
  /** Whether the sender named how the file is to be read: what only seems to be meant otherwise is a hint then. */
  isNamed?: boolean | undefined;
  /** The row that a sender knows a row by, where this is the canonical form of another file; 0 for names that no row has. */
  sourceRow?: ((row: number) => number) | undefined;
}

/** What is told of a file that another dialect may read: the sentence before the advice, and its end. */
export interface Advice {
  says: string;
  dialect: object;
  otherwise: string;
}

/** The sentence that advises a dialect. */
export function writeAdvice({ says, dialect, otherwise }: Advice): string {
  return `${says} Send it with the dialect ${JSON.stringify(dialect)}${otherwise}`;
}

/** The file breaks a rule; the message is the sentence its owner reads. */
export class FileRefused extends Error {
  override name = "FileRefused";
  /** The message without its mend, for a look at the whole file that may find the cause; null where none is sought. */
  readonly fault: string | null;
  /** What the message says, where it advises a dialect that nobody has tried. */
  readonly advice: Advice | null;
  constructor(message: string | Advice, fault: string | null = null) {
    super(typeof message === "string" ? message : writeAdvice(message));
    this.fault = fault;
    this.advice = typeof message === "string" ? null : message;
  }
}

/** The refusal of a fault with its mend, in whose place the cause may stand. */
export function refuseFault(fault: string, mend: string): FileRefused {
  return new FileRefused(`${fault} ${mend}`, fault);
}

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

const PLACES = ["Row ", "Line ", "Item "];

/** A refusal of an appended part: where it names a place, it says whose. */
export function describePartFault(reason: string): string {
  if (!PLACES.some((place) => reason.startsWith(place))) return reason;
  return `${reason} Rows and lines are those of the file that you sent, not of the whole.`;
}

/** How many rows a sample has, where the table has as many. */
export const SAMPLE_ROWS = 10;
const SAMPLE_BYTES = 1_000_000;

/**
 * The first rows of a table, each as the JSON text of its list of cells, without those from the one that would take them
 * over 1,000,000 bytes; `hints` say where there is such a row.
 */
export function encodeSample<Row>(
  first: readonly Row[],
  encodeRow: (row: Row) => string,
): { rows: string[]; hints: Hint[] } {
  const encoded = first.map(encodeRow);
  let bytes = 0;
  const end = encoded.findIndex((row) => {
    bytes += Buffer.byteLength(row);
    return bytes > SAMPLE_BYTES;
  });
  if (end === -1) return { rows: encoded, hints: [] };
  const message = `The sample stops after ${end} of ${first.length} rows: the next would take it over 1 MB.`;
  return { rows: encoded.slice(0, end), hints: [hint("sample_cut", message, { rows: [end + 2] })] };
}

/** A table's inspection, as value and as JSON text that keeps every number as it was written. */
export function encodeInspection(
  rowCount: number,
  columns: Column[],
  sampleRows: string[],
): { inspection: Inspection; inspectionJson: string } {
  const inspection: TableInspection = {
    kind: "table",
    row_count: rowCount,
    columns,
    sample: sampleRows.map((row): Cell[] => JSON.parse(row)),
  };
  const inspectionJson = `{"kind":"table","row_count":${rowCount},"columns":${JSON.stringify(columns)},"sample":[${sampleRows.join(",")}]}`;
  return { inspection, inspectionJson };
}
