import type { Column, ColumnType, Inspection } from "../../../../../shared/tables/inspection/verdict.ts";

/** A filled cell with its type; null where the cell is blank. */
export type TypedCell = { type: ColumnType; text: string } | null;

/** The columns of a table that is all in memory. */
export function describeColumns(names: readonly string[], rows: readonly TypedCell[][]): Column[] {
  return names.map((name, index) => {
    const cells = rows.map((row) => row[index] ?? null);
    const types = new Set(cells.flatMap((cell) => cell?.type ?? []));
    const [type = "blank"] = types;
    return {
      name,
      type: types.size > 1 ? "mixed" : type,
      blanks: cells.filter((cell) => cell === null).length,
    };
  });
}

/** The inspection of a table with its sample: the first ten rows, up to the one that would take it over a megabyte. */
export function describeTable(
  columns: Column[],
  rows: readonly string[],
): { inspection: Inspection; inspectionJson: string } {
  const first = rows.slice(0, 10);
  const sample: string[] = [];
  let bytes = 0;
  for (const row of first) {
    bytes += Buffer.byteLength(row);
    if (bytes > 1_000_000) break;
    sample.push(row);
  }
  const json = `{"kind":"table","row_count":${rows.length},"columns":${JSON.stringify(columns)},"sample":[${sample.join(",")}]}`;
  return { inspection: JSON.parse(json), inspectionJson: json };
}
