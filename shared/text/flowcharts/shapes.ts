import type { FlowchartNode, NodeForm } from "../markdown/flowcharts/flowchart.ts";
import type { FlowPoint, FlowSize } from "./lay-out.ts";
import { setText, type TextBlock, type TextRule } from "./text-block.ts";

/** A node with its text set and the size of its shape, in px. */
export interface SizedNode {
  node: FlowchartNode;
  text: TextBlock;
  width: number;
  height: number;
}

/** Radius of the corners of a rounded box. */
export const CORNER_PX = 10;

const PADDING = { x: 16, y: 11 };
const LEAST = { width: 56, height: 42 };
// Height of a decision for each px of its width.
const SLOPE = 0.56;

const NODE_TEXT: TextRule = { sizePx: 15, ratio: 3, narrowestPx: 170, widestPx: 460 };
const RULES: Readonly<Record<NodeForm, TextRule>> = {
  box: NODE_TEXT,
  rounded: NODE_TEXT,
  stadium: { ...NODE_TEXT, ratio: 4 },
  decision: { ...NODE_TEXT, ratio: 2.4, narrowestPx: 120, widestPx: 380 },
  circle: { ...NODE_TEXT, ratio: 1.2, narrowestPx: 64, widestPx: 380 },
};

/** Sets the text of a node and makes its shape large enough that the text lies wholly inside. */
export function sizeNode(node: FlowchartNode): SizedNode {
  const text = setText(node.label, RULES[node.form]);
  return { node, text, ...sizeShape(node.form, text) };
}

function sizeShape(form: NodeForm, text: TextBlock): { width: number; height: number } {
  if (form === "circle") {
    const diameter = Math.ceil(Math.max(LEAST.height + 4, Math.hypot(text.width, text.height) + 14));
    return { width: diameter, height: diameter };
  }
  if (form === "decision") {
    const [across, down] = [text.width + 14, text.height + 10];
    const width = Math.ceil(Math.max(72, across + down / SLOPE));
    return { width, height: Math.ceil(Math.max(LEAST.height, across * SLOPE + down)) };
  }
  const height = Math.ceil(Math.max(LEAST.height, text.height + 2 * PADDING.y));
  const ends = form === "stadium" ? roundInset(height / 2, text.height / 2) : 0;
  return { width: Math.ceil(Math.max(LEAST.width, text.width + 2 * (PADDING.x + ends))), height };
}

/** How far a circle of a radius has drawn back from its tangent at a distance from the touching point. */
function roundInset(radius: number, distance: number): number {
  const within = Math.min(radius, Math.abs(distance));
  return radius - Math.sqrt(radius * radius - within * within);
}

/** A side of a shape: top and bottom are alike, and so are left and right. */
type SideAxis = "flat" | "upright";

/** How far from the middle of a side a connection may touch it. */
export function reachOfSide(form: NodeForm, axis: SideAxis, width: number, height: number): number {
  const half = (axis === "flat" ? width : height) / 2;
  if (form === "decision") return half * 0.3;
  if (form === "circle") return half * 0.6;
  if (form === "stadium") return axis === "flat" ? Math.max(half - height / 2, 0) + height / 6 : half * 0.6;
  return Math.max(0, half - (form === "rounded" ? CORNER_PX + 2 : 6));
}

/** How far the outline lies inside the bounding box at a distance from the middle of a side. */
export function insetAt(
  form: NodeForm,
  axis: SideAxis,
  width: number,
  height: number,
  distance: number,
): number {
  const [along, across] = axis === "flat" ? [width / 2, height / 2] : [height / 2, width / 2];
  const away = Math.abs(distance);
  if (form === "decision") return (across * away) / along;
  if (form === "circle") return roundInset(along, away);
  if (form === "stadium") {
    if (axis === "upright") return roundInset(along, away);
    const radius = height / 2;
    return roundInset(radius, Math.max(0, away - (along - radius)));
  }
  return 0;
}

// Two arrowheads stay apart at 13 px; beyond sixteen of them a node would become a bar.
const PORT_ROOM = { gapPx: 13, most: 16 };

/** Makes room at a node for its connections, on the sides that the flow enters and leaves; `turned` for LR and RL. */
export function widenForPorts(sized: SizedNode, ports: number, turned: boolean): SizedNode {
  const { form } = sized.node;
  if (form === "circle" || form === "decision") return sized;
  const wanted = (Math.min(ports, PORT_ROOM.most) - 1) * PORT_ROOM.gapPx;
  const reach = reachOfSide(form, turned ? "upright" : "flat", sized.width, sized.height);
  const missing = Math.max(0, wanted - 2 * reach);
  if (missing === 0) return sized;
  return turned ? { ...sized, height: sized.height + missing } : { ...sized, width: sized.width + missing };
}

/** A node as its connections see it. */
export interface PortNode {
  form: NodeForm;
  size: FlowSize;
  center: FlowPoint;
}

/** One end of a connection that wants a place at a node; `toward` is the next point of its line. */
export interface PortWish {
  key: string;
  node: number;
  toward: FlowPoint;
}

const PORT_GAP_PX = 20;
/** A port may leave its even place by this much where that makes its line straight. */
const SNAP_PX = 16;
const LEAST_GAP_PX = 11;

/**
 * Gives every end of a connection its own place at its node: on the side that faces its line, in the order of
 * the lines' targets, so that lines do not cross at the node. `turned` is set where across is the y
 * direction.
 */
export function placePorts(
  nodes: readonly PortNode[],
  wishes: readonly PortWish[],
  turned: boolean,
): Map<string, FlowPoint> {
  const sides = new Map<string, PortWish[]>();
  for (const wish of wishes) {
    const node = nodes[wish.node];
    if (node === undefined) continue;
    const side = `${wish.node}${wish.toward.along >= node.center.along ? "+" : "-"}`;
    sides.set(side, [...(sides.get(side) ?? []), wish]);
  }
  const ports = new Map<string, FlowPoint>();
  for (const [side, members] of sides) {
    const node = nodes[members[0]?.node ?? 0];
    if (node !== undefined) placeSide(ports, node, members, side.endsWith("+") ? 1 : -1, turned);
  }
  return ports;
}

function placeSide(
  ports: Map<string, FlowPoint>,
  { form, size, center }: PortNode,
  members: PortWish[],
  sign: number,
  turned: boolean,
): void {
  const axis: SideAxis = turned ? "upright" : "flat";
  const [width, height] = turned ? [size.along, size.across] : [size.across, size.along];
  const sorted = members.toSorted((one, other) => one.toward.across - other.toward.across);
  const wanted = sorted.map(({ toward }) => toward.across - center.across);
  const places = spreadPorts(form, reachOfSide(form, axis, width, height), wanted);
  for (const [index, { key }] of sorted.entries()) {
    const away = places[index] ?? 0;
    const inset = insetAt(form, axis, width, height, away);
    const along = center.along + sign * (size.along / 2 - inset);
    ports.set(key, { across: center.across + away, along });
  }
}

/** Evenly about the middle; where a little less even makes a line straight, straight. */
function spreadPorts(form: NodeForm, reach: number, wanted: readonly number[]): number[] {
  const most = form === "decision" ? Math.max(PORT_GAP_PX, reach * 1.6) : PORT_GAP_PX;
  const gap = wanted.length > 1 ? Math.min(most, (2 * reach) / (wanted.length - 1)) : 0;
  const even = wanted.map((_, index) => (index - (wanted.length - 1) / 2) * gap);
  if (form === "decision" || form === "circle" || (even.length > 1 && gap < LEAST_GAP_PX)) return even;
  const places: number[] = [];
  for (const [index, place] of even.entries()) {
    const straight = wanted[index] ?? place;
    const before = places[index - 1] ?? Number.NEGATIVE_INFINITY;
    const after = even[index + 1] ?? Number.POSITIVE_INFINITY;
    const fits =
      Math.abs(straight - place) <= SNAP_PX &&
      Math.abs(straight) <= reach &&
      straight - before >= LEAST_GAP_PX &&
      after - straight >= LEAST_GAP_PX;
    places.push(fits ? straight : place);
  }
  return places;
}
