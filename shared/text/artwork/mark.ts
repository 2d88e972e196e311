import { element, type SvgNode } from "../drawing/svg.ts";
import { ACCENTS, COLORS } from "../theme/tokens.ts";
import type { Frame } from "./paint.ts";

/** The size at which the site's mark is drawn. */
export const MARK_FRAME: Frame = { width: 16, height: 16 };

/** The mark of the site: a small front page, its lead beside a column. */
export function drawMark(): SvgNode[] {
  const [paper, ink] = [COLORS.paper.light, COLORS.ink.light];
  return [
    element("path", { fill: paper, d: "M0 0h16v16H0z" }),
    element("path", { fill: ink, d: "M2 2h12v3H2zM2 7h7v1H2zm0 2h7v1H2zm0 2h7v1H2zm0 2h7v1H2z" }),
    element("path", { fill: ACCENTS.primary.mark.light, d: "M10 7h4v7h-4z" }),
  ];
}
