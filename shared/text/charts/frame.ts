import { element, isolate, type SvgAttributes, type SvgNode } from "../drawing/svg.ts";
import { TYPE_SIZES_PX } from "../theme/tokens.ts";
import type { Point } from "./shapes.ts";

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

/** The rectangle that marks are drawn in. */
export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A line as dark as the text. */
export function drawStroke([[x1, y1], [x2, y2]]: readonly [from: Point, to: Point]): SvgNode {
  return element("line", { x1, x2, y1, y2, stroke: "currentColor" });
}

/** One line of an author's text, isolated so that its direction stays its own. */
export function drawLabel(text: string, attributes: SvgAttributes): SvgNode {
  return element("text", attributes, [isolate(text.replace(/\s+/g, " "))]);
}

/** A label as readers see it: an empty one is named, for a blank says nothing. */
export function nameLabel(label: string): string {
  return label.trim() === "" ? "(empty)" : label;
}
