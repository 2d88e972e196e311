import type { ShownColumn } from "./diff-view.ts";
import { markLongestRun } from "./longest-run.ts";

/** The columns of a tabular diff in their order, and what its row of schema says of each. */
export interface DaffLayout {
  columns: ShownColumn[];
  /** Empty for a column that stays. */
  marks: string[];
}

/** Lays out every column of two tables: in the order of the head, a removed one where it stood. */
export function layOutColumns(
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
