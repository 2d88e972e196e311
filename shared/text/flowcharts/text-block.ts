import { measureText, wrapText } from "../drawing/measure-text.ts";

/** Lines of text and the room they take, in px. */
export type TextBlock = ReturnType<typeof setText>;

/** The rule for setting a text: its size, and the limits within which its lines are broken. */
export interface TextRule {
  sizePx: number;
  /** Width for each px of height that is aimed at. */
  ratio: number;
  narrowestPx: number;
  widestPx: number;
}

const LINE_HEIGHT = 1.3;
// Beyond this a text is an essay: evening out its lines would cost more than it gives.
const EVEN_UP_TO = 240;

/** Breaks a label into lines of about the wanted proportion, the lines of a short one about equally long. */
export function setText(label: string, rule: TextRule) {
  const { sizePx } = rule;
  const linePx = Math.round(sizePx * LINE_HEIGHT);
  const paragraphs = label.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  const widest = Math.max(...paragraphs.map((line) => measureText(line, sizePx)));
  const total = paragraphs.reduce((sum, line) => sum + measureText(line, sizePx), 0);
  const aimed = Math.sqrt(total * linePx * rule.ratio);
  const limit = Math.min(rule.widestPx, Math.max(rule.narrowestPx, aimed, measureWord(label, rule)));
  const lines =
    widest <= limit ? trimEnds(paragraphs) : paragraphs.flatMap((line) => breakEvenly(line, limit, sizePx));
  const width = Math.max(0, ...lines.map((line) => measureText(line, sizePx)));
  return { lines, width, height: lines.length * linePx, sizePx, linePx };
}

// The words of a line: it may break at spaces, and between the letters of Chinese, Japanese and Korean.
const WORD = /[^\s\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]+/g;

/** The width of the longest word that has room in a line at all, so that it is not cut. */
function measureWord(label: string, { sizePx, widestPx }: TextRule): number {
  let longest = 0;
  for (const [word] of label.matchAll(WORD)) {
    if (word.length > widestPx) continue;
    const width = Math.ceil(measureText(word, sizePx));
    if (width <= widestPx) longest = Math.max(longest, width);
  }
  return longest;
}

function trimEnds(lines: string[]): string[] {
  return lines.length === 1 && lines[0] === "" ? [] : lines;
}

function breakEvenly(line: string, limit: number, sizePx: number): string[] {
  const wrap = (width: number) => wrapText(line, width, Number.POSITIVE_INFINITY, { sizePx });
  const broken = wrap(limit);
  if (broken.length === 0) return [""];
  if (broken.length === 1 || line.length > EVEN_UP_TO) return broken;
  const even = wrap((measureText(line, sizePx) / broken.length) * 1.12);
  return even.length === broken.length ? even : broken;
}
