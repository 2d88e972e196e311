import type { FlowPoint, FlowSize } from "./lay-out.ts";
import { ARROW_PX, type FlowStroke } from "./route.ts";

/** The loops of a node to itself, innermost first: the room they take together and where each lies in it. */
export interface LoopBlock {
  size: FlowSize;
  loops: { reach: number; half: number; labelAt: number }[];
}

const APEX_PX = 6;
const LABEL_GAP_PX = 7;
const NEST_PX = 9;
const LEAST_HALF_PX = 15;

/** Nests the loops of a node, each around the label of the one before. */
export function nestLoops(labels: readonly FlowSize[]): LoopBlock {
  const loops: LoopBlock["loops"] = [];
  let reach = APEX_PX;
  let half = LEAST_HALF_PX;
  let tallest = 0;
  for (const label of labels) {
    const gap = label.across === 0 ? 0 : LABEL_GAP_PX;
    loops.push({ reach, half, labelAt: reach + gap + label.across / 2 });
    tallest = Math.max(tallest, half, label.along / 2);
    half = Math.max(half, label.along / 2) + NEST_PX;
    reach += gap + label.across + NEST_PX;
  }
  return { size: { across: reach, along: 2 * tallest + 2 }, loops };
}

/** Where a loop leaves and enters its node, and how far out it goes: to the `sign` side of the node. */
export interface LoopPlace {
  start: FlowPoint;
  end: FlowPoint;
  sign: number;
  /** Distance of the outermost point from where the loop leaves. */
  apex: number;
  half: number;
}

/** Draws a loop from a side of a node out and back, entering nearer the end of the flow. */
export function drawLoop({ start, end, sign, apex, half }: LoopPlace, arrow: boolean): FlowStroke[] {
  const middle = (start.along + end.along) / 2;
  const corner = Math.min(10, half);
  const [near, far] = [middle - half, middle + half];
  const out = (distance: number, along: number): FlowPoint => ({
    across: start.across + sign * distance,
    along,
  });
  const room = arrow ? ARROW_PX + 2 : STUB_PX;
  // Nested loops must have parted before the innermost turns back.
  const spread = Math.min(apex - corner, room + SPREAD_PX);
  return [
    { kind: "move", to: start },
    { kind: "line", to: out(STUB_PX, start.along) },
    turn(out(STUB_PX, start.along), out(spread, near)),
    { kind: "line", to: out(apex - corner, near) },
    round(out(apex - corner, near), out(apex, near), out(apex, near + corner)),
    { kind: "line", to: out(apex, far - corner) },
    round(out(apex, far - corner), out(apex, far), out(apex - corner, far)),
    { kind: "line", to: out(spread, far) },
    turn(out(spread, far), out(room, end.along)),
    { kind: "line", to: out(arrow ? ARROW_PX - 1 : 0, end.along) },
  ];
}

const STUB_PX = 5;
const SPREAD_PX = 12;

function turn(from: FlowPoint, to: FlowPoint): FlowStroke {
  const middle = (from.across + to.across) / 2;
  const first = { across: middle, along: from.along };
  return { kind: "curve", first, second: { across: middle, along: to.along }, to };
}

function round(from: FlowPoint, corner: FlowPoint, to: FlowPoint): FlowStroke {
  const toward = (point: FlowPoint): FlowPoint => ({
    across: point.across + (corner.across - point.across) * 0.55,
    along: point.along + (corner.along - point.along) * 0.55,
  });
  return { kind: "curve", first: toward(from), second: toward(to), to };
}
