import type { Token } from "markdown-it";
import { findOccurrences } from "../../ground/occurrences.ts";

/** A place where a text stands in a run of words. */
interface Place {
  start: number;
  end: number;
  /** Which of the texts it is. */
  index: number;
}

/** Which text a token marks, and which of its occurrences this is, both from 0. */
interface MarkMeta {
  index: number;
  use: number;
}

/** The tokens around a marked text. */
export const MARK_OPEN = "mark_open";
export const MARK_CLOSE = "mark_close";

/**
 * Marks where these texts stand by themselves in what readers see, outside code and links. Of texts that overlap the
 * longest is marked, of equal ones the first. Returns how often each text was marked.
 */
export function markTexts(shown: readonly Token[], texts: readonly string[]): number[] {
  const uses = texts.map(() => 0);
  for (const block of shown) {
    if (block.type === "inline" && block.children !== null)
      block.children = markInline(block.children, texts, uses);
  }
  return uses;
}

function markInline(children: readonly Token[], texts: readonly string[], uses: number[]): Token[] {
  const marked: Token[] = [];
  let run: Token[] = [];
  let inLink = false;
  const endRun = () => {
    marked.push(...markRun(run, texts, uses));
    run = [];
  };
  for (const token of children) {
    if (!inLink && (token.type === "text" || token.type === "softbreak")) {
      run.push(token);
      continue;
    }
    endRun();
    if (token.type === "link_open" && !token.hidden) inLink = true;
    else if (token.type === "link_close") inLink = false;
    marked.push(token);
  }
  endRun();
  return marked;
}

/** Marks the texts in words that no other token parts; a line break between them is a blank. */
function markRun(run: readonly Token[], texts: readonly string[], uses: number[]): readonly Token[] {
  const words = run.map((token) => (token.type === "text" ? token.content : " ")).join("");
  const places = findPlaces(words, texts);
  if (places.length === 0) return run;
  const starts = new Map(places.map((place) => [place.start, place]));
  const ends = new Set(places.map(({ end }) => end));
  const cuts = [...starts.keys(), ...ends];
  const marked: Token[] = [];
  let at = 0;
  for (const token of run) {
    for (const [start, end] of splitAt(at, at + lengthOf(token), cuts)) {
      const place = starts.get(start);
      if (ends.has(start)) marked.push(derive(token, MARK_CLOSE, null));
      if (place !== undefined) marked.push(openMark(token, place, uses));
      marked.push(partOf(token, start - at, end - at));
    }
    at += lengthOf(token);
  }
  const last = run.at(-1);
  if (ends.has(at) && last !== undefined) marked.push(derive(last, MARK_CLOSE, null));
  return marked;
}

function lengthOf(token: Token): number {
  return token.type === "text" ? token.content.length : 1;
}

/** The parts of a stretch between those cuts that lie in it. */
function splitAt(start: number, end: number, cuts: readonly number[]): [number, number][] {
  const within = cuts.filter((cut) => cut > start && cut < end);
  const edges = [...new Set([start, ...within, end])].toSorted((one, other) => one - other);
  return edges.slice(1).map((edge, index) => [edges[index] ?? start, edge]);
}

function openMark(token: Token, { index }: Place, uses: number[]): Token {
  const use = uses[index] ?? 0;
  uses[index] = use + 1;
  return derive(token, MARK_OPEN, { index, use });
}

function partOf(token: Token, start: number, end: number): Token {
  return token.type === "text"
    ? Object.assign(derive(token, "text", null), { content: token.content.slice(start, end) })
    : token;
}

function derive(token: Token, type: string, meta: MarkMeta | null): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(token)) as Token, token, { type, meta });
}

/** The places of the texts in their order, none within another. */
function findPlaces(words: string, texts: readonly string[]): Place[] {
  const taken = new Uint8Array(words.length);
  const places: Place[] = [];
  const longestFirst = texts
    .map((text, index) => ({ text, index }))
    .toSorted((one, other) => other.text.length - one.text.length || one.index - other.index);
  for (const { text, index } of longestFirst) {
    for (const start of findOccurrences(words, text)) {
      const end = start + text.length;
      if (!standsAlone(words, start, end) || taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      places.push({ start, end, index });
    }
  }
  return places.toSorted((one, other) => one.start - other.start);
}

/** What stands before a part of a longer number or word: 12 in 3.12, in 3,12, in -12 and in CO12. */
const PARTED_BEFORE =
  /(?:[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}]|\p{Nd}[.,'’\u2009\u202f]|(?<![\p{L}\p{Nd}])[-−.])$/u;
const PARTED_AFTER =
  /^(?:[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}]|[.,'’\u2009\u202f]\p{Nd})/u;
/** As many characters around a place tell whether it is a part of something. */
const LOOK = 4;

/** Whether a place is a whole number or word: what the data say of 12 is not said of 3.12 or 12,000. */
function standsAlone(words: string, start: number, end: number): boolean {
  return (
    !PARTED_BEFORE.test(words.slice(Math.max(0, start - LOOK), start)) &&
    !PARTED_AFTER.test(words.slice(end, end + LOOK))
  );
}
