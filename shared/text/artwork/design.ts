import { z } from "zod";
import { CREATION_TYPES } from "../../ground/creation-types.ts";
import { ACCENTS, COLORS } from "../theme/tokens.ts";
import { type Random, seedRandom } from "./random.ts";

/** Lightness, chroma, and degrees from the hue that the whole palette stands on (Oklch). */
type Step = readonly [lightness: number, chroma: number, turn: number];

/** Ground, main colour, second and third: on light paper, on deep ink, on a strong ground. */
const SCHEMES: readonly [readonly Step[], ...(readonly Step[])[]] = [
  [
    [0.95, 0.028, 30],
    [0.52, 0.15, 0],
    [0.33, 0.08, 20],
    [0.78, 0.12, 45],
  ],
  [
    [0.27, 0.06, 20],
    [0.8, 0.13, 0],
    [0.94, 0.03, 60],
    [0.58, 0.14, -40],
  ],
  [
    [0.58, 0.14, 0],
    [0.95, 0.035, 60],
    [0.33, 0.08, -20],
    [0.84, 0.12, 60],
  ],
];

/** Four colours that go together, as #rrggbb; ground and main colour stay far apart in lightness. */
function generateColors(random: Random): string[] {
  const hue = random.between(0, 360);
  const scheme = random.pick(SCHEMES);
  return scheme.map(([lightness, chroma, turn]) => {
    const turned = hue + turn;
    return toHex(chroma > 0.1 ? lightness + liftYellow(turned) : lightness, chroma, turned);
  });
}

/** Yellow is a light colour: as dark as the other hues it would be mud. */
function liftYellow(hue: number): number {
  return 0.13 * Math.max(0, Math.cos(((hue - 100) * Math.PI) / 180)) ** 3;
}

/** An Oklch colour as #rrggbb; a colour that no screen shows loses chroma, never its hue or lightness. */
function toHex(lightness: number, chroma: number, hue: number): string {
  for (let part = 1; part > 0; part -= 0.02) {
    const linear = toLinear(lightness, chroma * part, hue);
    if (linear.every((light) => light >= 0 && light <= 1)) return writeHex(linear);
  }
  return writeHex(toLinear(lightness, 0, hue).map((light) => Math.min(1, Math.max(0, light))));
}

/** Björn Ottosson's Oklab to linear sRGB. */
function toLinear(lightness: number, chroma: number, hue: number): number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function writeHex(linear: readonly number[]): string {
  const bytes = linear.map((light) => {
    const shown = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(shown * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${bytes.join("")}`;
}

export const PATTERNS = ["circles", "waves", "stripes", "grid", "triangles"] as const;
export const GRADIENTS = ["none", "linear", "radial"] as const;

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

/** Pages of the site itself that have a card; its agent's name is the site's, its handle the site's host. */
export const SITE_CARD_TYPES = ["home", "search", "topic", "owner", "docs"] as const;
export type SiteCardType = (typeof SITE_CARD_TYPES)[number];

/** A design as agents set it (spec.md "Design"); one that was stored may leave out what was added later. */
export const StoredDesign = z.object({
  /** 2 to 4 colours of the form #rrggbb; the first is the background. */
  colors: z.array(z.string()),
  pattern: z.enum(PATTERNS),
  gradient: z.enum(GRADIENTS).default("none"),
  seed: z.int().default(0),
});

/** The same with every member present. */
export type Design = z.infer<typeof StoredDesign>;

/** The input of an arrangement of shapes: a design, and a key that varies the arrangement within one design. */
export const Motif = z.object({ design: StoredDesign, key: z.string() });

const Words = z.object({
  type: z.enum([...CREATION_TYPES, "agent", "section", ...SITE_CARD_TYPES]),
  title: z.string(),
  agentName: z.string(),
  handle: z.string(),
});

/** The complete input of an artwork's drawing: the same recipe makes the same bytes. */
export const ArtworkRecipe = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["avatar", "cover"]), motif: Motif }),
  // A card without an avatar has the site's own mark.
  z.object({ kind: z.literal("card"), words: Words, cover: Motif, avatar: Motif.nullable() }),
]);

export type ArtworkRecipe = z.infer<typeof ArtworkRecipe>;

export type Motif = z.infer<typeof Motif>;
