import { CELL, type CellPlaces, MOST_GROWTH, makeRoom, type RowWriter, writeCell } from "../rows/cells.ts";
import { numberRow } from "../rows/plan.ts";
import { openComparison, type RowComparison, type SideReader, type TableSide } from "./compare-rows.ts";
import type { FoundDiff } from "./diff-tables.ts";
import { CHANGE, CHANGE_NAMES } from "./list-changes.ts";
import type { DiffPlan } from "./plan-diff.ts";

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

/** Opens two compared tables for writing. */
export function openView(
  plan: Pick<DiffPlan, "columns">,
  found: FoundDiff,
  sides: { base: TableSide; head: TableSide },
  wish: DiffWish,
): DiffView {
  const { columns } = plan;
  const isShown = new Uint8Array(CHANGE_NAMES.length);
  for (const kind of wish.kinds) isShown[kind] = 1;
  const slots = new Map(columns.same.map((name, slot) => [name, { name, base: slot, head: slot }]));
  const first = columns.same.length;
  for (const [at, name] of columns.added.entries()) slots.set(name, { name, base: -1, head: first + at });
  for (const [at, name] of columns.removed.entries()) slots.set(name, { name, base: first + at, head: -1 });
  const names = wish.columns ?? [...sides.head.tableColumns, ...columns.removed];
  const shown = names.flatMap((name) => slots.get(name) ?? []);
  const keySlots = (found.key ?? []).map((name) => columns.same.indexOf(name));
  const comparison = openComparison(sides.base, sides.head, columns);
  return { plan, found, ...sides, comparison, isShown, columns: shown, keySlots };
}

/** How many changes are shown. */
export function countShown({ found, isShown }: Pick<DiffView, "found" | "isShown">): number {
  return found.counts.reduce((sum, count, kind) => sum + (isShown[kind] === 1 ? count : 0), 0);
}

/** Writes one change as a JSON object. */
export function writeChange(writer: RowWriter, view: DiffView, at: number): void {
  const { found, comparison, head, keySlots } = view;
  const isCsv = head.format === "csv";
  const kind = found.kinds[at] as number;
  const [baseRow, headRow] = [found.bases[at] as number, found.heads[at] as number];
  const isPair = kind === CHANGE.changed || kind === CHANGE.columns;
  if (isPair) comparison.compare(baseRow, headRow);
  else if (kind === CHANGE.removed) comparison.base.locate(baseRow);
  else comparison.head.locate(headRow);
  const shown = kind === CHANGE.removed ? comparison.base : comparison.head;
  put(writer, `{"change":"${CHANGE_NAMES[kind]}","key":`);
  if (found.key === null) put(writer, "null");
  else putList(writer, "[]", keySlots, (slot) => putCell(writer, shown, slot));
  const baseNumber = kind === CHANGE.added ? null : numberRow(baseRow, isCsv);
  const headNumber = kind === CHANGE.removed ? null : numberRow(headRow, isCsv);
  put(writer, `,"base_row":${baseNumber},"head_row":${headNumber}`);
  if (isPair) putChangedCells(writer, view);
  else if (kind !== CHANGE.moved) putRow(writer, view, shown);
  put(writer, "}");
}

function putRow(writer: RowWriter, { columns, comparison }: DiffView, row: SideReader): void {
  const isHead = row === comparison.head;
  const own = columns.filter((column) => slotOf(column, isHead) !== -1);
  put(writer, ',"row":');
  putList(writer, "{}", own, (column) => {
    put(writer, `${JSON.stringify(column.name)}:`);
    putCell(writer, row, slotOf(column, isHead));
  });
}

function slotOf({ base, head }: ShownColumn, isHead: boolean): number {
  return isHead ? head : base;
}

/** The cells before and after, of the columns whose cells differ. */
function putChangedCells(writer: RowWriter, { columns, comparison }: DiffView): void {
  const { base, head, changed, changedCount } = comparison;
  const differing = new Set(changed.subarray(0, changedCount));
  const hasChanged = (column: ShownColumn): boolean => {
    if (column.base === -1) return isFilled(head.places, column.head);
    if (column.head === -1) return isFilled(base.places, column.base);
    return differing.has(column.head);
  };
  put(writer, ',"cells":');
  putList(writer, "{}", columns.filter(hasChanged), (column) => {
    put(writer, `${JSON.stringify(column.name)}:[`);
    putCell(writer, base, column.base);
    put(writer, ",");
    putCell(writer, head, column.head);
    put(writer, "]");
  });
}

function isFilled({ kinds }: CellPlaces, slot: number): boolean {
  return kinds[slot] !== CELL.null;
}

function putList<Item>(
  writer: RowWriter,
  brackets: "[]" | "{}",
  items: readonly Item[],
  putItem: (item: Item) => void,
): void {
  put(writer, brackets.charAt(0));
  for (const [place, item] of items.entries()) {
    if (place > 0) put(writer, ",");
    putItem(item);
  }
  put(writer, brackets.charAt(1));
}

/** Writes a cell as answers about rows have it; `null` where the table has no such column. */
function putCell(writer: RowWriter, { bytes, places }: SideReader, slot: number): void {
  if (slot === -1) {
    put(writer, "null");
    return;
  }
  const cellBytes = (places.ends[slot] as number) - (places.starts[slot] as number);
  makeRoom(writer, MOST_GROWTH * Math.max(cellBytes, 0) + 16);
  writeCell(writer, bytes, places, slot);
}

/** Writes text. */
export function put(writer: RowWriter, text: string): void {
  makeRoom(writer, 3 * text.length);
  writer.length += writer.out.write(text, writer.length, "utf8");
}
