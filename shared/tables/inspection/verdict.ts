/** The result of inspection, and the error that passes a refusal out of the readers. */

export type FileFormat = "csv" | "json" | "txt" | "md";

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
      hints: string[];
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
}

/** The file breaks a rule; the message is the sentence its owner reads. */
export class FileRefused extends Error {
  override name = "FileRefused";
}
