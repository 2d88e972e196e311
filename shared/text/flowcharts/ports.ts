import type { NodeForm } from "../markdown/flowcharts/flowchart.ts";
import type { FlowPoint, FlowSize } from "./lay-out.ts";
import { insetAt, reachOfSide, type SideAxis } from "./shapes.ts";

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
