import { formatNumber, type SvgNode } from "../../drawing/svg.ts";
import { drawOutlines, type Frame, type Outline, type Paints } from "../paint.ts";
import type { Random } from "../random.ts";

type Form = "quarter" | "leaf" | "disc" | "square" | "half";

/** Few forms in one picture: each is drawn from one of these sets. */
const SETS: readonly [readonly [Form, ...Form[]], ...(readonly [Form, ...Form[]])[]] = [
  ["quarter", "quarter", "disc"],
  ["quarter", "leaf", "square"],
  ["half", "half", "disc"],
  ["leaf", "leaf", "disc"],
  ["quarter", "half", "square"],
];
const OPEN_SHARE = 0.28;

/** Square tiles with quarter circles, leaves, halves, discs and squares, and tiles left open. */
export function drawGrid({ width, height }: Frame, random: Random, paints: Paints): SvgNode[] {
  const rows = random.whole(3, 4);
  const [across, down] =
    width >= height
      ? [Math.round((width / height) * rows), rows]
      : [rows, Math.round((height / width) * rows)];
  const size = { w: width / across, h: height / down };
  const forms = random.pick(SETS);
  const open = random.shuffle(
    Array.from({ length: across * down }, (_, index) => index < OPEN_SHARE * across * down),
  );
  const tiles: Outline[] = [];
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const form = random.pick(forms);
      const quarterTurns = random.whole(0, 3);
      const [x, y] = [column * size.w, row * size.h];
      const paint = paints.at(x + size.w / 2, y + size.h / 2);
      if (!open[row * across + column]) tiles.push({ d: writeTile(form, quarterTurns, x, y, size), paint });
    }
  }
  return drawOutlines(tiles);
}

/** A tile's outline; the corners are counted clockwise from the upper left. */
function writeTile(
  form: Form,
  turns: number,
  x: number,
  y: number,
  { w, h }: { w: number; h: number },
): string {
  const corners = [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ] as const;
  const corner = (index: number) => (corners[(turns + index) % 4] ?? corners[0]).map(formatNumber).join(" ");
  const radii = `${formatNumber(w)} ${formatNumber(h)}`;
  const halves = `${formatNumber(w / 2)} ${formatNumber(h / 2)}`;
  if (form === "quarter") return `M${corner(0)}L${corner(1)}A${radii} 0 0 1 ${corner(3)}Z`;
  if (form === "leaf") return `M${corner(1)}A${radii} 0 0 1 ${corner(3)}A${radii} 0 0 1 ${corner(1)}Z`;
  if (form === "half") return `M${corner(0)}A${halves} 0 0 0 ${corner(1)}Z`;
  if (form === "square") return `M${corner(0)}L${corner(1)}L${corner(2)}L${corner(3)}Z`;
  const middle = formatNumber(y + h / 2);
  return `M${formatNumber(x)} ${middle}A${halves} 0 1 1 ${formatNumber(x + w)} ${middle}A${halves} 0 1 1 ${formatNumber(x)} ${middle}Z`;
}

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
