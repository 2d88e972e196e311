import type { FoundDiff } from "./diff-tables.ts";
import type { DiffPlan } from "./plan-diff.ts";

/** How many rows and cells changed between two tables, as answers tell it. */
export interface DiffSummary {
  added: number;
  removed: number;
  changed: number;
  moved: number;
  same: number;
  cells: number;
  /** Columns of both tables with changed cells, in the order of the head. */
  by_column: { name: string; changed: number }[];
}

/** The counts of a comparison, as answers tell them. */
export function presentCounts({ columns }: Pick<DiffPlan, "columns">, found: FoundDiff): DiffSummary {
  const [added, removed, changed, moved] = found.counts;
  const byColumn = columns.same.flatMap((name, place) => {
    const times = found.byColumn[place] ?? 0;
    return times === 0 ? [] : [{ name, changed: times }];
  });
  return { added, removed, changed, moved, same: found.same, cells: found.cells, by_column: byColumn };
}
