import type { Annotation, Chart } from "../markdown/charts/chart.ts";

/** How marks lie in a plot. */
interface Places {
  /** px of an `at`, and of a scaled value. */
  x(at: number): number;
  y(value: number): number;
  factor: number;
  /** Half the room of a bar or a name: a band of them reaches over all of it. */
  reachPx: number;
}

/** An annotation in a plot: its ends across and down; null where it runs from edge to edge. */
export interface LaidAnnotation {
  index: number;
  annotation: Annotation;
  across: readonly [left: number, right: number] | null;
  down: readonly [high: number, low: number] | null;
}

/** Where the annotations of a chart lie. */
export function layAnnotations(chart: Chart, { x, y, factor, reachPx }: Places): LaidAnnotation[] {
  return chart.annotations.map((annotation, index) => {
    const reach = annotation.kind === "band" ? reachPx : 0;
    const names = annotation.x?.map(({ at }) => x(at));
    const values = annotation.y?.map(({ at }) => y(at * factor));
    const [side, value] = [spread(names, reach), spread(values, 0)];
    const [across, down] = chart.horizontal ? [value, side] : [side, value];
    return { index, annotation, across, down };
  });
}

function spread(ends: readonly number[] | undefined, reachPx: number): readonly [number, number] | null {
  if (ends === undefined) return null;
  return [Math.min(...ends) - reachPx, Math.max(...ends) + reachPx];
}

/** What stands for a label that has no room. */
export function numberOf(index: number): string {
  return `(${index + 1})`;
}
