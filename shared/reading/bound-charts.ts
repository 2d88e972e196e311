import { listChartRows } from "../../sql/datasets/revision-charts.ts";
import type { BoundRow } from "../../sql/reading/bound-charts.ts";
import type { ShownCharts } from "../datasets/drawings/render-body.ts";
import type { Deps } from "../platform/deps.ts";
import { renderSourceLine } from "../text/charts/render-source-line.ts";
import type { Chart } from "../text/markdown/charts/chart.ts";
import { readKeptRows } from "../text/markdown/charts/kept-rows.ts";
import { parseChart } from "../text/markdown/charts/parse-chart.ts";
import { findDrawingBlocks } from "../text/markdown/drawing-blocks.ts";
import { parseMarkdown } from "../text/markdown/parse.ts";
import { presentSource, sourceLineOf } from "./data-sources.ts";

/** The charts of a revision's text that have their rows from files, as its page shows them; null where it has none. */
export function showCharts(deps: Deps, revisionId: string, rows: readonly BoundRow[]): ShownCharts | null {
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

/** The `bound` members of a revision's charts by their numbers, and the hashes of their rows; a chart that holds its rows has none. */
export function presentBoundCharts(deps: Deps, rows: readonly BoundRow[]) {
  return new Map(
    rows.map((row) => [row.number, { source: presentSource(deps, row), rowsSha256: row.rows_sha256 }]),
  );
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
