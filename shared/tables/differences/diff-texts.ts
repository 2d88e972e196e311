import { structuredPatch } from "diff";
import { diffWords, replaceWhole } from "./diff-words.ts";
import type { Piece } from "./pieces.ts";
import { replaceMiddle, type TextHunk } from "./whole-lines.ts";

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
