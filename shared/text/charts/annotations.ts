import { element, type SvgAttributes, type SvgNode } from "../drawing/svg.ts";
import { type Chart, isStacked } from "../markdown/charts/chart.ts";
import { drawTextLines } from "./frame.ts";
import type { Strip } from "./label-strip.ts";
import { type LaidAnnotation, numberOf } from "./lay-annotations.ts";
import {
  ASCENT_PX,
  findFree,
  leadTo,
  listWraps,
  type PlacedText,
  placesAlong,
  placesAround,
  roomOf,
  type TextBlock,
} from "./place-labels.ts";
import {
  type Box,
  boxAround,
  cornersOf,
  createGround,
  lineAcross,
  lineDown,
  type Point,
  type Shape,
} from "./shapes.ts";

/** The annotations of a panel as drawn. */
export interface DrawnAnnotations {
  /** What marks cover: bands, and lines through names. */
  under: SvgNode[];
  over: SvgNode[];
  /** The rooms of texts in the plot, where no line of the grid runs. */
  rooms: Box[];
  /** The indices of those whose label stands nowhere. */
  unplaced: number[];
}

const RING_PX = 5;
/** How much a band of an author darkens its place. */
export const SPAN_OPACITY = 0.14;

/** Where annotations are drawn. */
interface Scene {
  plot: Box;
  /** What texts stay clear of: marks, figures beside them, the line of zero. */
  shapes: readonly Shape[];
  /** The labels beside the plot. */
  strip: Strip;
  numbered: ReadonlySet<number>;
}

/**
 * Draws the annotations of a panel: labels of what runs from top to bottom in the strip beside the plot, the others free
 * within it. `numbered` have their number in place of their label, which is then told under the chart.
 */
export function drawAnnotations(
  chart: Chart,
  laid: readonly LaidAnnotation[],
  { plot, shapes, strip, numbered }: Scene,
): DrawnAnnotations {
  const ground = createGround([...shapes, ...laid.flatMap((one) => listStrokes(one, plot))]);
  const isDark = chart.mark === "bar" || isStacked(chart);
  const drawn: DrawnAnnotations = { under: [], over: [], rooms: ground.texts, unplaced: [...strip.unplaced] };
  for (const one of laid) {
    const isCovered =
      one.annotation.kind === "band" ||
      (one.annotation.kind === "rule" && chart.mark === "bar" && one.annotation.x !== null);
    drawn[isCovered ? "under" : "over"].push(drawSign(one, plot, isDark && !isCovered));
    if (one.down === null) continue;
    const label = numbered.has(one.index) ? numberOf(one.index) : one.annotation.label;
    const text = placeInPlot(one, label, { ground, plot });
    if (text === null) drawn.unplaced.push(one.index);
    else {
      ground.addText(roomOf(text), text.lead);
      drawn.over.push(...drawText(text, isDark));
    }
  }
  const edge = chart.horizontal ? plot.bottom : plot.top;
  drawn.over.push(...strip.textsAt(edge).flatMap((text) => drawText(text, false)));
  return drawn;
}

/** What texts of others stay clear of. */
function listStrokes({ annotation, across, down }: LaidAnnotation, plot: Box): Shape[] {
  if (annotation.kind === "band") return [];
  if (across !== null && down !== null) return [cornersOf(boxAround([across[0], down[0]], RING_PX + 1))];
  if (across !== null) return [lineDown(plot, across[0])];
  return down === null ? [] : [lineAcross(plot, down[0])];
}

function drawSign({ annotation, across, down }: LaidAnnotation, plot: Box, isDark: boolean): SvgNode {
  const [left, right] = across ?? [plot.left, plot.right];
  const [top, bottom] = down ?? [plot.top, plot.bottom];
  if (annotation.kind === "point") {
    const ring = { cx: left, cy: top, r: RING_PX, fill: "none", stroke: "currentColor" };
    // Paper under the ring parts it from dark bars.
    return element("g", {}, [
      element("circle", { class: "paper", ...ring, "stroke-width": 4.5 }),
      element("circle", { ...ring, "stroke-width": 1.75 }),
    ]);
  }
  if (annotation.kind === "band") {
    const fill = { fill: "currentColor", "fill-opacity": SPAN_OPACITY };
    return element("rect", {
      class: "soft",
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      ...fill,
    });
  }
  return drawLine([left, top], [right, bottom], { isDark, "stroke-width": 1.5, "stroke-dasharray": "5 4" });
}

/** A line of an author; under it paper where it runs over dark marks, which may have its own colour. */
function drawLine(
  [x1, y1]: Point,
  [x2, y2]: Point,
  { isDark, ...look }: SvgAttributes & { isDark: boolean; "stroke-width": number },
): SvgNode {
  const line = { x1, y1, x2, y2, stroke: "currentColor" };
  const drawn = element("line", { ...line, ...look });
  if (!isDark) return drawn;
  const paper = element("line", { class: "paper", ...line, "stroke-width": look["stroke-width"] + 2 });
  return element("g", {}, [paper, drawn]);
}

function placeInPlot(
  { across, down }: LaidAnnotation,
  label: string,
  { ground, plot }: { ground: ReturnType<typeof createGround>; plot: Box },
): PlacedText | null {
  if (down === null) return null;
  const blocks = listWraps(label, plot.right - plot.left);
  const space = { ground, plot };
  if (across === null) {
    const listPlaces = (block: TextBlock) => placesAlong(block, down, plot);
    return findFree(blocks, { ...space, listPlaces, leadTo: () => null });
  }
  const point: Point = [across[0], down[0]];
  return findFree(blocks, {
    ...space,
    listPlaces: (block) => placesAround(block, point),
    leadTo: (placed) => leadTo(placed, point, RING_PX),
  });
}

function drawText({ lines, left, top, lead }: PlacedText, isDark: boolean): SvgNode[] {
  const texts = drawTextLines(lines, { x: left, y: top + ASCENT_PX });
  const leads = lead === null ? [] : [drawLine(lead[0], lead[1], { isDark, "stroke-width": 1 })];
  return [...leads, element("g", {}, texts)];
}
