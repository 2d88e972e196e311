import { diffArrays } from "diff";
import { joinBlanks, type Piece } from "./pieces.ts";

/** The words of two texts, and how many tokens the comparison took in and out. */
export interface WordDiff {
  pieces: Piece[];
  edits: number;
}

// Words that stay by chance in lines that are new tell nothing: such lines are shown whole.
const LEAST_IN_COMMON = 0.25;

// A figure such as 1.2 is one word. Scripts without blanks between words are compared by their characters.
const WORDS =
  /\n|[^\S\n]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*|[\p{L}\p{M}\p{N}]+(?:[.,:'’][\p{L}\p{N}]+)*|./gsu;

/** The words that differ between two texts; null where there are more than `mostEdits`. */
export function diffWords(removed: string, added: string, mostEdits: number): WordDiff | null {
  const { head, tail } = findEnds(removed, added);
  const before = removed.slice(head, removed.length - tail);
  const after = added.slice(head, added.length - tail);
  const middle = diffMiddle(before, after, mostEdits);
  if (middle === null) return null;
  const pieces: Piece[] = [
    { kind: "same", text: removed.slice(0, head) },
    ...middle.pieces,
    { kind: "same", text: removed.slice(removed.length - tail) },
  ];
  const kept = pieces.reduce((sum, { kind, text }) => (kind === "same" ? sum + countInk(text) : sum), 0);
  if (kept < LEAST_IN_COMMON * Math.max(countInk(removed), countInk(added)))
    return { pieces: replaceWhole(removed, added), edits: middle.edits };
  return { pieces: joinBlanks(pieces.filter(({ text }) => text !== "")), edits: middle.edits };
}

/** One text taken out and another put in, each left out where it is empty. */
export function replaceWhole(removed: string, added: string): Piece[] {
  const pieces: Piece[] = [
    { kind: "removed", text: removed },
    { kind: "added", text: added },
  ];
  return pieces.filter(({ text }) => text !== "");
}

function diffMiddle(before: string, after: string, mostEdits: number): WordDiff | null {
  if (before === "" || after === "") return { pieces: replaceWhole(before, after), edits: 0 };
  const parts = diffArrays(before.match(WORDS) ?? [], after.match(WORDS) ?? [], { maxEditLength: mostEdits });
  if (parts === undefined) return null;
  const edits = parts.reduce((sum, part) => sum + (part.added || part.removed ? part.count : 0), 0);
  const pieces = parts.map(
    ({ added, removed, value }): Piece => ({
      kind: added ? "added" : removed ? "removed" : "same",
      text: value.join(""),
    }),
  );
  return { pieces, edits };
}

/** How many characters of whole words both texts begin with, and how many of those left they end with. */
function findEnds(one: string, other: string): { head: number; tail: number } {
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && one.charCodeAt(head) === other.charCodeAt(head)) head += 1;
  while (head > 0 && !isBlank(one.charCodeAt(head - 1))) head -= 1;
  let tail = 0;
  const at = (text: string, back: number) => text.charCodeAt(text.length - back);
  while (tail < shorter - head && at(one, tail + 1) === at(other, tail + 1)) tail += 1;
  while (tail > 0 && !isBlank(at(one, tail))) tail -= 1;
  return { head, tail };
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function countInk(text: string): number {
  let ink = 0;
  for (let at = 0; at < text.length; at += 1) if (!isBlank(text.charCodeAt(at))) ink += 1;
  return ink;
}
