import { type Drawable, drawBlock } from "../../text/drawing/draw-block.ts";
import type { ThreadAnswer } from "./tasks.ts";

/** Draws a block inside a thread: a dense graph may take half a second, too long for an event loop. */
export function drawInThread(block: Drawable): ThreadAnswer<string | null> {
  return { found: true, result: drawBlock(block) };
}
