import { element, type SvgNode } from "../drawing/svg.ts";
import { truncateText } from "../drawing/text-fit.ts";
import { measureText } from "../drawing/text-width.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { CHART_SIZES, drawLabel, nameLabel } from "./frame.ts";
import { classOf, createMarker, dashOf, fillOf } from "./palette.ts";

const ROW_PX = 20;
const BETWEEN_PX = 18;
const AFTER_SWATCH_PX = 6;
const FONT = { sizePx: CHART_SIZES.text };

/** Whether a chart has groups to be named: with colours, unless x names them already. */
export function hasGroupNames({ color, x }: Chart): boolean {
  return color !== null && color.field !== x.field;
}

/** Width in px of a group's swatch: a piece of a line with its shape, or a square. */
export function swatchWidth(mark: Chart["mark"]): number {
  return mark === "line" ? 28 : 14;
}

/** Draws the legend in rows from `top` on; draws nothing where no groups are to be named. */
export function drawLegend(
  chart: Chart,
  { top, widthPx, hatchPrefix }: { top: number; widthPx: number; hatchPrefix: string | null },
): { nodes: SvgNode[]; heightPx: number } {
  if (chart.color === null || !hasGroupNames(chart)) return { nodes: [], heightPx: 0 };
  const nodes: SvgNode[] = [];
  let [x, row] = [0, 0];
  const place = (itemPx: number): number => {
    if (x > 0 && x + itemPx > widthPx - CHART_SIZES.edge) [x, row] = [0, row + 1];
    const at = x;
    x += itemPx + BETWEEN_PX;
    return at;
  };
  const heading = truncateText(chart.color.title, widthPx - 2 * CHART_SIZES.edge, FONT);
  const headingX = place(measureText(heading, FONT.sizePx));
  nodes.push(
    element("g", { class: "soft", fill: "currentColor" }, [drawLabel(heading, { x: headingX, y: top + 14 })]),
  );
  const swatchPx = swatchWidth(chart.mark);
  for (const [group, name] of chart.groups.entries()) {
    const roomPx = widthPx - swatchPx - AFTER_SWATCH_PX - 2 * CHART_SIZES.edge;
    const label = truncateText(nameLabel(name), roomPx, FONT);
    const itemX = place(swatchPx + AFTER_SWATCH_PX + measureText(label, FONT.sizePx));
    const y = top + row * ROW_PX + 14;
    nodes.push(
      drawSwatch(chart, group, { x: itemX, y: y - 5, widthPx: swatchPx, hatchPrefix }),
      drawLabel(label, { x: itemX + swatchPx + AFTER_SWATCH_PX, y }),
    );
  }
  return { nodes, heightPx: (row + 1) * ROW_PX + CHART_SIZES.gap };
}

interface Swatch {
  x: number;
  y: number;
  widthPx: number;
  hatchPrefix: string | null;
}

/** Draws a group's swatch; x is its left edge, y its middle. */
export function drawSwatch(chart: Chart, group: number, { x, y, widthPx, hatchPrefix }: Swatch): SvgNode {
  const look = { class: classOf(group), fill: "currentColor" };
  if (chart.mark === "point") return element("g", look, [createMarker(group, 5)(x + widthPx / 2, y)]);
  if (chart.mark === "line") {
    const line = { x1: x, y1: y, x2: x + widthPx, y2: y, stroke: "currentColor", "stroke-width": 2.5 };
    return element("g", look, [
      element("line", { ...line, "stroke-dasharray": dashOf(group) }),
      createMarker(group, 4)(x + widthPx / 2, y),
    ]);
  }
  const fill = fillOf(group, hatchPrefix);
  return element("g", { ...look, fill }, [element("rect", { x, y: y - 7, width: widthPx, height: 14 })]);
}
