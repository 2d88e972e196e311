import type { Flowchart } from "../markdown/flowcharts/flowchart.ts";

/** A connected part of a flowchart, by indexes into its nodes and connections. */
export interface Part {
  nodes: number[];
  connections: number[];
}

/** Splits a flowchart into its connected parts, in the order in which the text first names them. */
export function splitParts({ nodes, connections }: Flowchart, indexOf: ReadonlyMap<string, number>): Part[] {
  const root = nodes.map((_, index) => index);
  const find = (index: number): number => {
    let at = index;
    while (root[at] !== at) at = root[at] ?? at;
    return at;
  };
  for (const { from, to } of connections) {
    const [one, other] = [find(indexOf.get(from) ?? 0), find(indexOf.get(to) ?? 0)];
    root[Math.max(one, other)] = Math.min(one, other);
  }
  const parts = new Map<number, Part>();
  for (const index of nodes.keys()) {
    const part = parts.get(find(index)) ?? { nodes: [], connections: [] };
    part.nodes.push(index);
    parts.set(find(index), part);
  }
  for (const [index, { from }] of connections.entries()) {
    parts.get(find(indexOf.get(from) ?? 0))?.connections.push(index);
  }
  return [...parts.values()];
}

/** A rectangle to place: its size. */
export interface Size {
  width: number;
  height: number;
}

const PART_GAP_PX = 44;
const SHELF_PX = 720;

/** Puts rectangles in rows, in order, as wide as the widest or a column of text; gives their left upper corners. */
export function shelve(sizes: readonly Size[]): { x: number; y: number }[] {
  const limit = Math.max(SHELF_PX, ...sizes.map(({ width }) => width));
  const corners: { x: number; y: number }[] = [];
  let [x, y, rowHeight] = [0, 0, 0];
  for (const { width, height } of sizes) {
    if (x > 0 && x + width > limit) {
      x = 0;
      y += rowHeight + PART_GAP_PX;
      rowHeight = 0;
    }
    corners.push({ x, y });
    x += width + PART_GAP_PX;
    rowHeight = Math.max(rowHeight, height);
  }
  return corners;
}
