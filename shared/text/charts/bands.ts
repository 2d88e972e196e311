import { area, type Line } from "d3-shape";
import { element, type SvgNode } from "../drawing/svg.ts";
import { type Chart, listGroups, listRows } from "../markdown/charts/chart.ts";
import { classOf, dashOf, fillOf } from "./palette.ts";
import type { LayerPoint } from "./stack.ts";

/** How much of what lies under a pale area shines through it. */
export const PALE = { "fill-opacity": 0.28 } as const;

/** Where the places and scaled values of layers are. */
interface LayerPlaces {
  x(at: number): number;
  y(value: number): number;
}

/** The bands of a chart, one for each group, from left to right: between y and y2, null for a gap. */
export function layBands(chart: Chart, factor: number): LayerPoint[][] {
  return listGroups(chart).map((group) =>
    listRows(chart, group).map(({ at, y, y2 }) =>
      y === null || y2 === null ? null : { at, base: y2 * factor, top: y * factor },
    ),
  );
}

/** Writes the path of a layer, without its gaps. */
export function shapeLayer({ x, y }: LayerPlaces) {
  return area<LayerPoint>()
    .digits(2)
    .defined((point) => point !== null)
    .x((point) => x(point?.at ?? 0))
    .y0((point) => y(point?.base ?? 0))
    .y1((point) => y(point?.top ?? 0));
}

/** Draws bands over each other, each between two edges in the dash of its group. */
export function drawBands(
  chart: Chart,
  bands: readonly LayerPoint[][],
  places: LayerPlaces & { hatchPrefix: string | null },
): SvgNode[] {
  const shape = shapeLayer(places);
  return bands.map((band, group) => {
    const drawEdge = (edge: Line<LayerPoint>) =>
      element("path", {
        d: edge(band) ?? "",
        fill: "none",
        // Edges as strong as a line would be taken for lines themselves.
        "stroke-width": chart.line === null ? 1.25 : 0.75,
        "stroke-dasharray": chart.color === null ? undefined : dashOf(group),
        "stroke-linejoin": "round",
      });
    return element(
      "g",
      { class: classOf(group), fill: fillOf(group, places.hatchPrefix), stroke: "currentColor" },
      [
        element("path", { d: shape(band) ?? "", stroke: "none", ...PALE }),
        drawEdge(shape.lineY0()),
        drawEdge(shape.lineY1()),
        ...drawLonePoints(band, places),
      ],
    );
  });
}

/** What stands between two gaps has no width: a stroke shows it. */
export function drawLonePoints(layer: readonly LayerPoint[], { x, y }: LayerPlaces): SvgNode[] {
  return layer.flatMap((point, index) => {
    if (point === null || (layer[index - 1] ?? layer[index + 1] ?? null) !== null) return [];
    const [x1, y1, y2] = [x(point.at), y(point.base), y(point.top)];
    return [element("line", { x1, x2: x1, y1, y2, "stroke-width": 3 })];
  });
}
