import { diffTexts, type TextDiff } from "../../tables/differences/diff-texts.ts";
import { type Drawable, drawBlock } from "../../text/drawing/draw-block.ts";
import type { DiffTask } from "./tasks.ts";

/** Compares two texts inside a thread: long ones that have little in common take a fifth of a second. */
export function diffInThread({ from, to }: DiffTask): TextDiff {
  return diffTexts(from, to);
}

/** Draws a block inside a thread: a dense graph may take half a second, too long for an event loop. */
export function drawInThread(block: Drawable): string | null {
  return drawBlock(block);
}
