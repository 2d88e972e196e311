import { wrapText } from "../drawing/measure-text.ts";
import { element, type SvgAttributes, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { DRAWING_FONT } from "../theme/tokens.ts";
import { describeAnnotation, describeChart, nameChart, nameValues } from "./chart-words.ts";
import { setFieldName } from "./field-words.ts";
import { AXIS_FONT, BLEED_PX, CHART_SIZES, drawLabel, drawSoft, drawTextLines } from "./frame.ts";
import { numberOf } from "./lay-annotations.ts";
import { layPanels } from "./lay-panels.ts";
import { drawLegend } from "./legend.ts";
import { drawHatches } from "./palette.ts";
import type { DrawnPanel } from "./panel.ts";
import { isFilled } from "./panels.ts";

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
  const panels = layPanels(chart, { ...frame, hatchPrefix, tips });
  const head = drawHead(chart, !panels.namesGroups, frame.widthPx, hatchPrefix);
  const { drawn, numbered } = drawNumbered(chart, (told) => panels.draw(head.heightPx, told));
  const notes = drawNotes(chart, numbered, { top: drawn.bottom, widthPx: frame.widthPx });
  const hatches =
    isFilled(chart) && chart.color !== null ? drawHatches(chart.groups.length, hatchPrefix) : [];
  const nodes = [
    ...(hatches.length > 0 ? [element("defs", {}, hatches)] : []),
    ...head.nodes,
    ...drawn.nodes,
    ...notes.nodes,
  ];
  return { nodes, widthPx: frame.widthPx, heightPx: Math.ceil(notes.bottom) };
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

const MOST_TRIES = 3;

/** Draws panels: an annotation that has no room for its label in one of them has a number in each, and a note below. */
function drawNumbered(chart: Chart, draw: (numbered: ReadonlySet<number>) => DrawnPanel) {
  let numbered: ReadonlySet<number> = new Set();
  let drawn = draw(numbered);
  for (let tries = 1; drawn.unplaced.some((index) => !numbered.has(index)); tries++) {
    const told = tries < MOST_TRIES ? [...numbered, ...drawn.unplaced] : chart.annotations.keys();
    numbered = new Set(told);
    drawn = draw(numbered);
  }
  return { drawn, numbered };
}

const NOTE_LINES = 4;

/** The labels of annotations by their numbers, for those that have no room in the chart. */
function drawNotes(
  chart: Chart,
  numbered: ReadonlySet<number>,
  { top, widthPx }: { top: number; widthPx: number },
): { nodes: SvgNode[]; bottom: number } {
  const lines = chart.annotations.flatMap((annotation, index) => {
    if (!numbered.has(index)) return [];
    const note = `${numberOf(index)} ${describeAnnotation(chart, annotation)}`;
    return wrapText(note, widthPx - CHART_SIZES.edge, NOTE_LINES, AXIS_FONT);
  });
  if (lines.length === 0) return { nodes: [], bottom: top };
  const nodes = [element("g", {}, drawTextLines(lines, { x: 0, y: top + CHART_SIZES.line }))];
  return { nodes, bottom: top + lines.length * CHART_SIZES.line + CHART_SIZES.gap };
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
  const name = setFieldName({ ...chart.y, title: nameValues(chart) }, roomPx);
  nodes.push(drawSoft(drawTextLines(name, { x: 0, y: top + 13 })));
  // Half a line more, for the uppermost tick's label stands across the plot's upper edge.
  return { nodes, heightPx: top + name.length * CHART_SIZES.line + CHART_SIZES.line / 2 + CHART_SIZES.gap };
}
