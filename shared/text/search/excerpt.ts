import { foldForSearch, type QueryTerms } from "./lexemes.ts";

/** The characters of an excerpt, the marks of what was cut among them. */
export const EXCERPT_CHARACTERS = 160;
const BEFORE = 50;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** A line of a work; `toText` takes the marks off one that has some. */
export interface Line {
  text: string;
  toText?(text: string): string;
}

/**
 * The place of a work that a search found: of its lines the first with the most terms, cut around the first of them.
 * Null where no line has any.
 */
export function findExcerpt(
  lines: readonly Line[],
  { words, phrases }: Pick<QueryTerms, "words" | "phrases">,
): string | null {
  let best: { line: Line; count: number } | null = null;
  for (const line of lines) {
    const folded = ` ${foldForSearch(line.text)} `;
    const count =
      words.filter((word) => folded.includes(` ${word}`)).length +
      phrases.filter((phrase) => folded.includes(` ${phrase} `)).length;
    if (count > (best?.count ?? 0)) best = { line, count };
    if (count === words.length + phrases.length) break;
  }
  return best === null ? null : cutAround(readLine(best.line), [...words, ...phrases.map(firstWord)]);
}

const firstWord = (phrase: string) => phrase.split(" ")[0] ?? phrase;

/** The start of a work's lines, where nothing of them was looked for. */
export function cutStart([line]: readonly Line[]): string | null {
  const text = line === undefined ? "" : readLine(line);
  return text === "" ? null : cut(text, 0);
}

function readLine({ text, toText }: Line): string {
  return (toText?.(text) ?? text).replace(/\s+/g, " ").trim();
}

function cutAround(text: string, words: readonly string[]): string {
  for (const match of text.matchAll(WORD)) {
    const folded = foldForSearch(match[0]);
    if (words.some((word) => ` ${folded}`.includes(` ${word}`))) return cut(text, match.index);
  }
  return cut(text, 0);
}

/** Up to 160 characters around a place, from word to word. */
function cut(text: string, at: number): string {
  const characters = [...text];
  if (characters.length <= EXCERPT_CHARACTERS) return text;
  const place = [...text.slice(0, at)].length;
  const latest = characters.length - EXCERPT_CHARACTERS + 1;
  const begin = place <= BEFORE ? 0 : Math.min(toWordStart(characters, place - BEFORE, place), latest);
  const head = begin === 0 ? "" : "…";
  const room = EXCERPT_CHARACTERS - head.length;
  if (characters.length - begin <= room) return head + characters.slice(begin).join("");
  const shown = characters.slice(begin, begin + room - 1);
  const blank = shown.lastIndexOf(" ");
  const whole = blank > room / 2 ? shown.slice(0, blank) : shown;
  return `${head}${whole.join("")}…`;
}

function toWordStart(characters: readonly string[], from: number, before: number): number {
  const blank = characters.indexOf(" ", from);
  return blank === -1 || blank >= before ? from : blank + 1;
}
