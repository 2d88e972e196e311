import { renderChartAsText, renderChartFigure } from "../charts/render-chart-figure.ts";
import { renderFlowchartAsText, renderFlowchartFigure } from "../flowcharts/render-figure.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { parseChart } from "../markdown/charts/parse-chart.ts";
import { readKeptRows } from "../markdown/charts/read-source.ts";
import type { DrawingBlock } from "../markdown/drawing-blocks.ts";
import { parseFlowchart } from "../markdown/flowcharts/parse-flowchart.ts";
import { escapeText } from "./svg.ts";

/**
 * The input of a drawing: a block's kind, its number among its kind, and its text; of a chart with `data.from` the kept
 * rows too, as JSON text.
 */
export interface Drawable extends Pick<DrawingBlock, "kind" | "number" | "source"> {
  rows?: string;
}

/** Raised whenever drawings change, so that no drawing of an older version is served. */
export const DRAWING_VERSION = 11;

/** A placeholder for the prefix of a drawing's ids, which differs from page to page. */
export const ID_PREFIX = "drawing-id-prefix";

/**
 * The chart of a block with the rows that it draws; null for one that is not read any more. Figures, tables and chart
 * files all have their rows from here.
 */
export function readChart({ source, rows }: Pick<Drawable, "source" | "rows">): Chart | null {
  const parsed = parseChart(source, readKeptRows(rows));
  return parsed.ok ? parsed.chart : null;
}

/** The HTML figure of a block that was accepted on save; null for one that cannot be drawn. */
export function drawBlock(block: Drawable): string | null {
  const { kind, number, source } = block;
  if (kind === "Chart") {
    const chart = readChart(block);
    return chart && renderChartFigure(chart, { idPrefix: ID_PREFIX, number });
  }
  const parsed = parseFlowchart(source);
  return parsed.ok ? renderFlowchartFigure(parsed.flowchart, { idPrefix: ID_PREFIX, number }) : null;
}

/** What stands in the place of a block that is not drawn: its text version; its source where it is not read any more. */
export function renderBlockAsText(block: Drawable): string {
  const { kind, number, source } = block;
  if (kind === "Chart") {
    const chart = readChart(block);
    if (chart !== null) return renderChartAsText(chart, number);
  } else {
    const parsed = parseFlowchart(source);
    if (parsed.ok) return renderFlowchartAsText(parsed.flowchart, number);
  }
  return `<pre tabindex="0"><code>${escapeText(source)}</code></pre>`;
}
