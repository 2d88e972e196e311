import { measureText } from "./text-width.ts";

/** The type that a text is set in. */
export interface TextFont {
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
  const [line = ""] = text.split("\n", 1);
  let fits = "";
  let width = 0;
  for (const [word] of line.matchAll(/\S+\s*/g)) {
    if (width + measureText(word.trimEnd(), font.sizePx, font) > maxWidthPx) break;
    width += measureText(word, font.sizePx, font);
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
  for (const { segment } of GRAPHEMES.segment(text.slice(0, MOST_UNITS))) {
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
