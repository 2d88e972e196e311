import { type FirstCell, KIND_BITS } from "../../../../../shared/tables/inspection/column-types.ts";
import type { Column, ColumnType, Inspection } from "../../../../../shared/tables/inspection/verdict.ts";

/** A filled cell with its type; null where the cell is blank. */
export type TypedCell = { type: ColumnType; text: string } | null;

/** The columns of a table that is all in memory, each with the first cell of each type. */
export function describeColumns(
  names: readonly string[],
  rows: readonly TypedCell[][],
): { columns: Column[]; firstCells: FirstCell[][] } {
  const columns: Column[] = [];
  const firstCells: FirstCell[][] = [];
  for (const [index, name] of names.entries()) {
    const first = new Map<ColumnType, FirstCell>();
    let blanks = 0;
    for (const [row, cells] of rows.entries()) {
      const cell = cells[index] ?? null;
      if (cell === null) blanks++;
      else if (!first.has(cell.type)) {
        first.set(cell.type, {
          kind: KIND_BITS[cell.type as keyof typeof KIND_BITS],
          row: row + 2,
          text: cell.text,
        });
      }
    }
    const [type = "blank"] = first.keys();
    columns.push({ name, type: first.size > 1 ? "mixed" : type, blanks });
    firstCells.push([...first.values()]);
  }
  return { columns, firstCells };
}

/** The inspection of a table with its sample: the first ten rows, up to the one that would take it over a megabyte. */
export function describeTable(
  columns: Column[],
  rows: readonly string[],
): { inspection: Inspection; inspectionJson: string; hints: string[] } {
  const first = rows.slice(0, 10);
  const sample: string[] = [];
  let bytes = 0;
  for (const row of first) {
    bytes += Buffer.byteLength(row);
    if (bytes > 1_000_000) break;
    sample.push(row);
  }
  const [kept, all] = [sample.length, first.length];
  const json = `{"kind":"table","row_count":${rows.length},"columns":${JSON.stringify(columns)},"sample":[${sample.join(",")}]}`;
  const hint = `The sample stops after ${kept} of ${all} rows: the next would take it over 1 MB.`;
  return { inspection: JSON.parse(json), inspectionJson: json, hints: kept < all ? [hint] : [] };
}
