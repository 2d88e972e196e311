import { type Chart, isStacked, listGroups, listRows } from "../markdown/charts/chart.ts";
import { layAreas } from "./areas.ts";
import type { MarkPlaces } from "./marks.ts";
import { boxAround, cornersOf, type Point, type Shape, strokesOf } from "./shapes.ts";
import { type LayerPoint, stackBars } from "./stack.ts";

const MARKER_PX = 4.5;

/** Where the marks of a chart are drawn, for what must stay clear of them; a pale area lets a text stand on it. */
export function listMarkShapes(chart: Chart, places: Omit<MarkPlaces, "hatchPrefix" | "tips">): Shape[] {
  if (chart.mark === "bar") return listBars(chart, places);
  if (chart.mark !== "area") return listLines(chart, places);
  const layers = layAreas(chart, places.factor);
  return [
    ...(isStacked(chart) ? layers.flatMap((layer) => listFills(layer, places)) : listEdges(layers, places)),
    ...(chart.line === null ? [] : listLines(chart, places)),
  ];
}

type Places = Pick<MarkPlaces, "x" | "y" | "barPx" | "factor">;

function listBars(chart: Chart, { x, y, barPx, factor }: Places): Shape[] {
  return stackBars(chart, factor).map(({ row, base, top }) => {
    const [side, from, to] = [x(row.at), y(base), y(top)];
    const across = { low: side - barPx / 2, high: side + barPx / 2 };
    const along = { low: Math.min(from, to), high: Math.max(from, to) };
    return cornersOf(
      chart.horizontal
        ? { left: along.low, right: along.high, top: across.low, bottom: across.high }
        : { left: across.low, right: across.high, top: along.low, bottom: along.high },
    );
  });
}

/** Lines, and the places of points and lone values. */
function listLines(chart: Chart, { x, y, factor }: Places): Shape[] {
  const shapes: Shape[] = [];
  const drawn = chart.line === null ? "y" : "line";
  for (const group of listGroups(chart)) {
    const points = listRows(chart, group).map(({ at, [drawn]: value }): Point | null =>
      value === null ? null : [x(at), y(value * factor)],
    );
    for (const point of points) if (point !== null) shapes.push(cornersOf(boxAround(point, MARKER_PX)));
    if (chart.mark !== "point") shapes.push(...listRuns(points).flatMap(strokesOf));
  }
  return shapes;
}

function listEdges(layers: readonly LayerPoint[][], { x, y }: Places): Shape[] {
  return layers.flatMap((layer) =>
    (["base", "top"] as const).flatMap((edge) =>
      listRuns(layer.map((point): Point | null => point && [x(point.at), y(point[edge])])).flatMap(strokesOf),
    ),
  );
}

function listFills(layer: readonly LayerPoint[], { x, y }: Places): Shape[] {
  return layer.flatMap((point, index) => {
    const last = layer[index - 1] ?? null;
    if (point === null || last === null) return [];
    const [from, to] = [x(last.at), x(point.at)];
    const corners: Shape = [
      [from, y(last.base)],
      [from, y(last.top)],
      [to, y(point.top)],
      [to, y(point.base)],
    ];
    return [corners];
  });
}

/** The parts of a line between its gaps. */
function listRuns(points: readonly (Point | null)[]): Point[][] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point === null) runs.push([]);
    else runs.at(-1)?.push(point);
  }
  return runs;
}
