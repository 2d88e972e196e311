import type { Cell, Column, Inspection, TableInspection } from "./verdict.ts";

/** How many rows a sample has, where the table has as many. */
export const SAMPLE_ROWS = 10;
const SAMPLE_BYTES = 1_000_000;

/** The first rows of a table, collected while it is read. */
export interface Sample<Row> {
  add(row: Row): void;
  /** Each sample row as the JSON text of its list of cells. */
  rows(): string[];
  hints(): string[];
}

/** Keeps the first 10 rows; rows are left out from the one that would take their JSON over 1,000,000 bytes. */
export function createSample<Row>(encodeRow: (row: Row) => string): Sample<Row> {
  const kept: Row[] = [];
  let encoded: string[] | null = null;
  const rows = (): string[] => {
    encoded ??= takeWithinBudget(kept.map(encodeRow));
    return encoded;
  };
  return {
    add: (row) => {
      if (kept.length < SAMPLE_ROWS) kept.push(row);
    },
    rows,
    hints: () =>
      rows().length < kept.length
        ? [
            `The sample stops after ${rows().length} of ${kept.length} rows: the next would take it over 1 MB.`,
          ]
        : [],
  };
}

function takeWithinBudget(rows: string[]): string[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += Buffer.byteLength(row);
    return bytes > SAMPLE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
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
