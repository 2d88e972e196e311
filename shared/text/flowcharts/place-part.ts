import type { Flowchart } from "../markdown/flowcharts/flowchart.ts";
import { type FlowPoint, type FlowSize, type LaidOut, layOut } from "./lay-out.ts";
import type { Part } from "./parts.ts";
import {
  type Band,
  drawLoop,
  drawRoute,
  type FlowStroke,
  nestLoops,
  type Passage,
  type RouteEnd,
} from "./route.ts";
import { insetAt, type PortNode, type PortWish, placePorts, reachOfSide, type SizedNode } from "./shapes.ts";
import type { TextBlock } from "./text-block.ts";

/** One connected part of a flowchart, with the measurements of the whole flowchart. */
export interface PartToPlace {
  flowchart: Flowchart;
  part: Part;
  sized: readonly SizedNode[];
  labels: readonly (TextBlock | null)[];
  indexOf: ReadonlyMap<string, number>;
}

const LABEL_ROOM = { x: 10, y: 6 };
const NO_SIZE: FlowSize = { across: 0, along: 0 };

interface Scene {
  turned: boolean;
  /** Of the part's nodes, in its order. */
  nodes: PortNode[];
  edges: { index: number; from: number; to: number; label: FlowSize; arrow: boolean }[];
  loops: Map<number, { index: number; label: FlowSize; arrow: boolean }[]>;
}

/** Places one connected part and leads its lines, in the directions of the flow. */
export function placePart(input: PartToPlace): PlacedPart {
  const scene = setScene(input);
  // Loops without a label go inside, so that a label stands outside its own loop and within as few as
  // possible.
  for (const loops of scene.loops.values()) loops.sort((one, other) => one.label.across - other.label.across);
  const blocks = new Map(
    [...scene.loops].map(([node, loops]) => [node, nestLoops(loops.map(({ label }) => label))]),
  );
  const laidOut = layOut({
    nodes: scene.nodes.map(({ size }) => size),
    connections: scene.edges,
    loops: new Map([...blocks].map(([node, { size }]) => [node, size])),
    turned: scene.turned,
  });
  for (const [index, node] of scene.nodes.entries()) node.center = laidOut.nodes[index] ?? node.center;
  const placed: PlacedPart = { nodes: new Map(), connections: new Map() };
  for (const [index, node] of scene.nodes.entries())
    placed.nodes.set(input.part.nodes[index] ?? 0, node.center);
  routeEdges(scene, laidOut, collectBands(scene, laidOut, blocks), placed);
  for (const [node, block] of blocks) routeLoops(scene, node, block, laidOut.loops.get(node), placed);
  return placed;
}

function setScene({ flowchart, part, sized, labels, indexOf }: PartToPlace): Scene {
  const turned = flowchart.direction === "LR" || flowchart.direction === "RL";
  const localOf = new Map(part.nodes.map((index, local) => [index, local]));
  const scene: Scene = { turned, nodes: [], edges: [], loops: new Map() };
  for (const index of part.nodes) {
    const node = sized[index];
    if (node === undefined) continue;
    scene.nodes.push({ form: node.node.form, size: turnSize(node, turned), center: NO_SIZE });
  }
  for (const index of part.connections) {
    const connection = flowchart.connections[index];
    if (connection === undefined) continue;
    const from = localOf.get(indexOf.get(connection.from) ?? 0) ?? 0;
    const to = localOf.get(indexOf.get(connection.to) ?? 0) ?? 0;
    const text = labels[index] ?? null;
    const label = text === null ? NO_SIZE : turnSize(addRoom(text), turned);
    const { arrow } = connection;
    if (from === to) scene.loops.set(from, [...(scene.loops.get(from) ?? []), { index, label, arrow }]);
    else scene.edges.push({ index, from, to, label, arrow });
  }
  return scene;
}

function addRoom({ width, height }: TextBlock): { width: number; height: number } {
  return { width: width + LABEL_ROOM.x, height: height + LABEL_ROOM.y };
}

function turnSize({ width, height }: { width: number; height: number }, turned: boolean): FlowSize {
  return turned ? { across: height, along: width } : { across: width, along: height };
}

type Bands = (point: FlowPoint) => Band;

/** Finds the band of a point: everything in one rank has the same middle, to the last digit but rounding. */
function collectBands(
  scene: Scene,
  laidOut: LaidOut,
  blocks: ReadonlyMap<number, { size: FlowSize }>,
): Bands {
  const halves = new Map<number, number>();
  const key = (along: number): number => Math.round(along * 16);
  const include = (point: FlowPoint | null | undefined, { along }: FlowSize): void => {
    if (!point) return;
    halves.set(key(point.along), Math.max(halves.get(key(point.along)) ?? 0, along / 2));
  };
  for (const { center, size } of scene.nodes) include(center, size);
  for (const [index, { label }] of scene.edges.entries()) include(laidOut.connections[index]?.label, label);
  for (const [node, { size }] of blocks) include(laidOut.loops.get(node), size);
  return ({ along }) => ({ along, half: halves.get(key(along)) ?? 0 });
}

function routeEdges(scene: Scene, laidOut: LaidOut, bandOf: Bands, placed: PlacedPart): void {
  const wishes = scene.edges.flatMap(({ from, to }, index): PortWish[] => {
    const via = laidOut.connections[index]?.via ?? [];
    const towardStart = via[0] ?? scene.nodes[to]?.center ?? NO_SIZE;
    const towardEnd = via.at(-1) ?? scene.nodes[from]?.center ?? NO_SIZE;
    return [
      { key: `${index}a`, node: from, toward: towardStart },
      { key: `${index}b`, node: to, toward: towardEnd },
    ];
  });
  const ports = placePorts(scene.nodes, wishes, scene.turned);
  for (const [local, edge] of scene.edges.entries()) {
    const { via, label } = laidOut.connections[local] ?? { via: [], label: null };
    const start = endAt(scene, edge.from, ports.get(`${local}a`), bandOf);
    const end = endAt(scene, edge.to, ports.get(`${local}b`), bandOf);
    const passages = via.map((point): Passage => {
      const here = label !== null && Math.abs(point.along - label.along) < 0.1;
      return { point, band: bandOf(point), label: here ? edge.label : null };
    });
    const strokes = drawRoute(start, passages, end, edge.arrow);
    placed.connections.set(edge.index, { strokes, tip: edge.arrow ? end.touch : null, label });
  }
}

function endAt(scene: Scene, node: number, port: FlowPoint | undefined, bandOf: Bands): RouteEnd {
  const center = scene.nodes[node]?.center ?? NO_SIZE;
  return { touch: port ?? center, band: bandOf(center) };
}

function routeLoops(
  scene: Scene,
  node: number,
  block: ReturnType<typeof nestLoops>,
  middle: FlowPoint | undefined,
  placed: PlacedPart,
): void {
  const port = scene.nodes[node];
  const members = scene.loops.get(node) ?? [];
  if (port === undefined || middle === undefined) return;
  const sign = middle.across >= port.center.across ? 1 : -1;
  const near = middle.across - (sign * block.size.across) / 2;
  for (const [nest, { index, label, arrow }] of members.entries()) {
    const loop = block.loops[nest];
    if (loop === undefined) continue;
    const { start, end } = touchSide(port, sign, scene.turned, (nest + 1) / members.length);
    const apex = Math.abs(near - start.across) + loop.reach;
    placed.connections.set(index, {
      strokes: drawLoop({ start, end, sign, apex, half: loop.half }, arrow),
      tip: arrow ? end : null,
      label: label.across === 0 ? null : { across: near + sign * loop.labelAt, along: port.center.along },
    });
  }
}

/** The two points of a node's side where a loop leaves and enters, as a share of the side's reach. */
function touchSide(
  { form, size, center }: PortNode,
  sign: number,
  turned: boolean,
  share: number,
): { start: FlowPoint; end: FlowPoint } {
  const axis = turned ? "flat" : "upright";
  const [width, height] = turned ? [size.along, size.across] : [size.across, size.along];
  const away = Math.min(reachOfSide(form, axis, width, height), 22) * share;
  const across = center.across + sign * (size.across / 2 - insetAt(form, axis, width, height, away));
  return { start: { across, along: center.along - away }, end: { across, along: center.along + away } };
}

/** A connected part in the directions of the flow, before it is turned; by index into the flowchart. */
export interface PlacedPart {
  nodes: Map<number, FlowPoint>;
  connections: Map<number, { strokes: FlowStroke[]; tip: FlowPoint | null; label: FlowPoint | null }>;
}
