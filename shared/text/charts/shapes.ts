/** A place on a drawing. */
export type Point = readonly [x: number, y: number];

/** A convex shape by its corners in order; two of them are a stroke. */
export type Shape = readonly Point[];

/** A rectangle on the drawing. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The corners of a box. */
export function cornersOf({ left, right, top, bottom }: Box): Shape {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** A box around a place. */
export function boxAround([x, y]: Point, halfPx: number): Box {
  return { left: x - halfPx, right: x + halfPx, top: y - halfPx, bottom: y + halfPx };
}

/** The least box around a shape. */
export function boundsOf(shape: Shape): Box {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const [x, y] of shape) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

/** Strokes between neighbours of a line. */
export function strokesOf(points: readonly Point[]): Shape[] {
  return points.slice(1).map((point, index) => [points[index] ?? point, point]);
}

/** The parts of a span that are left between others. */
export function cutSpan(
  [from, to]: readonly [number, number],
  cuts: readonly (readonly [number, number])[],
): [number, number][] {
  const parts: [number, number][] = [];
  let start = from;
  for (const [low, high] of cuts.toSorted(([one], [other]) => one - other)) {
    if (low > start) parts.push([start, Math.min(low, to)]);
    start = Math.max(start, high);
  }
  if (start < to) parts.push([start, to]);
  return parts;
}

/** What stands on a drawing already. */
export function createGround(shapes: readonly Shape[]) {
  const known = shapes.map((shape) => ({ shape, bounds: boundsOf(shape) }));
  return {
    add: (shape: Shape) => known.push({ shape, bounds: boundsOf(shape) }),
    /** Whether nothing stands in a box or touches it. */
    isFree: (box: Box): boolean => known.every(({ shape, bounds }) => !meets(shape, box, bounds)),
  };
}

/** Whether a shape and a box touch. */
export function meets(shape: Shape, box: Box, bounds = boundsOf(shape)): boolean {
  return reaches(bounds, box) && !isApart(shape, box);
}

function reaches(one: Box, other: Box): boolean {
  return (
    one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
  );
}

/** Whether an edge of the shape parts it from the box: all corners of the box lie beyond it, and none of the shape's. */
function isApart(shape: Shape, box: Box): boolean {
  const corners = cornersOf(box);
  return shape.some(([x, y], index) => {
    const [nextX, nextY] = shape[(index + 1) % shape.length] ?? [x, y];
    const side = ([px, py]: Point): number => (nextX - x) * (py - y) - (nextY - y) * (px - x);
    const [own, other] = [shape.map(side), corners.map(side)];
    return Math.max(...own) < Math.min(...other) || Math.min(...own) > Math.max(...other);
  });
}
