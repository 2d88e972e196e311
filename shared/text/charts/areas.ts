import { area, type Line } from "d3-shape";
import { element, type SvgNode } from "../drawing/svg.ts";
import { type Chart, isStacked, listGroups, listRows } from "../markdown/charts/chart.ts";
import { classOf, dashOf, fillOf } from "./palette.ts";
import { type LayerPoint, stackAreas } from "./stack.ts";

/** How much of what lies under a pale area shines through it. */
export const PALE = { "fill-opacity": 0.28 } as const;

/** White between the parts of a stack. */
export const JOINT_PX = 1;

/** Where the places and scaled values of layers are. */
interface LayerPlaces {
  x(at: number): number;
  y(value: number): number;
}

/** The layers of a chart of areas, one for each group from left to right: stacked, or bands between y and y2. */
export function layAreas(chart: Chart, factor: number): LayerPoint[][] {
  if (chart.y2 === null) return stackAreas(chart, factor);
  return listGroups(chart).map((group) =>
    listRows(chart, group).map(({ at, y, y2 }) =>
      y === null || y2 === null ? null : { at, base: y2 * factor, top: y * factor },
    ),
  );
}

/** Writes the path of a layer, without its gaps. */
function shapeLayer({ x, y }: LayerPlaces) {
  return area<LayerPoint>()
    .digits(2)
    .defined((point) => point !== null)
    .x((point) => x(point?.at ?? 0))
    .y0((point) => y(point?.base ?? 0))
    .y1((point) => y(point?.top ?? 0));
}

/**
 * Draws areas. The parts of a stack are parted by lines of paper; the grid shines through one area under a clear upper
 * edge, and through bands, which lie over each other, between two edges in the dash of their group.
 */
export function drawAreas(
  chart: Chart,
  layers: readonly LayerPoint[][],
  places: LayerPlaces & { hatchPrefix: string | null },
): SvgNode[] {
  const shape = shapeLayer(places);
  const isStack = isStacked(chart);
  const edges = chart.y2 === null ? [shape.lineY1().digits(2)] : [shape.lineY0(), shape.lineY1()];
  const isDashed = chart.y2 !== null && chart.color !== null;
  return layers.map((layer, group) => {
    const drawEdge = (edge: Line<LayerPoint>) =>
      element("path", {
        class: isStack ? "paper" : undefined,
        d: edge(layer) ?? "",
        fill: "none",
        "stroke-width": chooseEdge(chart),
        "stroke-dasharray": isDashed ? dashOf(group) : undefined,
        "stroke-linejoin": "round",
      });
    return element(
      "g",
      { class: classOf(group), fill: fillOf(group, places.hatchPrefix), stroke: "currentColor" },
      [
        element("path", { d: shape(layer) ?? "", stroke: "none", ...(isStack ? {} : PALE) }),
        ...edges.map(drawEdge),
        ...drawLonePoints(layer, places),
      ],
    );
  });
}

/** Edges of bands as strong as a line would be taken for lines themselves. */
function chooseEdge(chart: Chart): number {
  if (chart.y2 !== null) return chart.line === null ? 1.25 : 0.75;
  return isStacked(chart) ? JOINT_PX : 2.25;
}

/** What stands between two gaps has no width: a stroke shows it. */
function drawLonePoints(layer: readonly LayerPoint[], { x, y }: LayerPlaces): SvgNode[] {
  return layer.flatMap((point, index) => {
    if (point === null || (layer[index - 1] ?? layer[index + 1] ?? null) !== null) return [];
    const [x1, y1, y2] = [x(point.at), y(point.base), y(point.top)];
    return [element("line", { x1, x2: x1, y1, y2, "stroke-width": 3 })];
  });
}
