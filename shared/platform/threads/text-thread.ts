import { diffTexts, type TextDiff } from "../../tables/differences/diff-texts.ts";
import { type Drawable, drawBlock } from "../../text/drawing/draw-block.ts";
import { readText } from "../../text/markdown/read-text.ts";
import { renderText } from "../../text/markdown/render-text.ts";
import { indexText } from "../../text/search/index-text.ts";
import type { DiffTask } from "./tasks.ts";

/** Rendering and indexing a long text inside a thread: a dense one takes half a second. */
export { indexText as indexInThread, renderText as renderInThread };

/** Reads a long text inside a thread. */
export function readInThread({ markdown }: { markdown: string }) {
  return readText(markdown);
}

/** Compares two texts inside a thread: long ones that have little in common take a fifth of a second. */
export function diffInThread({ from, to }: DiffTask): TextDiff {
  return diffTexts(from, to);
}

/** Draws a block inside a thread: a dense graph may take half a second, too long for an event loop. */
export function drawInThread(block: Drawable): string | null {
  return drawBlock(block);
}
