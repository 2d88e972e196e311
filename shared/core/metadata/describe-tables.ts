import type { Column, DocumentInspection, TableInspection, TableSummary } from "../inspect/verdict.ts";
import type { ColumnForm } from "../stats/column-form.ts";
import type { DescribedColumn, DescribedTable } from "./described-work.ts";

/** What inspection found, without its sample. */
type Found = Pick<TableInspection, "kind" | "columns"> | Pick<DocumentInspection, "kind"> | null;

/** A file may hold a hundred thousand lists: its description stays as wide as that of the widest table. */
const MOST_TABLES = 100;
const MOST_COLUMNS = 10_000;

/** The tables that inspection found in a file, with the forms of their columns as far as those were measured. */
export function describeTables(
  found: Found,
  tables: readonly TableSummary[],
  forms: readonly (readonly ColumnForm[])[],
): DescribedTable[] {
  let left = MOST_COLUMNS;
  return listTables(found, tables)
    .slice(0, MOST_TABLES)
    .flatMap(({ list, columns }, place) => {
      left -= columns.length;
      if (left < 0) return [];
      const own = forms[place] ?? [];
      return [{ list, columns: columns.map((column, at) => describeColumn(column, own[at] ?? null)) }];
    });
}

/** A column by its cells; what it means is added here. */
function describeColumn({ name, type, blanks }: Column, form: ColumnForm | null): DescribedColumn {
  return { name, type, blanks, form };
}

function listTables(
  found: Found,
  tables: readonly TableSummary[],
): { list: string | null; columns: Column[] }[] {
  if (found?.kind === "table") return [{ list: null, columns: found.columns }];
  return tables.map(({ name, columns }) => ({ list: name, columns }));
}
