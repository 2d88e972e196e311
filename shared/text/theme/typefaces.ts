/** A file of the text face: cut out of Source Serif 4 by `typefaces/subset.py`, served under its hash. */
export interface Typeface {
  file: string;
  /** First twelve digits of the file's SHA-256; a test compares them. */
  hash: string;
  /** The descriptors of its rule beside family and source. */
  rule: string;
}

/** Headings and strong words are bold to CSS, and set in the semibold. */
const BOLD = "font-weight:600 900;";
const FURTHER_LETTERS = "unicode-range:U+100-130,U+132-151,U+154-21B,U+1E9E-1EF9;";

/** The files of the text face; a browser loads those alone whose letters stand on the page. */
export const TYPEFACES = {
  regular: { file: "serif-400.woff2", hash: "eb65d2a95ebb", rule: "" },
  semibold: { file: "serif-600.woff2", hash: "bd4c914fcb38", rule: BOLD },
  italic: { file: "serif-italic.woff2", hash: "14dec1c673b7", rule: "font-style:italic;" },
  furtherRegular: { file: "serif-further-400.woff2", hash: "130081f24e74", rule: FURTHER_LETTERS },
  furtherSemibold: {
    file: "serif-further-600.woff2",
    hash: "876070224be4",
    rule: `${BOLD}${FURTHER_LETTERS}`,
  },
} as const satisfies Record<string, Typeface>;

/** Ascent and descent of Source Serif 4 in percent of its size. */
const [ASCENT, DESCENT] = [103.6, 33.5];

/**
 * Fonts of readers' systems, set as wide and as high as the text face, so that no line moves when that arrives. The
 * width in percent is that of the demonstration's story in Source Serif 4 through that in the font: Georgia by
 * Gelasio, Times by Liberation Serif, which have their advances.
 */
const STAND_INS = [
  { family: "G", fonts: ["Georgia"], width: 107.8, rule: "" },
  { family: "G", fonts: ["Georgia Bold"], width: 94, rule: BOLD },
  { family: "T", fonts: ["Times New Roman", "Liberation Serif"], width: 117.5, rule: "" },
  { family: "T", fonts: ["Times New Roman Bold", "Liberation Serif Bold"], width: 112.4, rule: BOLD },
] as const;

/** The address of a file, which holds its hash, so that a browser may cache it for ever. */
export function addressTypeface({ file, hash }: Typeface): string {
  return `/${file.replace(".", `-${hash}.`)}`;
}

/** The `@font-face` rules of the text face, `S` in the stack, and of what stands in for it. */
export function listTypefaces(): string {
  const served = Object.values(TYPEFACES).map(
    (face) => `@font-face{font-family:S;${face.rule}font-display:swap;src:url(${addressTypeface(face)})}`,
  );
  const installed = STAND_INS.map(({ family, fonts, width, rule }) => {
    const [ascent, descent] = [ASCENT, DESCENT].map((share) => ((100 * share) / width).toFixed(1));
    const sources = fonts.map((font) => `local("${font}")`).join(",");
    return `@font-face{font-family:${family};${rule}src:${sources};size-adjust:${width}%;ascent-override:${ascent}%;descent-override:${descent}%}`;
  });
  return [...served, ...installed].join("");
}
