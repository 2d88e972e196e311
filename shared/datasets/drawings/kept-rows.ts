import type { Db } from "../../../sql/connection/pool.ts";
import { type ChartRowsRow, listChartRows } from "../../../sql/datasets/revision-charts.ts";
import type { Drawable } from "../../text/drawing/draw-block.ts";

/** The charts of a text that have their rows from files: the revision that keeps those, and their hashes by number. */
export interface KeptCharts {
  revisionId: string;
  hashes: ReadonlyMap<number, string>;
}

/** Kept rows by the number of their chart. */
export type RowsByNumber = ReadonlyMap<number, ChartRowsRow>;

/** Reads the kept rows of a revision once, when the first drawing needs them. */
export function openKeptRows(db: Db, revisionId: string | null): () => Promise<RowsByNumber> {
  let read: Promise<RowsByNumber> | undefined;
  return () => {
    read ??= listByNumber(db, revisionId);
    return read;
  };
}

async function listByNumber(db: Db, revisionId: string | null): Promise<RowsByNumber> {
  const rows = revisionId === null ? [] : await listChartRows(db, revisionId);
  return new Map(rows.map((row) => [row.number, row]));
}

/** The input of a drawing with its kept rows; null where they are gone with the content of their revision. */
export async function fillRows(
  drawable: Drawable,
  rowsHash: string | null,
  loadRows: () => Promise<RowsByNumber>,
): Promise<Drawable | null> {
  if (rowsHash === null) return drawable;
  const row = (await loadRows()).get(drawable.number);
  return row?.rows_sha256 === rowsHash ? { ...drawable, rows: row.rows } : null;
}
