/** A place on a drawing. */
export type Point = readonly [x: number, y: number];

/** A straight line. */
export type Stroke = readonly [from: Point, to: Point];

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

/** The line through a box from its left edge to its right one. */
export function lineAcross({ left, right }: Pick<Box, "left" | "right">, y: number): Stroke {
  return [
    [left, y],
    [right, y],
  ];
}

/** The line through a box from its upper edge to its lower one. */
export function lineDown({ top, bottom }: Pick<Box, "top" | "bottom">, x: number): Stroke {
  return [
    [x, top],
    [x, bottom],
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

/** The parts of a level or upright line that are left between boxes. */
export function cutStroke([[x1, y1], [x2, y2]]: Stroke, boxes: readonly Box[]): Stroke[] {
  if (y1 === y2) {
    const cuts = boxes.filter(({ top, bottom }) => top <= y1 && y1 <= bottom);
    const parts = cutSpan(
      [x1, x2],
      cuts.map(({ left, right }) => [left, right]),
    );
    return parts.map(([left, right]) => lineAcross({ left, right }, y1));
  }
  const cuts = boxes.filter(({ left, right }) => left <= x1 && x1 <= right);
  const parts = cutSpan(
    [y1, y2],
    cuts.map(({ top, bottom }) => [top, bottom]),
  );
  return parts.map(([top, bottom]) => lineDown({ top, bottom }, x1));
}

/** The parts of a span that are left between others. */
function cutSpan(
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

/** What stands on a drawing already: marks and lines, and texts with the lines that lead to them. */
export function createGround(shapes: readonly Shape[]) {
  const known = shapes.map((shape) => ({ shape, bounds: boundsOf(shape) }));
  const texts: Box[] = [];
  return {
    /** The rooms of texts. */
    texts,
    addText: (room: Box, lead: Stroke | null): void => {
      texts.push(room);
      if (lead !== null) known.push({ shape: lead, bounds: boundsOf(lead) });
    },
    /** Whether nothing touches the room of a text, and the line to it touches no other text. */
    isFree: (room: Box, lead: Stroke | null): boolean =>
      known.every(({ shape, bounds }) => !meets(shape, room, bounds)) &&
      texts.every((text) => !reaches(text, room) && (lead === null || !meets(lead, text))),
  };
}

/** Whether a shape and a box touch. */
function meets(shape: Shape, box: Box, bounds = boundsOf(shape)): boolean {
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
