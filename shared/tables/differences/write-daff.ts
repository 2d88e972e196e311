import { type RowWriter, textOfCell } from "../rows/cells.ts";
import { markLongestRun } from "./common-run.ts";
import type { SideReader } from "./compare-rows.ts";
import { CHANGE } from "./list-changes.ts";
import { type DiffView, put, type ShownColumn } from "./write-change.ts";

/** Opens a writer of the tabular diff format of daff (https://paulfitz.github.io/daff-doc/spec.html). */
export function openDaffWriter(view: DiffView, isWhole: boolean) {
  const { base, head, found } = view;
  const layout = isWhole
    ? layOutColumns(view.columns, { base: base.tableColumns, head: head.tableColumns })
    : { columns: view.columns, marks: view.columns.map(markOf) };
  const gap = `${["...", ...layout.columns.map(() => "...")].join(",")}\r\n`;
  const writeStay = (writer: RowWriter, row: number): void => {
    view.comparison.head.locate(row);
    putLine(writer, "", textsOf(layout, view.comparison.head, "head"));
  };
  return {
    /** The row of schema, where columns come, go or move, and the header. */
    writeHeader: (writer: RowWriter): void => {
      if (layout.marks.some((mark) => mark !== "")) putLine(writer, "!", layout.marks);
      putLine(
        writer,
        "@@",
        layout.columns.map(({ name }) => name),
      );
    },
    /** A change, with the row before it that stays and what stays between it and the change before. */
    writeChange: (writer: RowWriter, at: number): void => {
      const [from, to] = [findEnd(view, at - 1), found.heads[at] as number];
      if (at > 0 && from < to) writeStay(writer, from);
      if (to - from > (at > 0 ? 2 : 1)) put(writer, gap);
      if (to - from > (at > 0 ? 1 : 0)) writeStay(writer, to - 1);
      putChange(writer, view, layout, at);
    },
    /** The row that stays behind the last change. */
    writeEnd: (writer: RowWriter): void => {
      const from = findEnd(view, found.kinds.length - 1);
      if (found.kinds.length === 0 || from === head.rowCount) return;
      writeStay(writer, from);
      if (head.rowCount - from > 1) put(writer, gap);
    },
  };
}

function markOf({ base, head }: ShownColumn): string {
  if (head === -1) return "---";
  return base === -1 ? "+++" : "";
}

/** The row of the head behind a change; the first where there is no change. */
function findEnd({ found }: DiffView, at: number): number {
  if (at < 0) return 0;
  return (found.heads[at] as number) + (found.kinds[at] === CHANGE.removed ? 0 : 1);
}

function putChange(writer: RowWriter, view: DiffView, layout: DaffLayout, at: number): void {
  const { found, comparison } = view;
  const { base, head } = comparison;
  const kind = found.kinds[at] as number;
  if (kind === CHANGE.changed || kind === CHANGE.columns) {
    comparison.compare(found.bases[at] as number, found.heads[at] as number);
    putChanged(writer, view, layout);
  } else if (kind === CHANGE.removed) {
    base.locate(found.bases[at] as number);
    putLine(writer, "---", textsOf(layout, base, "base"));
  } else {
    head.locate(found.heads[at] as number);
    putLine(writer, kind === CHANGE.added ? "+++" : ":", textsOf(layout, head, "head"));
  }
}

function putChanged(writer: RowWriter, { comparison }: DiffView, layout: DaffLayout): void {
  const { base, head, changed, changedCount } = comparison;
  const [before, after] = [textsOf(layout, base, "base"), textsOf(layout, head, "head")];
  const differing = new Set(changed.subarray(0, changedCount));
  const hasChanged = layout.columns.map((column) => column.base !== -1 && differing.has(column.head));
  // Programs mark spaces where cells differ in nothing else, and would write the marks into the table.
  const isSpaces = (place: number) => withoutSpaces(before[place]) === withoutSpaces(after[place]);
  if (hasChanged.some((has, place) => has && isSpaces(place))) {
    putLine(writer, "---", before);
    putLine(writer, "+++", after);
    return;
  }
  const arrow = findArrow([...before, ...after]);
  const cells = layout.columns.map((column, place) => {
    if (hasChanged[place] === true) return `${before[place]}${arrow}${after[place]}`;
    return (column.head === -1 ? before[place] : after[place]) ?? "";
  });
  putLine(writer, changedCount > 0 ? arrow : "+", cells);
}

function withoutSpaces(text: string | undefined): string {
  return (text ?? "").replaceAll(" ", "");
}

/** An arrow that no cell holds. */
function findArrow(texts: readonly string[]): string {
  let arrow = "->";
  while (texts.some((text) => text.includes(arrow))) arrow = `-${arrow}`;
  return arrow;
}

function textsOf({ columns }: DaffLayout, row: SideReader, side: "base" | "head"): string[] {
  return columns.map((column) => {
    const slot = column[side];
    return slot === -1 ? "" : (textOfCell(row.bytes, row.places, slot) ?? "");
  });
}

// Programs take spaces at the ends of a value for part of it in quotes alone.
const NEEDS_QUOTES = /[",\r\n\t]|^ | $/;

function putLine(writer: RowWriter, action: string, texts: readonly string[]): void {
  const cells = texts.map((text) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
  put(writer, `${[action, ...cells].join(",")}\r\n`);
}

/** The columns of a tabular diff in their order, and what its row of schema says of each. */
interface DaffLayout {
  columns: ShownColumn[];
  /** Empty for a column that stays. */
  marks: string[];
}

/** Lays out every column of two tables: in the order of the head, a removed one where it stood. */
function layOutColumns(
  columns: readonly ShownColumn[],
  { base, head }: { base: readonly string[]; head: readonly string[] },
): DaffLayout {
  const [inBase, inHead] = [placesOf(base), placesOf(head)];
  const byHead = columns.filter(({ name }) => inHead.has(name));
  const gone = columns.filter(({ name }) => !inHead.has(name));
  const order: ShownColumn[] = [];
  const addGone = (after: string | null) => {
    for (const column of gone)
      if (findBefore(base, inBase, inHead, column.name) === after) order.push(column);
  };
  addGone(null);
  for (const column of byHead) {
    order.push(column);
    if (column.base !== -1) addGone(column.name);
  }
  const stays = markStaying(byHead, inBase);
  const marks = order.map(({ name, base: inOld, head: inNew }) => {
    if (inNew === -1) return "---";
    if (inOld === -1) return "+++";
    return stays.has(name) ? "" : ":";
  });
  return { columns: order, marks };
}

function placesOf(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, place) => [name, place]));
}

/** The column of both tables that stands before a removed one in the base. */
function findBefore(
  base: readonly string[],
  inBase: Map<string, number>,
  inHead: Map<string, number>,
  name: string,
): string | null {
  for (let place = (inBase.get(name) ?? 0) - 1; place >= 0; place--) {
    const before = base[place] as string;
    if (inHead.has(before)) return before;
  }
  return null;
}

function markStaying(columns: readonly ShownColumn[], inBase: Map<string, number>): Set<string> {
  const both = columns.filter(({ base }) => base !== -1);
  const run = markLongestRun(Int32Array.from(both, ({ name }) => inBase.get(name) ?? 0));
  return new Set(both.flatMap(({ name }, place) => (run[place] === 1 ? [name] : [])));
}
