import type { FlowPoint, FlowSize } from "./lay-out.ts";

/** A piece of a line in the directions of the flow. */
export type FlowStroke =
  | { kind: "move" | "line"; to: FlowPoint }
  | { kind: "curve"; first: FlowPoint; second: FlowPoint; to: FlowPoint };

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
