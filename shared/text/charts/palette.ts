import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolDiamond,
  symbolPlus,
  symbolSquare,
  symbolStar,
  symbolTimes,
  symbolTriangle,
} from "d3-shape";
import { element, type SvgAttributes, type SvgNode } from "../drawing/svg.ts";
import { CHART_PALETTE, type ChartGroup } from "../theme/tokens.ts";

const SYMBOLS: Readonly<Record<ChartGroup["shape"], SymbolType>> = {
  circle: symbolCircle,
  square: symbolSquare,
  triangle: symbolTriangle,
  diamond: symbolDiamond,
  cross: symbolTimes,
  plus: symbolPlus,
  star: symbolStar,
  ring: symbolCircle,
};

// Filled marks cannot be dashed: each group but the first has a hatch of its own, drawn in paper over its colour. The
// stylesheet shows hatches where colours may not be told apart, as in print.
const HATCHES: readonly (readonly [d: string, transform?: string] | null)[] = [
  null,
  ["M0,4H8", "rotate(45)"],
  ["M2,2h.01M6,6h.01"],
  ["M4,0V8"],
  ["M0,4H8", "rotate(-45)"],
  ["M0,4H8"],
  ["M0,4H8M4,0V8", "rotate(45)"],
  ["M2,0V8M4,0V8"],
];

/** The class that gives a group its colour. */
export function classOf(group: number): string {
  return `g${(group % CHART_PALETTE.length) + 1}`;
}

/** The dash of a group's line; undefined for a solid one. */
export function dashOf(group: number): string | undefined {
  return CHART_PALETTE[group % CHART_PALETTE.length]?.dash || undefined;
}

/** The fill of a group's bars and areas: its colour, or its hatch; `hatchPrefix` is null where nothing is hatched. */
export function fillOf(group: number, hatchPrefix: string | null): string {
  const isPlain = hatchPrefix === null || HATCHES[group % HATCHES.length] === null;
  return isPlain ? "currentColor" : `url(#${hatchPrefix}-h${group + 1})`;
}

/** The hatches that this many groups need. */
export function drawHatches(groupCount: number, hatchPrefix: string | null): SvgNode[] {
  const hatches: SvgNode[] = [];
  if (hatchPrefix === null) return hatches;
  for (let group = 0; group < groupCount; group++) {
    const hatch = HATCHES[group % HATCHES.length];
    if (hatch === null || hatch === undefined) continue;
    const [d, patternTransform] = hatch;
    const lines = { class: "paper hatch", d, stroke: "currentColor", "stroke-linecap": "round" } as const;
    hatches.push(
      element(
        "pattern",
        {
          id: `${hatchPrefix}-h${group + 1}`,
          class: classOf(group),
          width: 8,
          height: 8,
          patternUnits: "userSpaceOnUse",
          patternTransform,
        },
        [
          element("rect", { width: 8, height: 8, fill: "currentColor" }),
          element("path", {
            ...lines,
            "stroke-width": d.includes("h.01") ? 2.4 : 1.4,
            "stroke-opacity": 0.45,
          }),
        ],
      ),
    );
  }
  return hatches;
}

/** Draws the shapes of one group: all have one outline, moved to their places. */
export function createMarker(
  group: number,
  radiusPx: number,
): (x: number, y: number, children?: SvgNode[]) => SvgNode {
  const shape = CHART_PALETTE[group % CHART_PALETTE.length]?.shape ?? "circle";
  if (shape === "circle" || shape === "ring") {
    const look: SvgAttributes =
      shape === "ring" ? { fill: "none", stroke: "currentColor", "stroke-width": 2 } : {};
    return (cx, cy, children) => element("circle", { cx, cy, r: radiusPx, ...look }, children);
  }
  const d = symbol(SYMBOLS[shape], Math.PI * radiusPx ** 2).digits(2)() ?? "";
  const open = shape === "cross" || shape === "plus";
  const look: SvgAttributes = open ? { fill: "none", stroke: "currentColor", "stroke-width": 2 } : {};
  return (x, y, children) =>
    element("path", { d, transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`, ...look }, children);
}
