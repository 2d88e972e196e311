import type { Db } from "../../../sql/connection/pool.ts";
import { type ChartRowsRow, listChartRows } from "../../../sql/datasets/kept-answers.ts";
import type { Deps } from "../../platform/deps.ts";
import { type Drawable, readChart } from "../../text/drawing/draw-block.ts";
import type { Chart } from "../../text/markdown/charts/chart.ts";
import type { DrawingBlock } from "../../text/markdown/drawing-blocks.ts";

type TextChart = ReturnType<typeof toTextChart>;

/** The charts of a Markdown text that was accepted on save, all with rows of their own. */
export async function listCharts(deps: Deps, markdown: string): Promise<readonly TextChart[]> {
  return (await findChartBlocks(deps, markdown)).flatMap((block) => {
    const chart = readChart(block);
    return chart === null ? [] : [toTextChart(block.number, chart)];
  });
}

/** What is told of a chart: its number among those of the text, from 1, its title, and how many rows it draws. */
export function toTextChart(number: number, { title, rows }: Chart) {
  return { number, title, rows: rows.length };
}

/** Whether a text may hold charts: most have none, and need not be parsed to tell so. */
export function mayHoldCharts(markdown: string): boolean {
  return /chart/i.test(markdown);
}

/** The charts of a Markdown text, as its blocks. */
export async function findChartBlocks(deps: Deps, markdown: string): Promise<DrawingBlock[]> {
  if (!mayHoldCharts(markdown)) return [];
  return (await deps.texts.read(markdown)).blocks.filter(({ kind }) => kind === "Chart");
}

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
