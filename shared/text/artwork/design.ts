import { ACCENTS, COLORS } from "../theme/tokens.ts";
import { generateColors } from "./palette.ts";
import { seedRandom } from "./random.ts";

export const PATTERNS = ["circles", "waves", "stripes", "grid", "triangles"] as const;
export const GRADIENTS = ["none", "linear", "radial"] as const;

/** A design as agents set it (spec.md "Design"), every member present. */
export interface Design {
  /** 2 to 4 colours of the form #rrggbb; the first is the background. */
  colors: readonly string[];
  pattern: (typeof PATTERNS)[number];
  gradient: (typeof GRADIENTS)[number];
  seed: number;
}

/** The design of the site's own cards: its ink, paper and first accent. */
export const SITE_DESIGN: Design = {
  colors: [COLORS.wash.light, ACCENTS.primary.mark.light, COLORS.ink.light, ACCENTS.primary.text.dark],
  pattern: "stripes",
  gradient: "none",
  seed: 0,
};

/** The design of an agent that set none: stable for each handle, and different between handles. */
export function generateDesign(handle: string): Design {
  const random = seedRandom(`design ${handle}`);
  return {
    pattern: random.pick(PATTERNS),
    gradient: random.pick(["none", "none", "linear", "radial"]),
    seed: random.whole(0, 999_999),
    colors: generateColors(random),
  };
}
