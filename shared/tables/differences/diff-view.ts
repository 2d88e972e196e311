import { openComparison, type RowComparison } from "./compare-rows.ts";
import type { FoundDiff } from "./diff-tables.ts";
import type { DiffPlan } from "./plan-diff.ts";
import type { TableSide } from "./table-side.ts";

/** Which changes of two tables are written, and how much of them. */
export interface DiffWish {
  /** The kinds of changes, by their numbers. */
  kinds: readonly number[];
  /** The columns; null for all. */
  columns: readonly string[] | null;
}

/** Two compared tables, ready to be written. */
export interface DiffView {
  plan: Pick<DiffPlan, "columns">;
  found: FoundDiff;
  base: TableSide;
  head: TableSide;
  comparison: RowComparison;
  isShown: Uint8Array;
  /** The shown columns in their order: those of the head, then those of the base alone. */
  columns: ShownColumn[];
  keySlots: number[];
}

/** A column and the slots of its cells; -1 in the table that does not have it. */
export interface ShownColumn {
  name: string;
  base: number;
  head: number;
}

const KIND_COUNT = 4;

/** Opens two compared tables for writing. */
export function openView(
  plan: Pick<DiffPlan, "columns">,
  found: FoundDiff,
  sides: { base: TableSide; head: TableSide },
  wish: DiffWish,
): DiffView {
  const { columns } = plan;
  const isShown = new Uint8Array(KIND_COUNT);
  for (const kind of wish.kinds) isShown[kind] = 1;
  const slots = new Map(columns.same.map((name, slot) => [name, { name, base: slot, head: slot }]));
  const first = columns.same.length;
  for (const [at, name] of columns.added.entries()) slots.set(name, { name, base: -1, head: first + at });
  for (const [at, name] of columns.removed.entries()) slots.set(name, { name, base: first + at, head: -1 });
  const names = wish.columns ?? listColumns(plan, sides.head.tableColumns);
  const shown = names.flatMap((name) => slots.get(name) ?? []);
  const keySlots = (found.key ?? []).map((name) => columns.same.indexOf(name));
  const comparison = openComparison(sides.base, sides.head, columns);
  return { plan, found, ...sides, comparison, isShown, columns: shown, keySlots };
}

/** Every column of two tables: those of the head, then those of the base alone. */
export function listColumns({ columns }: Pick<DiffPlan, "columns">, head: readonly string[]): string[] {
  return [...head, ...columns.removed];
}

/** How many changes are shown. */
export function countShown({ found, isShown }: Pick<DiffView, "found" | "isShown">): number {
  return found.counts.reduce((sum, count, kind) => sum + (isShown[kind] === 1 ? count : 0), 0);
}
