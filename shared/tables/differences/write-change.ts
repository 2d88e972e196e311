import { CELL, type CellPlaces } from "../rows/cells.ts";
import { MOST_GROWTH, makeRoom, type RowWriter, writeCell } from "../rows/row-writer.ts";
import type { DiffView, ShownColumn } from "./diff-view.ts";
import { CHANGE, CHANGE_NAMES } from "./list-changes.ts";
import { numberRow, type SideReader } from "./table-side.ts";

/** Writes one change as a JSON object. */
export function writeChange(writer: RowWriter, view: DiffView, at: number): void {
  const { found, comparison, base, head, keySlots } = view;
  const kind = found.kinds[at] as number;
  const [baseRow, headRow] = [found.bases[at] as number, found.heads[at] as number];
  if (kind === CHANGE.changed) comparison.compare(baseRow, headRow);
  else if (kind === CHANGE.removed) comparison.base.locate(baseRow);
  else comparison.head.locate(headRow);
  const shown = kind === CHANGE.removed ? comparison.base : comparison.head;
  put(writer, `{"change":"${CHANGE_NAMES[kind]}","key":`);
  if (found.key === null) put(writer, "null");
  else putList(writer, "[]", keySlots, (slot) => putCell(writer, shown, slot));
  const baseNumber = kind === CHANGE.added ? null : numberRow(base.format, baseRow);
  const headNumber = kind === CHANGE.removed ? null : numberRow(head.format, headRow);
  put(writer, `,"base_row":${baseNumber},"head_row":${headNumber}`);
  if (kind === CHANGE.changed) putChangedCells(writer, view);
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
