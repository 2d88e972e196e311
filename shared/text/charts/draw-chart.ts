import { wrapText } from "../drawing/measure-text.ts";
import { element, type SvgAttributes, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { DRAWING_FONT } from "../theme/tokens.ts";
import { describeChart, nameChart } from "./chart-words.ts";
import { setFieldName } from "./field-words.ts";
import { BLEED_PX, CHART_SIZES, drawLabel } from "./frame.ts";
import { drawLegend } from "./legend.ts";
import { drawHatches } from "./palette.ts";
import { isFilled, planPanels } from "./panels.ts";

/** How a chart is drawn; ids within it begin with `idPrefix`, so that several can stand on one page. */
interface DrawOptions {
  idPrefix: string;
  /** Whether bars and areas carry the hatches that a stylesheet may show; true by default. */
  hatched?: boolean;
  /** "wide" is 640 px for a column of text, "narrow" 320 px for a phone; type has the same size in both. */
  size?: "wide" | "narrow";
}

const FRAMES = {
  wide: { widthPx: 640, plotPx: 280, ticks: 6, tips: true },
  narrow: { widthPx: 320, plotPx: 220, ticks: 5, tips: false },
} as const;
// More tips than this double the page's weight; the table has every figure.
const MOST_TIPS = 200;
const TITLE_FONT = { sizePx: CHART_SIZES.title, bold: true };
const TITLE_LINES = 9;

/**
 * Draws a chart as one SVG element: a pure function of chart and options, for every chart that `parseChart` accepts.
 * Colours come from the classes of `CHART_RULES`; nothing in it is fetched, run or styled inline.
 */
export function drawChart(chart: Chart, options: DrawOptions): string {
  const { idPrefix, size = "wide" } = options;
  const { nodes, widthPx, heightPx } = drawShapes(chart, options);
  const width = widthPx + 2 * BLEED_PX;
  const frame = { class: size, viewBox: `${-BLEED_PX} 0 ${width} ${heightPx}`, width, height: heightPx };
  return drawRoot(chart, idPrefix, frame, nodes).markup;
}

/** Draws what stands within a chart's frame, and tells the room that it takes from the upper left corner on. */
export function drawShapes(chart: Chart, { idPrefix, size = "wide", hatched = true }: DrawOptions) {
  const frame = FRAMES[size];
  const hatchPrefix = hatched ? idPrefix : null;
  const tips = frame.tips && chart.rows.length <= MOST_TIPS;
  const panels = planPanels([chart], { ...frame, hatchPrefix, tips });
  const withLegend = panels.some(({ namesGroups }) => !namesGroups);
  const head = drawHead(chart, withLegend, frame.widthPx, hatchPrefix);
  const drawn = panels.map((panel) => panel.draw(head.heightPx));
  const hatches =
    isFilled(chart) && chart.color !== null ? drawHatches(chart.groups.length, hatchPrefix) : [];
  const nodes = [
    ...(hatches.length > 0 ? [element("defs", {}, hatches)] : []),
    ...head.nodes,
    ...drawn.flatMap((panel) => panel.nodes),
  ];
  const bottom = Math.max(...drawn.map((panel) => panel.bottom));
  return { nodes, widthPx: frame.widthPx, heightPx: Math.ceil(bottom) };
}

/** The root of a chart's drawing, with what it says to readers who do not see it. */
export function drawRoot(
  chart: Chart,
  idPrefix: string,
  { color, ...frame }: SvgAttributes,
  nodes: readonly SvgNode[],
): SvgNode {
  const attributes = {
    ...{ xmlns: "http://www.w3.org/2000/svg", ...frame, role: "img" },
    "aria-labelledby": `${idPrefix}-title ${idPrefix}-desc`,
    "font-family": DRAWING_FONT,
    "font-size": CHART_SIZES.text,
    ...{ color, fill: "currentColor" },
  };
  return element("svg", attributes, [
    element("title", { id: `${idPrefix}-title` }, [nameChart(chart)]),
    element("desc", { id: `${idPrefix}-desc` }, [describeChart(chart)]),
    ...nodes,
  ]);
}

/** Title, legend where there is to be one, and the name of the vertical axis, from the top. */
function drawHead(chart: Chart, withLegend: boolean, widthPx: number, hatchPrefix: string | null) {
  const roomPx = widthPx - CHART_SIZES.edge;
  const nodes: SvgNode[] = [];
  let top = CHART_SIZES.edge;
  const title = chart.title === null ? [] : wrapText(chart.title, roomPx, TITLE_LINES, TITLE_FONT);
  for (const line of title) {
    nodes.push(drawLabel(line, { x: 0, y: top + 16, "font-size": CHART_SIZES.title, "font-weight": 700 }));
    top += CHART_SIZES.titleLine;
  }
  if (title.length > 0) top += CHART_SIZES.gap;
  if (withLegend) {
    const legend = drawLegend(chart, { top, widthPx, hatchPrefix });
    nodes.push(...legend.nodes);
    top += legend.heightPx;
  }
  const name = setFieldName(chart.y, roomPx);
  const lines = name.map((line, index) => drawLabel(line, { x: 0, y: top + 13 + index * CHART_SIZES.line }));
  nodes.push(element("g", { class: "soft", fill: "currentColor" }, lines));
  // Half a line more, for the uppermost tick's label stands across the plot's upper edge.
  return { nodes, heightPx: top + name.length * CHART_SIZES.line + CHART_SIZES.line / 2 + CHART_SIZES.gap };
}
