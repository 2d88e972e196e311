import { element, type SvgNode } from "../drawing/svg.ts";
import { ACCENTS, COLORS } from "../theme/tokens.ts";
import type { Design } from "./design.ts";
import type { Random } from "./random.ts";

/** Sizes in px at which artwork is drawn. */
export const AVATAR_FRAME: Frame = { width: 240, height: 240 };
export const COVER_FRAME: Frame = { width: 1200, height: 300 };
export const CARD_FRAME: Frame = { width: 1200, height: 630 };

/** The fill of a shape. */
interface Paint {
  fill: string;
  "fill-opacity"?: number;
}

/** Width and height of a drawing. */
export interface Frame {
  width: number;
  height: number;
}

/** The ground of an artwork, and the colours of the shapes on it. */
export type Paints = ReturnType<typeof mixPaints>;

/** A closed outline and its fill. */
export interface Outline {
  d: string;
  paint: Paint;
}

/** Outlines that touch, without hairs of ground between them: one path for each paint, opaque ones with a thin edge. */
export function drawOutlines(outlines: readonly Outline[]): SvgNode[] {
  const paths = new Map<string, Outline>();
  for (const { d, paint } of outlines) {
    const name = JSON.stringify(paint);
    paths.set(name, { d: (paths.get(name)?.d ?? "") + d, paint });
  }
  return [...paths.values()].map(({ d, paint }) => {
    const edge = paint["fill-opacity"] === undefined ? { stroke: paint.fill, "stroke-width": 1 } : {};
    return element("path", { d, ...paint, ...edge });
  });
}

type Rgb = readonly [red: number, green: number, blue: number];

/** Mixes the paints of a design for a frame; `id` names its gradient within the page. */
export function mixPaints(
  { colors, gradient }: Pick<Design, "colors" | "gradient">,
  frame: Frame,
  random: Random,
  id: string,
) {
  const [first = "#000000", ...others] = colors;
  const last = others.at(-1) ?? first;
  const blend = gradient === "none" ? null : placeBlend(gradient, frame, random);
  const groundAt = (x: number, y: number) => mix(readRgb(first), readRgb(last), blend?.share(x, y) ?? 0);
  // On a blended ground the first colour is as far from the one end as the last is from the other.
  const fills = blend === null ? others : colors;
  return {
    ground: drawGround(frame, first, last, blend?.draw(id, first, last) ?? null, id),
    /** A paint that differs from the ground at this place. */
    at: (x: number, y: number) => pickPaint(fills, groundAt(x, y), random),
    /** A paint that differs from the paint under it. */
    on: ({ fill }: Paint) =>
      pickPaint(
        colors.filter((color) => color !== fill),
        readRgb(fill),
        random,
      ),
    /** The paint of one of many layers, different from the layer before it. */
    layer: (index: number, count: number) =>
      layerPaint(blend === null || others.length > 1 ? others : colors, index, count),
  };
}

function pickPaint(fills: readonly string[], ground: Rgb, random: Random): Paint {
  const apart = fills.map((fill) => ({ fill, apart: measureDistance(readRgb(fill), ground) }));
  const most = Math.max(...apart.map((paint) => paint.apart));
  const distinct = apart.filter((paint) => paint.apart >= most * 0.45).map((paint) => paint.fill);
  const fill = distinct[random.whole(0, distinct.length - 1)] ?? "#000000";
  // Two colours alone would be flat; a lighter stroke of the second is its own third.
  return distinct.length === 1 && random.chance(0.4) ? { fill, "fill-opacity": 0.55 } : { fill };
}

function layerPaint(fills: readonly string[], index: number, count: number): Paint {
  const fill = fills[index % fills.length] ?? "#000000";
  if (fills.length > 1) return { fill };
  return { fill, "fill-opacity": Math.round((0.3 + (0.7 * (index + 1)) / count) * 100) / 100 };
}

interface Blend {
  /** How much of the last colour the ground holds at a place, 0 to 1. */
  share(x: number, y: number): number;
  draw(id: string, first: string, last: string): SvgNode;
}

function placeBlend(gradient: "linear" | "radial", { width, height }: Frame, random: Random): Blend {
  if (gradient === "linear") {
    const falls = random.chance(0.5);
    const along = (x: number, y: number) => (x / width + (falls ? y : height - y) / height) / 2;
    return {
      share: (x, y) => clamp(along(x, y)),
      draw: (id, first, last) => {
        const ends = { x1: 0, y1: falls ? 0 : height, x2: width, y2: falls ? height : 0 };
        return element(
          "linearGradient",
          { id, gradientUnits: "userSpaceOnUse", ...ends },
          stops(first, last),
        );
      },
    };
  }
  const cx = width * random.between(0.2, 0.8);
  const cy = height * random.between(0.2, 0.8);
  const r = Math.hypot(width, height) * 0.6;
  return {
    share: (x, y) => clamp(Math.hypot(x - cx, y - cy) / r),
    draw: (id, first, last) =>
      element("radialGradient", { id, gradientUnits: "userSpaceOnUse", cx, cy, r }, stops(first, last)),
  };
}

function stops(first: string, last: string): SvgNode[] {
  return [
    element("stop", { offset: 0, "stop-color": first }),
    element("stop", { offset: 1, "stop-color": last }),
  ];
}

function drawGround(frame: Frame, first: string, last: string, blend: SvgNode | null, id: string): SvgNode[] {
  const { width, height } = frame;
  if (blend === null || first === last) return [element("rect", { width, height, fill: first })];
  return [element("defs", {}, [blend]), element("rect", { width, height, fill: `url(#${id})` })];
}

function readRgb(color: string): Rgb {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const [red, green, blue] = one.map((part, at) => part + ((other[at] ?? 0) - part) * share);
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function measureDistance(one: Rgb, other: Rgb): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** The size at which the site's mark is drawn. */
export const MARK_FRAME: Frame = { width: 16, height: 16 };

/** The mark of the site: a small front page, its lead beside a column. */
export function drawMark(): SvgNode[] {
  const [paper, ink] = [COLORS.paper.light, COLORS.ink.light];
  return [
    element("path", { fill: paper, d: "M0 0h16v16H0z" }),
    element("path", { fill: ink, d: "M2 2h12v3H2zM2 7h7v1H2zm0 2h7v1H2zm0 2h7v1H2zm0 2h7v1H2z" }),
    element("path", { fill: ACCENTS.primary.mark.light, d: "M10 7h4v7h-4z" }),
  ];
}
