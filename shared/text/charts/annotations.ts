import { element, type SvgAttributes, type SvgNode } from "../drawing/svg.ts";
import type { Chart } from "../markdown/charts/chart.ts";
import { CHART_SIZES, drawLabel, type Plot } from "./frame.ts";
import { planStrip, type Strip } from "./label-strip.ts";
import { type LaidAnnotation, layAnnotations, numberOf, type Scene } from "./lay-annotations.ts";
import { listMarkShapes } from "./mark-shapes.ts";
import {
  ASCENT_PX,
  findFree,
  leadTo,
  listWraps,
  type PlacedText,
  placesAlong,
  placesAround,
  roomOf,
} from "./place-labels.ts";
import { type Box, boxAround, cornersOf, createGround, meets, type Point, type Shape } from "./shapes.ts";

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

/**
 * Draws the annotations of a panel: labels of what runs from top to bottom in the strip beside the plot, the others free
 * within it. `numbered` have their number in place of their label, which is then told under the chart.
 */
export function drawAnnotations(
  chart: Chart,
  scene: Scene,
  { strip, numbered }: { strip: Strip; numbered: ReadonlySet<number> },
): DrawnAnnotations {
  const { plot } = scene;
  const laid = layAnnotations(chart, scene);
  const ground = createGround([...scene.shapes, ...laid.flatMap((one) => listStrokes(one, plot))]);
  const isDark = chart.mark === "bar" || (chart.mark === "area" && chart.color !== null && chart.y2 === null);
  const drawn: DrawnAnnotations = { under: [], over: [], rooms: [], unplaced: [...strip.unplaced] };
  for (const one of laid) {
    const isCovered =
      one.annotation.kind === "band" ||
      (one.annotation.kind === "rule" && chart.mark === "bar" && one.annotation.x !== null);
    drawn[isCovered ? "under" : "over"].push(drawSign(one, plot, isDark && !isCovered));
    if (one.down === null) continue;
    const label = numbered.has(one.index) ? numberOf(one.index) : one.annotation.label;
    const text = placeInPlot(one, label, { ground, plot, rooms: drawn.rooms });
    if (text === null) drawn.unplaced.push(one.index);
    else {
      ground.add(cornersOf(roomOf(text)));
      if (text.lead !== null) ground.add(text.lead);
      drawn.rooms.push(roomOf(text));
      drawn.over.push(...drawText(text, isDark));
    }
  }
  const edge = chart.horizontal ? plot.bottom : plot.top;
  drawn.over.push(...strip.textsAt(edge).flatMap((text) => drawText(text, false)));
  return drawn;
}

/** What texts of others stay clear of. */
function listStrokes({ annotation, across, down }: LaidAnnotation, plot: Plot): Shape[] {
  if (annotation.kind === "band") return [];
  if (across !== null && down !== null) return [cornersOf(boxAround([across[0], down[0]], RING_PX + 1))];
  if (across !== null)
    return [
      [
        [across[0], plot.top],
        [across[0], plot.bottom],
      ],
    ];
  return down === null
    ? []
    : [
        [
          [plot.left, down[0]],
          [plot.right, down[0]],
        ],
      ];
}

function drawSign({ annotation, across, down }: LaidAnnotation, plot: Plot, isDark: boolean): SvgNode {
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
  { ground, plot, rooms }: { ground: ReturnType<typeof createGround>; plot: Plot; rooms: readonly Box[] },
): PlacedText | null {
  if (down === null) return null;
  const blocks = listWraps(label, plot.right - plot.left);
  const space = { ground, plot };
  if (across === null) {
    const placed = findFree(blocks, (block) => placesAlong(block, down, plot), space);
    return placed && { ...placed, lead: null };
  }
  const point: Point = [across[0], down[0]];
  const placed = findFree(blocks, (block) => placesAround(block, point), {
    ...space,
    accepts: (found) => {
      const lead = leadTo(found, point, RING_PX);
      return lead === null || rooms.every((room) => !meets(lead, room));
    },
  });
  return placed && { ...placed, lead: leadTo(placed, point, RING_PX) };
}

function drawText({ lines, left, top, lead }: PlacedText, isDark: boolean): SvgNode[] {
  const texts = lines.map((line, index) =>
    drawLabel(line, { x: left, y: top + ASCENT_PX + index * CHART_SIZES.line }),
  );
  const leads = lead === null ? [] : [drawLine(lead[0], lead[1], { isDark, "stroke-width": 1 })];
  return [...leads, element("g", {}, texts)];
}

/** Draws the annotations of a panel of bars that lie, with the room that labels below it take; nothing in `stands` is covered. */
export function annotateHorizontal(
  chart: Chart,
  scene: Omit<Scene, "reachPx" | "shapes"> & { barPx: number; stands: readonly Shape[] },
  { widthPx, numbered }: { widthPx: number; numbered: ReadonlySet<number> },
) {
  const { plot, stands } = scene;
  const reachPx = (plot.bottom - plot.top) / chart.categories.length / 2;
  const laid = layAnnotations(chart, { ...scene, reachPx });
  const strip = planStrip(laid, { side: "below", widthPx, numbered });
  const shapes = laid.length === 0 ? [] : [...listMarkShapes(chart, scene), ...stands];
  const drawn = drawAnnotations(chart, { ...scene, reachPx, shapes }, { strip, numbered });
  return { ...drawn, stripPx: strip.heightPx };
}
