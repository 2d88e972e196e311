import type {
  DrawnConnection,
  DrawnNode,
  FlowchartGeometry,
  Point,
  Stroke,
} from "../../../../shared/text/flowcharts/geometry.ts";

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  name: string;
}

/** Half a px: what rounding may do. */
const TOLERANCE_PX = 0.5;

/** Everything in a drawing that its readers should not see; empty for a good one. */
export function findFaults(geometry: FlowchartGeometry): string[] {
  const nodes = geometry.nodes.map((node) => boxOf(node.node.id, node, node.width, node.height));
  const labels = geometry.connections.flatMap(({ label }, index) =>
    label === null ? [] : [boxOf(`label ${index}`, label.at, label.text.width, label.text.height)],
  );
  return [
    ...geometry.nodes.filter((node) => !holdsText(node)).map(({ node }) => `text leaves ${node.id}`),
    ...findOverlaps(nodes, nodes),
    ...findOverlaps(nodes, labels),
    ...findOverlaps(labels, labels),
    ...geometry.connections.flatMap((connection, index) =>
      findCrossed(connection, index, geometry.nodes, labels),
    ),
    ...geometry.connections.flatMap((connection, index) => findLoose(connection, index, geometry.nodes)),
    ...findOutbound(geometry, [...nodes, ...labels]),
  ];
}

function boxOf(name: string, { x, y }: Point, width: number, height: number): Box {
  return { name, left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

function findOverlaps(ones: readonly Box[], others: readonly Box[]): string[] {
  const faults: string[] = [];
  for (const [index, one] of ones.entries()) {
    for (const other of ones === others ? others.slice(index + 1) : others) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const tall = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > TOLERANCE_PX && tall > TOLERANCE_PX) faults.push(`${one.name} overlaps ${other.name}`);
    }
  }
  return faults;
}

/** Whether every corner of every line of a text lies inside the outline of its node. */
function holdsText(drawn: DrawnNode): boolean {
  const { text } = drawn;
  const halfWidth = text.width / 2;
  const halfHeight = text.height / 2;
  return [-1, 1].every((sign) => liesInside(drawn, sign * halfWidth, halfHeight));
}

function liesInside({ node, width, height }: DrawnNode, x: number, y: number): boolean {
  const [right, down] = [width / 2 - Math.abs(x), height / 2 - Math.abs(y)];
  if (right < -TOLERANCE_PX || down < -TOLERANCE_PX) return false;
  if (node.form === "decision") return Math.abs(x) / (width / 2) + Math.abs(y) / (height / 2) <= 1.001;
  if (node.form === "circle") return Math.hypot(x, y) <= width / 2 + TOLERANCE_PX;
  if (node.form !== "stadium") return true;
  const radius = height / 2;
  return right >= radius || Math.hypot(radius - right, y) <= radius + TOLERANCE_PX;
}

/** Points along a line, no further than about three px apart. */
function sampleLine(strokes: readonly Stroke[]): Point[] {
  return drawnStrokes(strokes).flatMap(([from, stroke]) => sampleStroke(from, stroke));
}

/** The strokes that leave ink, each with the point where it begins. */
function drawnStrokes(strokes: readonly Stroke[]): [from: Point, stroke: Stroke][] {
  const drawn: [Point, Stroke][] = [];
  let from: Point = { x: 0, y: 0 };
  for (const stroke of strokes) {
    if (stroke.kind !== "move") drawn.push([from, stroke]);
    from = stroke.to;
  }
  return drawn;
}

/** A stroke's own box: a curve stays within the hull of its points. */
function boundStroke(from: Point, stroke: Stroke): Box {
  const points = stroke.kind === "curve" ? [from, stroke.first, stroke.second, stroke.to] : [from, stroke.to];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return {
    name: "stroke",
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

function meet(one: Box, other: Box): boolean {
  return (
    one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
  );
}

function sampleStroke(from: Point, stroke: Stroke): Point[] {
  const { to } = stroke;
  const [first, second] = stroke.kind === "curve" ? [stroke.first, stroke.second] : [from, to];
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const steps = Math.max(2, Math.ceil(length / 3));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const t = step / steps;
    const mix = (a: number, b: number, c: number, d: number): number =>
      stroke.kind === "curve"
        ? (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d
        : a + (d - a) * t;
    return { x: mix(from.x, first.x, second.x, to.x), y: mix(from.y, first.y, second.y, to.y) };
  });
}

function findCrossed(
  { connection, strokes, arrow }: DrawnConnection,
  index: number,
  nodes: readonly DrawnNode[],
  labels: readonly Box[],
): string[] {
  const isOwn = ({ node }: DrawnNode): boolean => node.id === connection.from || node.id === connection.to;
  const others = nodes.filter((drawn) => !isOwn(drawn));
  const boxes = [
    ...others.map((drawn) => boxOf(drawn.node.id, drawn, drawn.width, drawn.height)),
    ...labels,
  ].map((box) => shrink(box, TOLERANCE_PX));
  const crossed = new Set<string>();
  const look = (points: readonly Point[], near: Box): void => {
    for (const box of boxes) {
      if (meet(near, box) && points.some((point) => holds(box, point))) crossed.add(box.name);
    }
    for (const drawn of nodes.filter(isOwn)) {
      const inner = { ...drawn, width: drawn.width - 3, height: drawn.height - 3 };
      const enters = points.some(({ x, y }) =>
        liesInside(inner, Math.abs(x - drawn.x), Math.abs(y - drawn.y)),
      );
      if (enters) crossed.add(drawn.node.id);
    }
  };
  for (const [from, stroke] of drawnStrokes(strokes)) {
    look(sampleStroke(from, stroke), boundStroke(from, stroke));
  }
  if (arrow !== null) look([arrow.tip], boxOf("tip", arrow.tip, 0, 0));
  return [...crossed].map((name) => `connection ${index} runs through ${name}`);
}

function shrink({ name, left, right, top, bottom }: Box, px: number): Box {
  return { name, left: left + px, right: right - px, top: top + px, bottom: bottom - px };
}

function holds({ left, right, top, bottom }: Box, { x, y }: Point): boolean {
  return x > left && x < right && y > top && y < bottom;
}

/** Whether both ends of a line lie on the outline of their nodes. */
function findLoose(
  { connection, strokes, arrow }: DrawnConnection,
  index: number,
  nodes: readonly DrawnNode[],
): string[] {
  const ends: [string, Point | undefined][] = [
    [connection.from, strokes[0]?.to],
    [connection.to, arrow?.tip ?? strokes.at(-1)?.to],
  ];
  return ends.flatMap(([id, point]) => {
    const node = nodes.find((drawn) => drawn.node.id === id);
    if (node === undefined || point === undefined) return [`connection ${index} has no end at ${id}`];
    const [x, y] = [point.x - node.x, point.y - node.y];
    const outer = liesInside({ ...node, width: node.width + 2, height: node.height + 2 }, x, y);
    const inner = liesInside({ ...node, width: node.width - 3, height: node.height - 3 }, x, y);
    return outer && !inner ? [] : [`connection ${index} does not touch ${id}`];
  });
}

function findOutbound({ width, height, connections }: FlowchartGeometry, boxes: readonly Box[]): string[] {
  const faults = boxes
    .filter(({ left, top, right, bottom }) => left < 0 || top < 0 || right > width || bottom > height)
    .map(({ name }) => `${name} leaves the frame`);
  for (const [index, { strokes }] of connections.entries()) {
    const out = sampleLine(strokes).some(({ x, y }) => x < 1 || y < 1 || x > width - 1 || y > height - 1);
    if (out) faults.push(`connection ${index} leaves the frame`);
  }
  return faults;
}
