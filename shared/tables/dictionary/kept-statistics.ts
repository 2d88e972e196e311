import type { RowsFile } from "../rows/plan.ts";
import type { ShownColumn, TableStats } from "../statistics/read-stats.ts";
import { readBound } from "./bounds.ts";
import { listTables } from "./resolve.ts";
import type { ColumnRules, TableRules } from "./table-rules.ts";

/** What was found out of a file before: its inspection, and its statistics where it has been measured. */
export interface KnownFacts {
  file: RowsFile;
  stats: readonly TableStats[] | null;
}

/** The rules of a table without those that hold by what is known: they are not looked up in the bytes. */
export function leaveOutKnown(rules: TableRules, { file, stats }: KnownFacts): TableRules {
  const table = listTables(file).find(({ position }) => position === rules.position);
  const known = new Map(table?.columns.map(({ name, blanks }) => [name, blanks]));
  const measured = stats?.find((one) => one.table === (table?.name ?? null));
  const shown = new Map(measured?.columns.map((column) => [column.name, column]));
  const isFilled = (name: string) => known.get(name) === 0;
  const isDifferent = (name: string) => {
    const column = shown.get(name);
    return column !== undefined && column.distinct === column.count;
  };
  const [key, ...others] = rules.primaryKey ?? [];
  const isKey =
    key !== undefined &&
    others.length === 0 &&
    key.missing.length === 0 &&
    isFilled(key.name) &&
    isDifferent(key.name);
  return {
    ...rules,
    primaryKey: isKey ? null : rules.primaryKey,
    columns: rules.columns.map((column) => {
      // What counts as blank changes what a column holds.
      if (column.missing.length > 0) return column;
      const { name } = column;
      return {
        ...column,
        required: column.required && !isFilled(name),
        unique: column.unique && !isDifferent(name),
        ...leaveOutBounds(column, shown.get(name)),
      };
    }),
  };
}

/**
 * The bounds of a column that its smallest and largest number do not answer. Statistics round a number of more than a
 * hundred digits, so a bound of the same double is looked up.
 */
function leaveOutBounds(
  { minimum, maximum }: ColumnRules,
  shown: ShownColumn | undefined,
): Pick<ColumnRules, "minimum" | "maximum"> {
  if (shown?.type !== "number" || shown.min === null || shown.max === null) return { minimum, maximum };
  const [least, most] = [Number(shown.min), Number(shown.max)];
  return {
    minimum: isNumber(minimum) && least > Number(minimum) ? null : minimum,
    maximum: isNumber(maximum) && most < Number(maximum) ? null : maximum,
  };
}

function isNumber(bound: string | null): boolean {
  return bound !== null && readBound(bound)?.kind === "number";
}
