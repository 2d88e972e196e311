import { type BoundRow, listBoundCharts } from "../../sql/readers/bound-charts.ts";
import { listChartRows } from "../../sql/revision-charts.ts";
import { renderSourceLine } from "../core/draw/charts/render-source-line.ts";
import type { Chart } from "../core/markdown/charts/chart.ts";
import { readKeptRows } from "../core/markdown/charts/kept-rows.ts";
import { parseChart } from "../core/markdown/charts/parse-chart.ts";
import { findDrawingBlocks } from "../core/markdown/drawing-blocks.ts";
import { parseMarkdown } from "../core/markdown/parse.ts";
import type { Deps } from "../deps.ts";
import type { ShownCharts } from "../drawings/render-body.ts";
import { presentSource, sourceLineOf } from "./data-sources.ts";

/** The charts of a revision's text that have their rows from files, as its page shows them; null where it has none. */
export async function showCharts(deps: Deps, revisionId: string): Promise<ShownCharts | null> {
  const rows = await listBoundCharts(deps.pool, revisionId);
  if (rows.length === 0) return null;
  return {
    revisionId,
    hashes: new Map(rows.map(({ number, rows_sha256 }) => [number, rows_sha256])),
    lines: new Map(rows.map((row) => [row.number, renderLine(deps, row)])),
  };
}

function renderLine(deps: Deps, row: BoundRow): string {
  return renderSourceLine(sourceLineOf(deps, row, countRows(row.row_count, row.rows_found)));
}

function countRows(count: number, found: number): string {
  const noun = found === 1 ? "row" : "rows";
  return count === found ? `${count} ${noun}` : `${count} of ${found} ${noun}`;
}

/** The `bound` members of a revision's charts by their numbers; a chart that holds its rows has none. */
export async function presentBoundCharts(deps: Deps, revisionId: string) {
  const rows = await listBoundCharts(deps.pool, revisionId);
  return new Map(rows.map((row) => [row.number, presentSource(deps, row)]));
}

/**
 * The charts of a revision's text by their numbers, as they are drawn: from the rows of the block, or from those that
 * the revision keeps.
 */
export async function readCharts(deps: Deps, revisionId: string, text: string): Promise<Map<number, Chart>> {
  const kept = new Map((await listChartRows(deps.pool, revisionId)).map((row) => [row.number, row.rows]));
  const charts = new Map<number, Chart>();
  for (const { kind, number, source } of findDrawingBlocks(parseMarkdown(text))) {
    if (kind !== "Chart") continue;
    const parsed = parseChart(source, readKeptRows(kept.get(number)));
    if (parsed.ok) charts.set(number, parsed.chart);
  }
  return charts;
}
