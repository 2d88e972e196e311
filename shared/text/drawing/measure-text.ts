/**
 * Widths of text without a font at hand: for each character the widest of its advances, in 1/1000 em, in the sans serifs
 * that a reader may have, and rules for the scripts that the table does not cover.
 */

/**
 * By how much text is measured wider than most readers see it, in Arial or a font of its measure; the widest system
 * fonts, DejaVu Sans and Verdana, need all of it.
 */
export const READER_FONT_RESERVE = 1.16;

// Measured in Chromium: the largest advance in DejaVu Sans, Liberation Sans, Noto Sans, Open Sans and Roboto, rounded up
// to 20.
const ADVANCES: Readonly<Record<number, string>> = {
  240: "′",
  280: "'ijlıіј",
  300: "ł",
  320: " ,. ·‘’‚",
  340: ":;IΙІ",
  360: "fŀſι",
  380: "-‐‑",
  400: "()[]tŧ‹›",
  420: "!/\\r¡²³¹″⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉",
  460: '"',
  480: "ªº",
  500: "°¸",
  520: "“”„",
  540: "szгзѕґ",
  560: "*?JL_c|¦¯ĿΓεζνξЈсэє†",
  580: "`k¨´ĸŁƒχ‡",
  600: "vxyγκλςвтухь•",
  620: "FTaeo§«»¿ðøŦΤδθοτυГТабекочя",
  640: "$0123456789bdghnpqu{}¢£¥µßþđŋΣβημρσУлрђ€",
  660: "¶ΞαЗинпћџ–",
  680: "EKPSYÞΕΚΡΥЅЕР",
  700: "ABVXZħΑΒΖΛΧπАБВХЧЬдц",
  720: "¤ΔЄКЭъ",
  740: "CRUφСЯ",
  760: "HNŊΗΝΠЏЛНПм",
  780: "&DGÐĐψИЦ",
  800: "OQØΘΟΩДОы",
  820: "wΦ",
  840: "#+<=>^~¬±×÷ΨωЪ↑↓−≤≥",
  860: "Ћфю",
  880: "ЂФ",
  900: "Ыњ",
  920: "MĦΜМжшљ",
  960: "%щ",
  980: "m¼½¾",
  1000: "W©®Ææ—―…™←→",
  1020: "@",
  1040: "œ∞",
  1080: "ŒЖШЮ№",
  1100: "ЉЊЩ",
  1360: "‰",
  1920: "⸺",
  2840: "⸻",
  7240: "﷽",
};

const WIDTH_OF = new Map<number, number>();
for (const [width, characters] of Object.entries(ADVANCES)) {
  for (const character of characters) WIDTH_OF.set(character.codePointAt(0) ?? 0, Number(width) / 1000);
}

const SPACE = /^[\p{Zs}\t\n\r]$/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const EMOJI = /^[\p{Emoji_Presentation}\p{Extended_Pictographic}]$/u;
const FULL_WIDTH =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]$/u;
/** Scripts in ems: nine in ten letters of the Noto font of each are as wide or narrower, so a word of them is narrower. */
const SCRIPTS: readonly [script: RegExp, ems: number][] = [
  [
    /^[\p{Script=Arabic}\p{Script=Gurmukhi}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Thai}\p{Script=Tibetan}]$/u,
    0.8,
  ],
  [
    /^[\p{Script=Balinese}\p{Script=Javanese}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Myanmar}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]$/u,
    1.4,
  ],
  [/^\p{Script=Cuneiform}$/u, 2.4],
];
const UNKNOWN = 1;
const SPACING_MARK = /^\p{Mc}$/u;
/** Drawn as a box or as U+FFFD. */
const NO_GLYPH = /^[\p{Cc}\p{Cs}\p{Cn}\p{Co}]$/u;
const NO_GLYPH_EMS = 1.1;
/** Bold letters are wider by a share, narrow ones by more than that. */
const BOLD = { share: 1.12, leastEm: 0.075 };

/** Width in px of one line of text at a size in the widest sans serif that a reader may have. */
export function measureText(text: string, sizePx: number, { bold = false }: { bold?: boolean } = {}): number {
  let ems = 0;
  for (const character of text) {
    const width = measureCharacter(character);
    ems += bold && width > 0 ? Math.max(width * BOLD.share, width + BOLD.leastEm) : width;
  }
  return ems * sizePx;
}

function measureCharacter(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  const known = WIDTH_OF.get(code);
  if (known !== undefined) return known;
  const width = deriveWidth(character);
  // Texts repeat their characters; a bound keeps a text of rare ones from growing the table for ever.
  if (WIDTH_OF.size < 4096) WIDTH_OF.set(code, width);
  return width;
}

function deriveWidth(character: string): number {
  if (FULL_WIDTH.test(character)) return 1;
  if (SPACE.test(character)) return 0.32;
  if (NO_WIDTH.test(character)) return 0;
  if (EMOJI.test(character)) return 1.28;
  if (NO_GLYPH.test(character)) return NO_GLYPH_EMS;
  // An accented letter is as wide as its base letter.
  const base = WIDTH_OF.get(character.normalize("NFD").codePointAt(0) ?? 0);
  if (base !== undefined) return base;
  const letter = SCRIPTS.find(([script]) => script.test(character))?.[1] ?? UNKNOWN;
  return SPACING_MARK.test(character) ? letter / 2 : letter;
}

/** The type that a text is set in. */
interface TextFont {
  sizePx: number;
  bold?: boolean;
}

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const ELLIPSIS = "…";
// No text that is drawn is wider than a few thousand px; the rest of a longer one need not be measured.
const MOST_UNITS = 2_000;

/** The text, or as much of it as fits a width with an ellipsis; never cuts a letter from its accents or an emoji. */
export function truncateText(text: string, maxWidthPx: number, font: TextFont): string {
  const head = text.length > MOST_UNITS ? text.slice(0, MOST_UNITS).toWellFormed() : text;
  if (head === text && measureText(text, font.sizePx, font) <= maxWidthPx) return text;
  const room = maxWidthPx - measureText(ELLIPSIS, font.sizePx, font);
  let kept = "";
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(head)) {
    width += measureText(segment, font.sizePx, font);
    if (width > room) break;
    kept += segment;
  }
  return kept.trimEnd() + ELLIPSIS;
}

/**
 * Breaks text into at most `maxLines` lines of a width: at line breaks and spaces, within a word only where
 * the word alone is too wide. The last line is cut with an ellipsis where the rest does not fit.
 */
export function wrapText(text: string, maxWidthPx: number, maxLines: number, font: TextFont): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < maxLines - 1) {
    const line = takeLine(rest, maxWidthPx, font);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  if (rest !== "") lines.push(truncateText(rest.replace(/\s+/g, " "), maxWidthPx, font));
  return lines;
}

function takeLine(text: string, maxWidthPx: number, font: TextFont): string {
  const [line = ""] = text.slice(0, MOST_UNITS).split("\n", 1);
  let fits = "";
  for (const [word] of line.matchAll(/\S+\s*/g)) {
    // Measured whole: the widths of words add up to a little more or less, and a text fits into its own width.
    if (measureText((fits + word).trimEnd(), font.sizePx, font) > maxWidthPx) break;
    fits += word;
  }
  return fits === "" ? cutWord(line, maxWidthPx, font) : fits;
}

// In Chinese and Japanese no line begins with a mark that closes, nor ends with one that opens (JLREQ, 3.1.7 and 3.1.8).
const CLOSING = new Set(
  "、。，．・：；！？）」』】〕〉》〟ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々…,.:;!?)]}”’",
);
const OPENING = new Set("（「『【〔〈《〝([{“‘");
const MOST_CARRIED = 3;

/** As much of a word as fits, at least one letter. */
function cutWord(text: string, maxWidthPx: number, font: TextFont): string {
  const kept: string[] = [];
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += measureText(segment, font.sizePx, font);
    if (kept.length > 0 && width > maxWidthPx) return carryOver(kept, segment).join("");
    kept.push(segment);
  }
  return kept.join("");
}

/** The letters of a line without those that belong to what follows. */
function carryOver(line: readonly string[], next: string): readonly string[] {
  for (let end = line.length; end > Math.max(0, line.length - MOST_CARRIED); end--) {
    if (!CLOSING.has(line[end] ?? next) && !OPENING.has(line[end - 1] ?? "")) return line.slice(0, end);
  }
  return line;
}
