import { element, type SvgNode } from "../../drawing/svg.ts";
import type { Frame, Paints } from "../paint.ts";
import type { Random } from "../random.ts";

interface Circle {
  cx: number;
  cy: number;
  r: number;
}

/** Radii by the frame's shorter side, and how many of each a square holds: one large, some small, room between. */
const SIZES = [
  [0.4, 0.8],
  [0.26, 1],
  [0.16, 1.6],
  [0.09, 1.4],
  [0.045, 1],
] as const;
const GAP = 0.04;
const TRIES = 60;

/** Circles of five sizes that do not touch: discs, rings and targets, some cut by the edge. */
export function drawCircles(frame: Frame, random: Random, paints: Paints): SvgNode[] {
  const unit = Math.min(frame.width, frame.height);
  const squares = Math.max(frame.width, frame.height) / unit;
  const placed: Circle[] = [];
  for (const [size, perSquare] of SIZES) {
    for (let index = Math.round(perSquare * squares); index > 0; index--) {
      const circle = findPlace(placed, size * unit * random.between(0.85, 1.1), GAP * unit, frame, random);
      if (circle) placed.push(circle);
    }
  }
  return placed.flatMap((circle) => drawCircle(circle, unit, random, paints));
}

function findPlace(placed: Circle[], r: number, gap: number, frame: Frame, random: Random): Circle | null {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const cx = random.between(0, frame.width);
    const cy = random.between(0, frame.height);
    if (placed.every((other) => Math.hypot(other.cx - cx, other.cy - cy) >= other.r + r + gap)) {
      return { cx, cy, r };
    }
  }
  return null;
}

function drawCircle({ cx, cy, r }: Circle, unit: number, random: Random, paints: Paints): SvgNode[] {
  const paint = paints.at(cx, cy);
  const form = r > 0.1 * unit ? random.pick(["disc", "disc", "ring", "target"]) : "disc";
  if (form === "ring") {
    const width = r * 0.26;
    const { fill, "fill-opacity": opacity } = paint;
    const line = { stroke: fill, "stroke-opacity": opacity, "stroke-width": width };
    return [element("circle", { cx, cy, r: r - width / 2, fill: "none", ...line })];
  }
  const disc = element("circle", { cx, cy, r, ...paint });
  if (form === "disc") return [disc];
  const heart = random.between(0.36, 0.5) * r;
  return [disc, element("circle", { cx, cy, r: heart, ...paints.on(paint) })];
}
