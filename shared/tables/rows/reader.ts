import type { RowReader } from "./cells.ts";
import { createCsvRows } from "./csv-rows.ts";
import { createJsonRows } from "./json-rows.ts";
import type { RowsPlan } from "./plan.ts";

/** What a reader of rows knows of its table. */
export type TableForm = Pick<RowsPlan, "format" | "tableColumns">;

/** A reader of rows that finds the named columns, each in the slot of its place in the list. */
export function createReader({ format, tableColumns }: TableForm, names: readonly string[]): RowReader {
  const slots = new Map(names.map((name, slot) => [name, slot]));
  if (format === "json") return createJsonRows(slots);
  const slotOfColumn = new Int32Array(tableColumns.length);
  for (const [column, name] of tableColumns.entries()) slotOfColumn[column] = slots.get(name) ?? -1;
  return createCsvRows(slotOfColumn, names.length);
}
