import { Graph, layout } from "@dagrejs/dagre";
import { orderNodes } from "./order-nodes.ts";

/*
 * Layout is done in two directions of its own, whatever the direction of the flowchart: `across` the flow and
 * `along` it. Only the last step turns them into x and y.
 */

/** A place in the directions of the flow. */
export interface FlowPoint {
  across: number;
  along: number;
}

/** Room across and along the flow. */
export interface FlowSize {
  across: number;
  along: number;
}

/** A part of a flowchart to lay out: sizes of nodes, and ends and label sizes of connections between them. */
export interface FlowPart {
  nodes: readonly FlowSize[];
  connections: readonly { from: number; to: number; label: FlowSize }[];
  /** The room for the loops of a node to itself, by node; not given for most. */
  loops: ReadonlyMap<number, FlowSize>;
  /** Whether along is the x direction, of which a page has less. */
  turned: boolean;
}

/**
 * The places of a layout; `via` are the points between the two ends of a connection, one for each rank
 * passed.
 */
export interface LaidOut {
  nodes: FlowPoint[];
  connections: { via: FlowPoint[]; label: FlowPoint | null }[];
  loops: Map<number, FlowPoint>;
}

/** Distances in px: between nodes, between lines, and between two ranks, one below or one beside the other. */
const GAPS_PX = { node: 40, line: 22, rank: 80, turnedRank: 64 } as const;

// Where many lines bend between two ranks they need more room to stay apart.
const CROWD = { perConnectionPx: 1.2, mostPx: 60 };

/** Lays out one connected part; the same part always comes out the same. */
export function layOut(part: FlowPart): LaidOut {
  if (part.nodes.length === 1 && part.loops.size === 0) {
    return { nodes: [{ across: 0, along: 0 }], connections: [], loops: new Map() };
  }
  const graph = buildGraph(part);
  layout(graph, { customOrder: orderNodes });
  return faceAuthor(readGraph(graph, part));
}

function readGraph(graph: Graph, part: FlowPart): LaidOut {
  return {
    nodes: part.nodes.map((_, index) => toFlowPoint(graph.node(name(index)))),
    connections: part.connections.map(({ from, to, label }, index) => {
      const edge = graph.edge(name(from), name(to), name(index));
      const points: { x: number; y: number }[] = edge.points ?? [];
      return {
        via: points.slice(1, -1).map(toFlowPoint),
        label: label.along === 0 ? null : toFlowPoint(edge),
      };
    }),
    loops: new Map(
      [...part.loops.keys()].map((node) => [node, toFlowPoint(graph.edge(name(node), name(node), LOOP))]),
    ),
  };
}

/** Mirrors a layout across the flow where more of its nodes then follow the order of the text. */
function faceAuthor(laidOut: LaidOut): LaidOut {
  let kept = 0;
  for (const [index, one] of laidOut.nodes.entries()) {
    for (const other of laidOut.nodes.slice(index + 1)) {
      if (Math.abs(one.along - other.along) < 1) kept += Math.sign(other.across - one.across);
    }
  }
  if (kept >= 0) return laidOut;
  const mirror = ({ across, along }: FlowPoint): FlowPoint => ({ across: -across, along });
  return {
    nodes: laidOut.nodes.map(mirror),
    connections: laidOut.connections.map(({ via, label }) => ({
      via: via.map(mirror),
      label: label && mirror(label),
    })),
    loops: new Map([...laidOut.loops].map(([node, point]) => [node, mirror(point)])),
  };
}

const LOOP = "loop";

// The library keeps nodes in plain objects, where an id such as "__proto__" would be lost; these cannot be.
function name(index: number): string {
  return `n${index}`;
}

function buildGraph(part: FlowPart): Graph {
  const graph = new Graph({ multigraph: true });
  const extra = part.connections.length - part.nodes.length;
  const crowd = Math.min(CROWD.mostPx, Math.max(0, extra * CROWD.perConnectionPx));
  graph.setGraph({
    rankdir: "TB",
    nodesep: GAPS_PX.node,
    edgesep: GAPS_PX.line,
    ranksep: (part.turned ? GAPS_PX.turnedRank : GAPS_PX.rank) + crowd,
  });
  for (const [index, { across, along }] of part.nodes.entries()) {
    graph.setNode(name(index), { width: across, height: along });
  }
  for (const [index, { from, to, label }] of part.connections.entries()) {
    graph.setEdge(name(from), name(to), toEdge(label), name(index));
  }
  for (const [node, size] of part.loops) graph.setEdge(name(node), name(node), toEdge(size), LOOP);
  return graph;
}

function toEdge({ across, along }: FlowSize): { width: number; height: number; labelpos: "c" } {
  return { width: across, height: along, labelpos: "c" };
}

function toFlowPoint({ x = 0, y = 0 }: { x?: number; y?: number }): FlowPoint {
  return { across: x, along: y };
}
