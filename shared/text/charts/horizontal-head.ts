import { measureText, wrapText } from "../drawing/measure-text.ts";
import { element, type SvgNode } from "../drawing/svg.ts";
import { AXIS_FONT, AXIS_TITLE_LINES, CHART_SIZES, drawSoft, drawTextLines } from "./frame.ts";
import type { LevelLabel } from "./labels.ts";
import type { NameColumn } from "./name-column.ts";

/** Where values lie across the plot, and its edges. */
export interface Across {
  left: number;
  right: number;
  place(value: number): number;
  ticks: number[];
  labels: LevelLabel[];
}

/** Ticks and the title of the names above the plot. */
export function drawTicks(
  text: string,
  column: NameColumn,
  across: Across,
  { top, widthPx }: { top: number; widthPx: number },
): { nodes: SvgNode[]; bottom: number } {
  const [first] = across.labels;
  const startPx = (first?.x ?? 0) - measureText(first?.lines.join("") ?? "", CHART_SIZES.text) / 2;
  const title = placeTitle(text, column.widthPx, startPx - 1.5 * CHART_SIZES.gap);
  const lines =
    title === null ? wrapText(text, widthPx - CHART_SIZES.edge, AXIS_TITLE_LINES, AXIS_FONT) : [text];
  const height = top + 4 + (title === null ? lines.length * CHART_SIZES.line : 0);
  const titles = drawTextLines(lines, { ...(title ?? { x: 0 }), y: top + 4 });
  const labels = across.labels.map(({ x, lines }) =>
    element("text", { x, y: height, "text-anchor": "middle" }, [lines.join("")]),
  );
  return { nodes: [drawSoft([...titles, ...labels])], bottom: height + CHART_SIZES.gap };
}

/** Where the title of the names stands in the line of the ticks; null where that has no room for it. */
function placeTitle(title: string, columnPx: number, roomPx: number) {
  const titlePx = measureText(title, CHART_SIZES.text);
  if (titlePx <= columnPx && columnPx <= roomPx) return { x: columnPx, "text-anchor": "end" };
  return titlePx <= roomPx ? { x: 0 } : null;
}
