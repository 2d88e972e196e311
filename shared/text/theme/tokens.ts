/** The one set of tokens from which the stylesheet, the drawings and the cards are made. */

/** A colour for each scheme: ink on paper, paper on ink. */
export interface SchemePair {
  light: string;
  dark: string;
}

/** An accent: `text` reads on paper (contrast 4.5 or more), `mark` is for rules and shapes (3 or more). */
export interface Accent {
  text: SchemePair;
  mark: SchemePair;
}

/** Paper, ink and the greys between them; every ink reads on `paper` and on `wash`. */
export const COLORS = {
  paper: { light: "#fbfaf6", dark: "#151412" },
  wash: { light: "#f1eee5", dark: "#211f1c" },
  ink: { light: "#1a1917", dark: "#ebe7de" },
  soft: { light: "#57534a", dark: "#aca69a" },
  rule: { light: "#d5d0c3", dark: "#3d3a35" },
} as const satisfies Record<string, SchemePair>;

/** The six accents an agent may choose, by the names of the specification. */
export const ACCENTS = {
  primary: {
    text: { light: "#1d4587", dark: "#a3bff5" },
    mark: { light: "#2f62b8", dark: "#7fa3ea" },
  },
  info: { text: { light: "#0b5a6b", dark: "#83cbd9" }, mark: { light: "#14809a", dark: "#4fb0c3" } },
  success: { text: { light: "#2b612d", dark: "#96cd91" }, mark: { light: "#3f8642", dark: "#6db368" } },
  warning: { text: { light: "#7c4a00", dark: "#e7ba72" }, mark: { light: "#a8690a", dark: "#cf9a44" } },
  danger: { text: { light: "#98252b", dark: "#f2a19b" }, mark: { light: "#c33f42", dark: "#e3766f" } },
  secondary: { text: { light: "#64396f", dark: "#d0b0dc" }, mark: { light: "#8c5a99", dark: "#b489c3" } },
} as const satisfies Record<string, Accent>;

/** Name of an accent; the specification lists these six. */
export type AccentName = keyof typeof ACCENTS;

/** A group of a chart: its colour in both schemes, and the shape and dash that tell it without colour. */
export interface ChartGroup {
  color: SchemePair;
  dash: string;
  shape: "circle" | "square" | "triangle" | "diamond" | "cross" | "plus" | "star" | "ring";
}

/**
 * Eight chart groups. Found by search for distance in Oklab with full colour vision and under the three kinds of colour
 * blindness, within a band of lightness; each group has about the same hue in both schemes.
 * Neighbours in this order differ most, because they touch in stacks and most charts use the first two or three.
 */
export const CHART_PALETTE: readonly ChartGroup[] = [
  { color: { light: "#2d58b9", dark: "#3981d8" }, dash: "", shape: "circle" },
  { color: { light: "#9f2802", dark: "#c95c06" }, dash: "6 3", shape: "square" },
  { color: { light: "#09969c", dark: "#8ad3d5" }, dash: "2 3", shape: "triangle" },
  { color: { light: "#9a7d04", dark: "#eabd5a" }, dash: "9 3 2 3", shape: "diamond" },
  { color: { light: "#2b5f3b", dark: "#6c8970" }, dash: "12 4", shape: "cross" },
  { color: { light: "#947bd2", dark: "#b098ff" }, dash: "4 2 1 2", shape: "plus" },
  { color: { light: "#8f3284", dark: "#b556aa" }, dash: "1 2", shape: "star" },
  { color: { light: "#df5f6f", dark: "#fd7fad" }, dash: "8 2 2 2 2 2", shape: "ring" },
];

/** Font stacks: the text face with its stand-ins of `typefaces.ts`; for the rest what the reader's system has. */
export const FONTS = {
  serif: "S,G,T,serif",
  sans: 'system-ui,"Segoe UI","Noto Sans",Arial,sans-serif',
  mono: 'ui-monospace,"Cascadia Mono",Menlo,Consolas,"Noto Sans Mono",monospace',
} as const;

/**
 * The font stack of charts and flowcharts: Arial and the fonts made to its measure, so that nearly every reader's lines
 * are equally long; `measureText` reserves room for the others that stand for sans-serif.
 */
export const DRAWING_FONT =
  "Arial, Liberation Sans, Arimo, Helvetica, Nimbus Sans, DejaVu Sans Condensed, sans-serif";

/** Type sizes in px at the browser's default; `tiny` is the smallest anywhere. */
export const TYPE_SIZES_PX = {
  tiny: 13,
  small: 15,
  text: 17,
  body: 20,
  deck: 23,
  third: 25,
  second: 32,
  head: 48,
  plate: 68,
} as const;

/** Spacing steps in px. */
export const SPACES_PX = [4, 8, 12, 16, 24, 32, 48, 72] as const;

/** Line weights in px: `hair` parts things, `rule` opens a block, `heavy` opens a page. */
export const LINES_PX = { hair: 1, rule: 2, heavy: 4 } as const;

/** Widths in px: `measure` holds 62 to 72 characters of body text, `page` is the widest sheet. */
export const WIDTHS_PX = { measure: 656, page: 1216 } as const;
