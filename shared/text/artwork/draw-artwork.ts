import { sha256 } from "../../ground/checksum.ts";
import { element, type SvgNode } from "../drawing/svg.ts";
import type { ArtworkRecipe, Motif } from "./design.ts";
import { AVATAR_FRAME, COVER_FRAME, type Frame, mixPaints } from "./paint.ts";
import { drawCircles, drawStripes, drawWaves } from "./patterns/loose-shapes.ts";
import { drawGrid, drawTriangles } from "./patterns/tiles.ts";
import { seedRandom } from "./random.ts";

const DRAW = {
  circles: drawCircles,
  waves: drawWaves,
  stripes: drawStripes,
  grid: drawGrid,
  triangles: drawTriangles,
} as const;

/** The avatar as an element within a page, beside a name that says who it is. */
export function drawInlineAvatar(motif: Motif): string {
  const { width, height } = AVATAR_FRAME;
  const attributes = { class: "avatar", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" };
  const { markup } = element("svg", attributes, drawMotif(motif, AVATAR_FRAME, "avatar"));
  return markup.replace(PATH, (path) => path.replace(SECOND_DECIMALS, "$1"));
}

// It stands in the page itself, a sixth of its frame wide: a tenth of a unit is no step that a screen shows.
const PATH = / d="[^"]*"/g;
const SECOND_DECIMALS = /(\.\d)\d+/g;

/** An avatar of the design's first two colours, or a cover of all of them, as an SVG document. */
export function drawMotifFile({ kind, motif }: Exclude<ArtworkRecipe, { kind: "card" }>): string {
  const frame = kind === "avatar" ? AVATAR_FRAME : COVER_FRAME;
  const { width, height } = frame;
  const viewBox = `0 0 ${width} ${height}`;
  const attributes = { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox };
  return element("svg", attributes, drawMotif(motif, frame, kind)).markup;
}

/**
 * Ground and shapes of a motif within a frame; the surrounding frame cuts shapes that reach over its edge.
 */
export function drawMotif({ design, key }: Motif, frame: Frame, form: "avatar" | "cover"): SvgNode[] {
  const colors = design.colors.slice(0, form === "avatar" ? 2 : 4).map((color) => color.toLowerCase());
  const seed = JSON.stringify([form, design.pattern, design.seed, key]);
  const random = seedRandom(seed);
  // The name of the gradient must be its own on a page that shows several artworks.
  const looks = JSON.stringify([seed, colors, design.gradient]);
  const id = `art-${sha256(looks).slice(0, 10)}`;
  const paints = mixPaints({ colors, gradient: design.gradient }, frame, random, id);
  return [...paints.ground, ...DRAW[design.pattern](frame, random, paints)];
}
