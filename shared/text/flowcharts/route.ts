import type { FlowPoint, FlowSize } from "./lay-out.ts";

/** A piece of a line between points of a kind. */
export type StrokeOf<Point> =
  | { kind: "move" | "line"; to: Point }
  | { kind: "curve"; first: Point; second: Point; to: Point };

/** A piece of a line in the directions of the flow. */
export type FlowStroke = StrokeOf<FlowPoint>;

/** A piece of a line with its points elsewhere. */
export function mapStroke<From, To>(stroke: StrokeOf<From>, place: (point: From) => To): StrokeOf<To> {
  const to = place(stroke.to);
  if (stroke.kind !== "curve") return { kind: stroke.kind, to };
  return { kind: "curve", first: place(stroke.first), second: place(stroke.second), to };
}

/** A rank: where it lies along the flow, and how far its largest node or label reaches to both sides. */
export interface Band {
  along: number;
  half: number;
}

/** An end of a connection: where it touches the node, and the band of that node. */
export interface RouteEnd {
  touch: FlowPoint;
  band: Band;
}

/**
 * A point that a connection passes between its ends, with its band, and the label to leave free there, if
 * any.
 */
export interface Passage {
  point: FlowPoint;
  band: Band;
  label: FlowSize | null;
}

/** Length of an arrowhead along the line. */
export const ARROW_PX = 10;
const STUB_PX = 6;

/**
 * Draws a line that runs straight along the flow through every rank and bends only between ranks, where nothing else
 * lies: it cannot meet a node or a label that is not its own.
 */
export function drawRoute(
  from: RouteEnd,
  passages: readonly Passage[],
  to: RouteEnd,
  arrow: boolean,
): FlowStroke[] {
  const first = passages[0]?.point ?? to.touch;
  const last = passages.at(-1)?.point ?? from.touch;
  const out = first.along >= from.touch.along ? 1 : -1;
  const back = last.along >= to.touch.along ? 1 : -1;
  const strokes: FlowStroke[] = [{ kind: "move", to: from.touch }];
  const leave = furthest(out, from.touch.along + out * STUB_PX, from.band.along + out * from.band.half);
  strokes.push({ kind: "line", to: { across: from.touch.across, along: leave } });
  for (const passage of passages) passThrough(strokes, passage);
  const room = arrow ? ARROW_PX + 3 : STUB_PX;
  const enter = furthest(back, to.touch.along + back * room, to.band.along + back * to.band.half);
  bendTo(strokes, { across: to.touch.across, along: enter });
  const end = arrow ? to.touch.along + back * (ARROW_PX - 1) : to.touch.along;
  strokes.push({ kind: "line", to: { across: to.touch.across, along: end } });
  return strokes;
}

function furthest(sign: number, one: number, other: number): number {
  return sign > 0 ? Math.max(one, other) : Math.min(one, other);
}

function passThrough(strokes: FlowStroke[], { point, band, label }: Passage): void {
  if (band.half === 0) return;
  const before = strokes.at(-1)?.to.along ?? 0;
  const sign = point.along >= before ? 1 : -1;
  const at = (along: number): FlowPoint => ({ across: point.across, along });
  bendTo(strokes, at(band.along - sign * band.half));
  if (label !== null) {
    const room = label.along / 2;
    strokes.push({ kind: "line", to: at(point.along - sign * room) });
    strokes.push({ kind: "move", to: at(point.along + sign * room) });
  }
  strokes.push({ kind: "line", to: at(band.along + sign * band.half) });
}

function bendTo(strokes: FlowStroke[], to: FlowPoint): void {
  const from = strokes.at(-1)?.to ?? to;
  if (Math.abs(from.across - to.across) < 0.5) {
    strokes.push({ kind: "line", to });
    return;
  }
  const middle = (from.along + to.along) / 2;
  const first = { across: from.across, along: middle };
  strokes.push({ kind: "curve", first, second: { across: to.across, along: middle }, to });
}

const APEX_PX = 6;
const LABEL_GAP_PX = 7;
const NEST_PX = 9;
const LEAST_HALF_PX = 15;

/**
 * Nests the loops of a node to itself, each around the label of the one before: the room that they take together, and
 * where each lies in it, the innermost first.
 */
export function nestLoops(labels: readonly FlowSize[]) {
  const loops: { reach: number; half: number; labelAt: number }[] = [];
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
interface LoopPlace {
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
  const room = arrow ? ARROW_PX + 2 : LOOP_STUB_PX;
  // Nested loops must have parted before the innermost turns back.
  const spread = Math.min(apex - corner, room + SPREAD_PX);
  return [
    { kind: "move", to: start },
    { kind: "line", to: out(LOOP_STUB_PX, start.along) },
    turn(out(LOOP_STUB_PX, start.along), out(spread, near)),
    { kind: "line", to: out(apex - corner, near) },
    round(out(apex - corner, near), out(apex, near), out(apex, near + corner)),
    { kind: "line", to: out(apex, far - corner) },
    round(out(apex, far - corner), out(apex, far), out(apex - corner, far)),
    { kind: "line", to: out(spread, far) },
    turn(out(spread, far), out(room, end.along)),
    { kind: "line", to: out(arrow ? ARROW_PX - 1 : 0, end.along) },
  ];
}

const LOOP_STUB_PX = 5;
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
