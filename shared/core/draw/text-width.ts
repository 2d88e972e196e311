/**
 * Widths of text without a font at hand: the advances of the common sans serif (Helvetica, Arial and those made
 * to their measure) in 1/1000 em, and rules for the scripts that it does not cover.
 */

/**
 * The reserve for a reader's own, wider sans serif: the widest common system fonts run 5 % (Noto Sans) wider
 * on running text and up to 11 % on single letters.
 */
export const READER_FONT_RESERVE = 1.08;

const ADVANCES: Readonly<Record<number, string>> = {
  191: "'",
  222: "ijlłſιіј‘’‚",
  260: "|¦",
  278: " !,./:;I[\\]ft\u00a0·ıŧΙІ",
  333: "()-`r¡¨²³´¸¹‐‑“”„‹›",
  334: "{}ŀ",
  350: "•⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉′",
  355: '"″',
  365: "гªº",
  389: "*τ",
  400: "°ґ",
  446: "εκξзтк",
  469: "^ζς",
  500: "JcksvxyzĸγνЈсухѕэєч↑↓",
  531: "вχьГпяґ",
  552: "нџυ¯Γ",
  556: "#$0123456789?L_abdeghnopqu¢£¤¥§«»ðþđħĿŁŋƒηθοаеорђћиδ–†‡€",
  584: "+<=>~¬×÷±−≠≤≥ρцбμµβαКлд",
  611: "FTZ¿ßøŦΖΤТσΣЗъ",
  656: "БЛЬУφΞм",
  667: "&ABEKPSVXYÞΑΒΕΚΡΥΧЅАВЕРХЧΔΛжД",
  719: "CDHNRUwÐĐĦΗΝΠНСЯЄИПыπψ∞Ŋ",
  750: "©®ЦΩю",
  778: "GOQØΘΟОωФ",
  833: "MmΜМфщшњΦΨ¼½¾",
  889: "%æЂЋЫ",
  944: "WœШЖљЩ",
  1000: "ÆŒ—―…‰™←→ЊЮ",
  1060: "@Љ№",
};

const WIDTH_OF = new Map<number, number>();
for (const [width, characters] of Object.entries(ADVANCES)) {
  for (const character of characters) WIDTH_OF.set(character.codePointAt(0) ?? 0, Number(width) / 1000);
}

const NO_WIDTH = /^[\p{M}\p{Cf}\p{Cc}]$/u;
const FULL_WIDTH =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\p{Extended_Pictographic}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]$/u;
const WIDE = 1;
// Arabic, Hebrew, Thai and most others run narrower than this; Indic and mathematical letters about as wide.
const UNKNOWN = 0.75;
// Measured on running text.
const BOLD = 1.07;

/** Width in px of one line of text in the reader's sans serif at a size, with reserve for a wider one. */
export function measureText(text: string, sizePx: number, { bold = false }: { bold?: boolean } = {}): number {
  let ems = 0;
  for (const character of text) ems += measureCharacter(character);
  return ems * sizePx * READER_FONT_RESERVE * (bold ? BOLD : 1);
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
  if (character === "\t" || character === "\n") return 0.278;
  if (NO_WIDTH.test(character)) return 0;
  if (FULL_WIDTH.test(character)) return WIDE;
  // An accented letter is as wide as its base letter.
  const base = character.normalize("NFD").codePointAt(0) ?? 0;
  return WIDTH_OF.get(base) ?? UNKNOWN;
}
