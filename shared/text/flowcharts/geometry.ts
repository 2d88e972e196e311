import type { Flowchart, FlowchartConnection, FlowDirection } from "../markdown/flowcharts/flowchart.ts";
import type { FlowPoint } from "./lay-out.ts";
import { type Part, shelve, splitParts } from "./parts.ts";
import { type PartToPlace, type PlacedPart, placePart } from "./place-part.ts";
import { mapStroke, type StrokeOf } from "./route.ts";
import { type SizedNode, sizeNode, widenForPorts } from "./shapes.ts";
import { setText, type TextBlock, type TextRule } from "./text-block.ts";

/** A place in the drawing, in px. */
export interface Point {
  x: number;
  y: number;
}

/** A piece of a line in the drawing. */
export type Stroke = StrokeOf<Point>;

/** A node in the drawing; x and y are its middle. */
export interface DrawnNode extends SizedNode, Point {}

/** A connection in the drawing: its line, its arrowhead from base to tip, and its label by its middle. */
export interface DrawnConnection {
  connection: FlowchartConnection;
  strokes: Stroke[];
  arrow: { base: Point; tip: Point } | null;
  label: { text: TextBlock; at: Point } | null;
}

/** The places of all parts of a flowchart; nothing reaches outside `width` and `height`. */
export interface FlowchartGeometry {
  width: number;
  height: number;
  nodes: DrawnNode[];
  connections: DrawnConnection[];
}

const MARGIN_PX = 6;

const LABEL_TEXT: TextRule = { sizePx: 13, ratio: 4, narrowestPx: 110, widestPx: 340 };

/** Lays a flowchart out: sizes texts and shapes, places them and leads the lines around them. */
export function layOutFlowchart(flowchart: Flowchart): FlowchartGeometry {
  const { direction } = flowchart;
  const indexOf = new Map(flowchart.nodes.map(({ id }, index) => [id, index]));
  const ports = countPorts(flowchart);
  const turned = direction === "LR" || direction === "RL";
  const sized = flowchart.nodes.map((node) => widenForPorts(sizeNode(node), ports.get(node.id) ?? 0, turned));
  const labels = flowchart.connections.map(({ label }) => (label === "" ? null : setText(label, LABEL_TEXT)));
  const parts = splitParts(flowchart, indexOf).map((part) =>
    turnPart(placePart({ flowchart, part, sized, labels, indexOf }), part, { flowchart, sized, labels }),
  );
  return joinParts(parts);
}

/** The connections at the busier side of each node, as far as they are known before the node is placed. */
function countPorts({ connections }: Flowchart): Map<string, number> {
  const counts = new Map<string, { into: number; out: number }>();
  const countOf = (id: string) => {
    const count = counts.get(id) ?? { into: 0, out: 0 };
    counts.set(id, count);
    return count;
  };
  for (const { from, to } of connections) {
    if (from === to) continue;
    countOf(from).out += 1;
    countOf(to).into += 1;
  }
  return new Map([...counts].map(([id, { into, out }]) => [id, Math.max(into, out)]));
}

type Drawing = Pick<PartToPlace, "flowchart" | "sized" | "labels">;

interface TurnedPart {
  nodes: [number, DrawnNode][];
  connections: [number, DrawnConnection][];
}

function turnPart(placed: PlacedPart, part: Part, drawing: Drawing): TurnedPart {
  const turn = chooseTurn(drawing.flowchart.direction);
  const nodes: TurnedPart["nodes"] = [];
  for (const index of part.nodes) {
    const [sized, place] = [drawing.sized[index], placed.nodes.get(index)];
    if (sized !== undefined && place !== undefined) nodes.push([index, { ...sized, ...turn(place) }]);
  }
  const connections: TurnedPart["connections"] = [];
  for (const index of part.connections) {
    const [connection, place] = [drawing.flowchart.connections[index], placed.connections.get(index)];
    if (connection === undefined || place === undefined) continue;
    const text = drawing.labels[index] ?? null;
    const strokes = place.strokes.map((stroke) => mapStroke(stroke, turn));
    const base = strokes.at(-1)?.to;
    const arrow = place.tip === null || base === undefined ? null : { base, tip: turn(place.tip) };
    const label = text === null || place.label === null ? null : { text, at: turn(place.label) };
    connections.push([index, { connection, strokes, arrow, label }]);
  }
  return { nodes, connections };
}

function chooseTurn(direction: FlowDirection): (point: FlowPoint) => Point {
  if (direction === "TB") return ({ across, along }) => ({ x: across, y: along });
  if (direction === "BT") return ({ across, along }) => ({ x: across, y: -along });
  if (direction === "LR") return ({ across, along }) => ({ x: along, y: across });
  return ({ across, along }) => ({ x: -along, y: across });
}

function joinParts(parts: TurnedPart[]): FlowchartGeometry {
  const boxes = parts.map(boundPart);
  const corners = shelve(boxes);
  const nodes: DrawnNode[] = [];
  const connections: DrawnConnection[] = [];
  let [width, height] = [0, 0];
  for (const [index, part] of parts.entries()) {
    const [box, corner] = [boxes[index], corners[index]];
    if (box === undefined || corner === undefined) continue;
    const shift = { x: corner.x - box.left + MARGIN_PX, y: corner.y - box.top + MARGIN_PX };
    for (const [at, node] of part.nodes) nodes[at] = { ...node, ...move(node, shift) };
    for (const [at, connection] of part.connections) connections[at] = moveConnection(connection, shift);
    width = Math.max(width, corner.x + box.width);
    height = Math.max(height, corner.y + box.height);
  }
  return {
    width: Math.ceil(width) + 2 * MARGIN_PX,
    height: Math.ceil(height) + 2 * MARGIN_PX,
    nodes,
    connections,
  };
}

function move({ x, y }: Point, shift: Point): Point {
  return { x: x + shift.x, y: y + shift.y };
}

function moveConnection(
  { connection, strokes, arrow, label }: DrawnConnection,
  shift: Point,
): DrawnConnection {
  return {
    connection,
    strokes: strokes.map((stroke) => mapStroke(stroke, (point) => move(point, shift))),
    arrow: arrow && { base: move(arrow.base, shift), tip: move(arrow.tip, shift) },
    label: label && { ...label, at: move(label.at, shift) },
  };
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

function boundPart({ nodes, connections }: TurnedPart): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const include = ({ x, y }: Point, halfWidth: number, halfHeight: number): void => {
    left = Math.min(left, x - halfWidth);
    right = Math.max(right, x + halfWidth);
    top = Math.min(top, y - halfHeight);
    bottom = Math.max(bottom, y + halfHeight);
  };
  for (const [, node] of nodes) include(node, node.width / 2, node.height / 2);
  for (const [, { strokes, label }] of connections) {
    for (const stroke of strokes) {
      // A curve stays within the hull of its points; two px for the width of the line.
      include(stroke.to, 2, 2);
      if (stroke.kind === "curve") include(stroke.first, 2, 2);
      if (stroke.kind === "curve") include(stroke.second, 2, 2);
    }
    if (label !== null) include(label.at, label.text.width / 2, label.text.height / 2);
  }
  return { left, top, width: right - left, height: bottom - top };
}
