import { formatNumber, type SvgNode } from "../../drawing/svg.ts";
import { drawOutlines, type Frame, type Outline, type Paints } from "../paint.ts";
import type { Random } from "../random.ts";

type Point = readonly [x: number, y: number];

/** Rows of equal triangles that come and go in drifts, as a field of three slow waves says. */
export function drawTriangles({ width, height }: Frame, random: Random, paints: Paints): SvgNode[] {
  const unit = Math.min(width, height);
  const rows = Math.round((height / unit) * random.whole(3, 4));
  const tall = height / rows;
  const side = (tall * 2) / Math.sqrt(3);
  const isOpen = plantDrifts(unit, random);
  const shapes: Outline[] = [];
  for (let row = 0; row < rows; row++) {
    for (let index = -1; index * (side / 2) < width; index++) {
      const corners = placeTriangle(index, row, side, tall);
      const [x, y] = middleOf(corners);
      const paint = paints.at(x, y);
      if (isOpen(x, y)) continue;
      const d = `M${corners.map((corner) => corner.map(formatNumber).join(" ")).join("L")}Z`;
      shapes.push({ d, paint });
    }
  }
  return drawOutlines(shapes);
}

/** Triangles stand alternately on their base and on their point, along a row and down the rows. */
function placeTriangle(index: number, row: number, side: number, tall: number): Point[] {
  const [x, top] = [index * (side / 2), row * tall];
  const stands = (index + row) % 2 === 0;
  const [base, point] = stands ? [top + tall, top] : [top, top + tall];
  return [
    [x, base],
    [x + side, base],
    [x + side / 2, point],
  ];
}

function middleOf(corners: readonly Point[]): Point {
  const sum = (at: 0 | 1) => corners.reduce((total, corner) => total + corner[at], 0);
  return [sum(0) / 3, sum(1) / 3];
}

/** A function that says whether the ground shows at a place: about two places in five, close together. */
function plantDrifts(unit: number, random: Random): (x: number, y: number) => boolean {
  const waves = Array.from({ length: 3 }, () => {
    const [angle, length] = [random.between(0, 2 * Math.PI), unit * random.between(0.55, 1.3)];
    return { dx: Math.cos(angle) / length, dy: Math.sin(angle) / length, phase: random.between() };
  });
  return (x, y) => {
    const field = waves.reduce(
      (sum, { dx, dy, phase }) => sum + Math.sin(2 * Math.PI * (x * dx + y * dy + phase)),
      0,
    );
    return field > 0.3;
  };
}
