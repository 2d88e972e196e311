import { isNumberText } from "../../../tables/inspection/column-types.ts";
import type { JsonObject } from "./members.ts";

/** The rows that a question of a chart found, as its answer has them. */
export interface KeptRows {
  /** The format of the file: a CSV has texts alone. */
  format: "csv" | "json";
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

/** Reads kept rows from their JSON text; null where there are none. */
export function readKeptRows(json: string | null | undefined): KeptRows | null {
  return json == null ? null : (JSON.parse(json) as KeptRows);
}

/**
 * The rows as the objects that `data.values` would hold: blank cells, those named in `blank` too, are missing, and
 * cells of a CSV in these number fields are read as numbers.
 */
export function toValues(
  { format, columns, rows }: KeptRows,
  blank: readonly string[],
  numberFields: ReadonlySet<string | null>,
): JsonObject[] {
  return rows.map((row) =>
    Object.fromEntries(
      columns.map((column, index) => {
        const cell = row[index] ?? null;
        if (isBlank(cell, blank)) return [column, null];
        const isNumber = format === "csv" && numberFields.has(column) && isNumberCell(cell);
        return [column, isNumber ? Number(cell) : cell];
      }),
    ),
  );
}

function isBlank(cell: unknown, blank: readonly string[]): boolean {
  if (cell === null || cell === "") return true;
  return (typeof cell === "string" || typeof cell === "number") && blank.includes(String(cell));
}

function isNumberCell(cell: unknown): boolean {
  return typeof cell === "string" && isNumberText(cell);
}
