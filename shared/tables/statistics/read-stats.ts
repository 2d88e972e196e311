import type { ColumnStats } from "./summarize-column.ts";

/** The statistics of a column as a page shows them: its smallest and largest number keep the digits of the file. */
export type ShownColumn = Omit<ColumnStats, "min" | "max"> & { min: string | null; max: string | null };

/** The statistics of one table of a file; `table` is the key of its list, null where the file itself is the table. */
export interface TableStats {
  table: string | null;
  row_count: number;
  columns: ShownColumn[];
  columns_left_out: number;
}

/** Reads stored statistics (`measure-file.ts`); a file that took too long to measure has none. */
export function readTableStats(json: string): TableStats[] {
  return JSON.parse(json, readMember);
}

function readMember(key: string, value: unknown, context?: { source?: string }): unknown {
  return (key === "min" || key === "max") && typeof value === "number"
    ? (context?.source ?? String(value))
    : value;
}
