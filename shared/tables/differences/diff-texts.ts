import { diffArrays, structuredPatch } from "diff";
import { replaceMiddle, type TextHunk } from "./whole-lines.ts";

/** The words of two texts, and how many tokens the comparison took in and out. */
interface WordDiff {
  pieces: Piece[];
  edits: number;
}

// Words that stay by chance in lines that are new tell nothing: such lines are shown whole.
const LEAST_IN_COMMON = 0.25;

// A figure such as 1.2 is one word. Scripts without blanks between words are compared by their characters.
const WORDS =
  /\n|[^\S\n]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*|[\p{L}\p{M}\p{N}]+(?:[.,:'’][\p{L}\p{N}]+)*|./gsu;

/** The words that differ between two texts; null where there are more than `mostEdits`. */
function diffWords(removed: string, added: string, mostEdits: number): WordDiff | null {
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
function replaceWhole(removed: string, added: string): Piece[] {
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

/** What two texts have in common and what not. */
export interface TextDiff {
  /** The hunks of a unified diff; empty for equal texts. */
  hunks: string;
  linesAdded: number;
  linesRemoved: number;
  /** The same hunks for a page, with the words that changed inside changed lines. */
  shown: ShownHunk[];
}

/** A hunk with the first line of it in both texts. */
export interface ShownHunk {
  fromLine: number;
  toLine: number;
  pieces: Piece[];
}

const CONTEXT_LINES = 3;

// Work grows with the square of an edit's length. Counting lengths instead of milliseconds gives the same answer on
// a busy machine; both together take one core about 200 ms.
const MOST_LINE_EDITS = 1_300;
const MOST_WORD_WORK = 1_200 ** 2;
const MOST_CHARACTERS = 100_000;

/** Compares two texts line by line, and changed lines word by word, within a bound of work. */
export function diffTexts(from: string, to: string): TextDiff {
  const found = structuredPatch("", "", from, to, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MOST_LINE_EDITS,
  });
  if (found === undefined) return diffWholeLines(from, to);
  const inBounds = Math.max(from.length, to.length) <= MOST_CHARACTERS;
  return assemble(found.hunks, { work: inBounds ? MOST_WORD_WORK : 0 });
}

/** The same in time that grows with the texts alone: everything between the first and last change is one region. */
export function diffWholeLines(from: string, to: string): TextDiff {
  return assemble(replaceMiddle(from, to, CONTEXT_LINES), { work: 0 });
}

function assemble(hunks: readonly TextHunk[], left: { work: number }): TextDiff {
  const count = (mark: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(mark)).length, 0);
  return {
    hunks: hunks.map(writeHunk).join(""),
    linesAdded: count("+"),
    linesRemoved: count("-"),
    shown: hunks.map((hunk) => ({
      fromLine: hunk.oldStart,
      toLine: hunk.newStart,
      pieces: showLines(hunk.lines, left),
    })),
  };
}

function writeHunk({ oldStart, oldLines, newStart, newLines, lines }: TextHunk): string {
  // The unified form counts a side without lines from the line before it.
  const side = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
  return `@@ -${side(oldStart, oldLines)} +${side(newStart, newLines)} @@\n${lines.join("\n")}\n`;
}

function showLines(lines: readonly string[], left: { work: number }): Piece[] {
  const pieces: Piece[] = [];
  const region = { removed: [] as string[], added: [] as string[] };
  const close = () => {
    pieces.push(...showRegion(region.removed.join(""), region.added.join(""), left));
    region.removed = [];
    region.added = [];
  };
  for (const line of lines) {
    const text = `${line.slice(1)}\n`;
    if (line.startsWith("-")) region.removed.push(text);
    else if (line.startsWith("+")) region.added.push(text);
    else if (line.startsWith(" ")) {
      close();
      pieces.push({ kind: "same", text });
    }
  }
  close();
  return pieces;
}

function showRegion(removed: string, added: string, left: { work: number }): Piece[] {
  if (removed === "" || added === "" || left.work < 1) return replaceWhole(removed, added);
  const found = diffWords(removed, added, Math.floor(Math.sqrt(left.work)));
  left.work = found === null ? 0 : left.work - found.edits ** 2;
  return found === null ? replaceWhole(removed, added) : found.pieces;
}

/** A piece of a compared text: in both, or in one of them. */
interface Piece {
  kind: "same" | "removed" | "added";
  text: string;
}

/**
 * Joins changes between which nothing but blanks stayed, so that a changed phrase reads as one removal and one addition
 * and not word by word.
 */
function joinBlanks(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  const change = { removed: "", added: "" };
  const close = () => {
    if (change.removed !== "") joined.push({ kind: "removed", text: change.removed });
    if (change.added !== "") joined.push({ kind: "added", text: change.added });
    change.removed = "";
    change.added = "";
  };
  for (const [at, { kind, text }] of pieces.entries()) {
    if (kind !== "same") change[kind] += text;
    else if (change.removed !== "" && change.added !== "" && isGap(pieces, at)) {
      change.removed += text;
      change.added += text;
    } else {
      close();
      joined.push({ kind, text });
    }
  }
  close();
  return joined;
}

/** Blanks on one line, between a replaced word and another. */
function isGap(pieces: readonly Piece[], at: number): boolean {
  const [next, second] = [pieces[at + 1], pieces[at + 2]];
  const isReplaced = next?.kind === "removed" && second?.kind === "added";
  return isReplaced && /^[^\S\n]+$/.test(pieces[at]?.text ?? "");
}
