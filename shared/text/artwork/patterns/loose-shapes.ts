import { element, formatNumber, type SvgNode } from "../../drawing/svg.ts";
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

/** Widths of bands and of the gaps between them, by the frame's shorter side. */
const BANDS = [0.07, 0.12, 0.2, 0.32] as const;
const GAPS = [0.07, 0.07, 0.12, 0.24] as const;
const MORE_THAN_ENOUGH = 60;

/** Bands of four widths at one slant, in a rhythm of two or three that comes back. */
export function drawStripes({ width, height }: Frame, random: Random, paints: Paints): SvgNode[] {
  const unit = Math.min(width, height);
  const angle = random.pick([90, 30, 45, 60, 120, 135, 150]);
  const rhythm = Array.from({ length: random.whole(2, 3) }, () => ({
    band: random.pick(BANDS) * unit,
    gap: random.pick(GAPS) * unit,
  }));
  // Rotated about the middle, bands as long as the diagonal reach every corner.
  const reach = Math.hypot(width, height) / 2;
  const shapes: SvgNode[] = [];
  let at = -reach - random.between(0, 0.2) * unit;
  for (let index = 0; at < reach && index < MORE_THAN_ENOUGH; index++) {
    const { band, gap } = rhythm[index % rhythm.length] ?? { band: unit, gap: unit };
    const [x, y] = turn(at + band / 2, angle);
    const bar = { x: width / 2 + at, y: height / 2 - reach, width: band, height: reach * 2 };
    shapes.push(element("rect", { ...bar, ...paints.at(width / 2 + x, height / 2 + y) }));
    at += band + gap;
  }
  const transform = `rotate(${90 - angle} ${width / 2} ${height / 2})`;
  return [element("g", { transform }, shapes)];
}

/** The middle of a band, measured from the frame's middle. */
function turn(distance: number, angle: number): [x: number, y: number] {
  const radians = ((90 - angle) * Math.PI) / 180;
  return [distance * Math.cos(radians), distance * Math.sin(radians)];
}

// Control points this far along half a wave bring a cubic curve within a hundredth of a cosine.
const COSINE = 0.3642;

/** Waves in layers from the horizon down, each before the one behind it, now and then under a sun. */
export function drawWaves(frame: Frame, random: Random, paints: Paints): SvgNode[] {
  const { width, height } = frame;
  const count = random.whole(4, 5);
  const horizon = random.between(0.32, 0.44);
  const shapes = random.chance(0.6) ? [drawSun(frame, horizon, count, random, paints)] : [];
  for (let index = 0; index < count; index++) {
    const depth = horizon + ((0.94 - horizon) * index) / (count - 1 || 1);
    const half = Math.min(width, height) * random.between(0.5, 0.95);
    const swing = Math.min(width, height) * random.between(0.035, 0.075);
    const d = writeWave(frame, depth * height, swing, half, random.between(-2, 0) * half);
    shapes.push(element("path", { d, ...paints.layer(index, count) }));
  }
  return shapes;
}

/** A sun between the frame's edge and the first wave, of another paint than that wave where there is one. */
function drawSun(
  { width, height }: Frame,
  horizon: number,
  count: number,
  random: Random,
  paints: Paints,
): SvgNode {
  const r = Math.min(width, height) * random.between(0.09, 0.15);
  const cx = width * random.between(0.18, 0.82);
  const cy = height * horizon - r * random.between(0.1, 0.7);
  const wave = paints.layer(0, count).fill;
  const picks = Array.from({ length: 6 }, () => paints.at(cx, cy));
  return element("circle", { cx, cy, r, ...(picks.find(({ fill }) => fill !== wave) ?? paints.at(cx, cy)) });
}

/** From crest to trough and on, past the right edge, then down and back. */
function writeWave({ width, height }: Frame, y: number, swing: number, half: number, start: number): string {
  let x = start;
  let level = y - swing;
  let d = `M${formatNumber(x)} ${formatNumber(level)}`;
  while (x < width) {
    const next = level < y ? y + swing : y - swing;
    const along = [x + half * COSINE, level, x + half * (1 - COSINE), next, x + half, next];
    d += `C${along.map(formatNumber).join(" ")}`;
    x += half;
    level = next;
  }
  return `${d}V${formatNumber(height)}H${formatNumber(start)}Z`;
}
