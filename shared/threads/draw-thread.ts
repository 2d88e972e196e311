import { type Drawable, drawBlock } from "../core/draw/draw-block.ts";
import type { ThreadAnswer } from "./tasks.ts";

/** Draws blocks inside a thread: a dense graph may take half a second, too long for an event loop. */
export function drawBlocks(blocks: readonly Drawable[]): ThreadAnswer<(string | null)[]> {
  return { found: true, result: blocks.map(drawBlock) };
}
