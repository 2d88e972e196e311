import { element, isolate, type SvgAttributes, type SvgNode } from "../drawing/svg.ts";
import { TYPE_SIZES_PX } from "../theme/tokens.ts";
import { type Box, cutStroke, type Stroke } from "./shapes.ts";

/** Sizes in px that all parts of a chart share; 13 px is the smallest type anywhere. */
export const CHART_SIZES = {
  text: TYPE_SIZES_PX.tiny,
  title: TYPE_SIZES_PX.text,
  line: 17,
  titleLine: 22,
  edge: 4,
  gap: 8,
} as const;

/** The type of axis names; a name has at most AXIS_TITLE_LINES lines. */
export const AXIS_FONT = { sizePx: CHART_SIZES.text };
export const AXIS_TITLE_LINES = 2;
/** Finer lines of a grid are fainter. */
export const MINOR_OPACITY = 0.45;
/** White to the right of the plot, which labels may use. */
export const RIGHT_PX = 8;

/** White around a drawing on both sides, for letters that reach out to the left of their place, such as J. */
export const BLEED_PX = 4;

/** A line as dark as the text around it. */
export function drawStroke(
  [[x1, y1], [x2, y2]]: Stroke,
  look: SvgAttributes = { stroke: "currentColor" },
): SvgNode {
  return element("line", { x1, x2, y1, y2, ...look });
}

/** Lines of a grid, each between the rooms of texts. */
export function drawGridLines(
  lines: readonly Stroke[],
  rooms: readonly Box[],
  look: SvgAttributes = {},
): SvgNode[] {
  return lines.flatMap((line) => cutStroke(line, rooms).map((part) => drawStroke(part, look)));
}

/** What readers need less than the marks: names of axes, ticks, sources. */
export function drawSoft(nodes: readonly SvgNode[]): SvgNode {
  return element("g", { class: "soft", fill: "currentColor" }, nodes);
}

/** One line of an author's text, isolated so that its direction stays its own. */
export function drawLabel(text: string, attributes: SvgAttributes): SvgNode {
  return element("text", attributes, [isolate(text.replace(/\s+/g, " "))]);
}

/** Lines of an author's text below each other, from a first baseline on. */
export function drawTextLines(
  lines: readonly string[],
  attributes: SvgAttributes & { y: number },
): SvgNode[] {
  return lines.map((line, index) =>
    drawLabel(line, { ...attributes, y: attributes.y + index * CHART_SIZES.line }),
  );
}

/** A label as readers see it: an empty one is named, for a blank says nothing. */
export function nameLabel(label: string): string {
  return label.trim() === "" ? "(empty)" : label;
}
