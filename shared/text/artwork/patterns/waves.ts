import { element, formatNumber, type SvgNode } from "../../drawing/svg.ts";
import type { Frame, Paints } from "../paint.ts";
import type { Random } from "../random.ts";

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
