import type { Token } from "markdown-it";
import { findPlaces, type Place } from "../numbers/figure-places.ts";
import { findNumerals } from "../numbers/numerals.ts";
import { isBreak, joinSeen, seeTokens } from "./seen-text.ts";

/** Which text a token marks, and which of its occurrences this is, both from 0; `use` is null behind its first words. */
interface MarkMeta {
  index: number;
  use: number | null;
}

/** The tokens around a marked text. */
export const MARK_OPEN = "mark_open";
export const MARK_CLOSE = "mark_close";

/** Marks the occurrences of these texts in what readers see, outside links. Returns how often each text was marked. */
export function markTexts(shown: readonly Token[], texts: readonly string[]): number[] {
  const uses = texts.map(() => 0);
  for (const block of shown) {
    if (block.type === "inline" && block.children !== null)
      block.children = markInline(block.children, texts, uses);
  }
  return uses;
}

function markInline(children: Token[], texts: readonly string[], uses: number[]): Token[] {
  const seen = seeTokens(children);
  const text = joinSeen(seen);
  const places = findPlaces(text, findNumerals(text), texts);
  if (places.length === 0) return children;
  const placeAt: (Place | undefined)[] = Array.from({ length: text.length });
  for (const place of places) placeAt.fill(place, place.start, place.end);
  return insertMarks(cutTokens(children, seen, placeAt), uses);
}

/** A token, or a part of its words, and the place to mark that it lies in. */
interface Piece {
  token: Token;
  place?: Place | undefined;
}

/** Cuts the words outside links where places begin and end. */
function cutTokens(
  children: readonly Token[],
  seen: readonly string[],
  placeAt: readonly (Place | undefined)[],
): Piece[] {
  let [at, inLink] = [0, false];
  return children.flatMap((token, index) => {
    const start = at;
    at += seen[index]?.length ?? 0;
    if (token.type === "link_open") inLink = !token.hidden;
    else if (token.type === "link_close") inLink = false;
    const isWords = !inLink && (token.type === "text" || isBreak(token));
    return isWords ? cutWords(token, placeAt.slice(start, at)) : [{ token }];
  });
}

function cutWords(token: Token, placeAt: readonly (Place | undefined)[]): Piece[] {
  const pieces: Piece[] = [];
  for (let from = 0; from < placeAt.length; ) {
    const place = placeAt[from];
    let to = from + 1;
    while (to < placeAt.length && placeAt[to] === place) to++;
    pieces.push({ token: partOf(token, from, to), place });
    from = to;
  }
  return pieces;
}

/** Puts marks around the pieces of places: they end before any other mark of the text, and go on behind it. */
function insertMarks(pieces: readonly Piece[], uses: number[]): Token[] {
  const begun = new Set<Place>();
  const marked: Token[] = [];
  let last: Piece | undefined;
  for (const piece of pieces) {
    if (last?.place !== undefined && last.place !== piece.place) marked.push(closeMark(last.token));
    if (piece.place !== undefined && last?.place !== piece.place)
      marked.push(openMark(piece.token, piece.place, begun, uses));
    marked.push(piece.token);
    last = piece;
  }
  if (last?.place !== undefined) marked.push(closeMark(last.token));
  return marked;
}

function openMark(token: Token, place: Place, begun: Set<Place>, uses: number[]): Token {
  const { index } = place;
  if (begun.has(place)) return derive(token, MARK_OPEN, { index, use: null });
  begun.add(place);
  const use = uses[index] ?? 0;
  uses[index] = use + 1;
  return derive(token, MARK_OPEN, { index, use });
}

function closeMark(token: Token): Token {
  return derive(token, MARK_CLOSE, null);
}

function partOf(token: Token, start: number, end: number): Token {
  return token.type === "text"
    ? Object.assign(derive(token, "text", null), { content: token.content.slice(start, end) })
    : token;
}

function derive(token: Token, type: string, meta: MarkMeta | null): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(token)) as Token, token, { type, meta });
}
