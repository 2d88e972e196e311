import type { IndexedTable } from "../inspection/reading-index.ts";
import { findPlace, findRowRange, type RowsWindow } from "./page.ts";
import type { RowsPlan } from "./plan.ts";

/** Bytes of a file that are read at once: what one export holds in memory, unless a single row is larger. */
const WINDOW_BYTES = 196_608;

/**
 * Cuts the part of a table that a query may have to read into windows of complete rows, in the query's order.
 * With conditions that is every row; without, the rows between offset and limit.
 */
export function* cutWindows(plan: RowsPlan, table: IndexedTable): Generator<RowsWindow> {
  const isFiltered = plan.query.filters.length > 0;
  const [first, last] = isFiltered ? [0, plan.total] : findRowRange(plan);
  if (first >= last) return;
  const groups = groupPlaces(table, findPlace(table.rows, first + 1) - 1, findPlace(table.rows, last));
  if (plan.query.from === "end") groups.reverse();
  for (const [from, to] of groups) {
    const firstRow = Math.max(first, table.rows[from] ?? 0);
    const lastRow = Math.min(last, table.rows[to] ?? plan.total);
    yield {
      skip: firstRow - (table.rows[from] ?? 0),
      rowCount: lastRow - firstRow,
      start: table.offsets[from] ?? 0,
      end: table.offsets[to] ?? table.end,
    };
  }
}

/** Runs of places that begin within one window's bytes: the first of each, and the first after it. */
function groupPlaces({ offsets }: IndexedTable, first: number, end: number): [number, number][] {
  const groups: [number, number][] = [];
  let from = first;
  for (let place = first + 1; place < end; place++) {
    if ((offsets[place + 1] ?? offsets[place] ?? 0) - (offsets[from] ?? 0) <= WINDOW_BYTES) continue;
    groups.push([from, place]);
    from = place;
  }
  groups.push([from, end]);
  return groups;
}
