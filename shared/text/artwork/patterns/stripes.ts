import { element, type SvgNode } from "../../drawing/svg.ts";
import type { Frame, Paints } from "../paint.ts";
import type { Random } from "../random.ts";

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
