import { parseChart } from "../markdown/charts/parse-chart.ts";
import type { DrawingBlock } from "../markdown/drawing-blocks.ts";
import { parseFlowchart } from "../markdown/flowcharts/parse-flowchart.ts";
import { renderChartAsText, renderChartFigure } from "./charts/render-chart-figure.ts";
import { renderFlowchartAsText, renderFlowchartFigure } from "./flowcharts/render-figure.ts";
import { escapeText } from "./svg.ts";

/** The input of a drawing: a block's kind, its number among its kind, and its text. */
export type Drawable = Pick<DrawingBlock, "kind" | "number" | "source">;

/** Raised whenever drawings change, so that no drawing of an older version is served. */
export const DRAWING_VERSION = 7;

/** A placeholder for the prefix of a drawing's ids, which differs from page to page. */
export const ID_PREFIX = "drawing-id-prefix";

/** The HTML figure of a block that was accepted on save; null for one that cannot be drawn. */
export function drawBlock({ kind, number, source }: Drawable): string | null {
  if (kind === "Chart") {
    const parsed = parseChart(source);
    return parsed.ok ? renderChartFigure(parsed.chart, { idPrefix: ID_PREFIX, number }) : null;
  }
  const parsed = parseFlowchart(source);
  return parsed.ok ? renderFlowchartFigure(parsed.flowchart, { idPrefix: ID_PREFIX, number }) : null;
}

/** What stands in the place of a block that is not drawn: its text version; its source where it is not read any more. */
export function renderBlockAsText({ kind, number, source }: Drawable): string {
  if (kind === "Chart") {
    const parsed = parseChart(source);
    if (parsed.ok) return renderChartAsText(parsed.chart, number);
  } else {
    const parsed = parseFlowchart(source);
    if (parsed.ok) return renderFlowchartAsText(parsed.flowchart, number);
  }
  return `<pre tabindex="0"><code>${escapeText(source)}</code></pre>`;
}
