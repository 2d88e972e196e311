import type { Column } from "../../../shared/tables/inspection/verdict.ts";
import { type Html, html } from "../parts/markup.ts";

/** The class of a cell that holds a figure. */
export function markFigure({ type }: { type: Column["type"] | null }): Html | null {
  return type === "number" ? html` class="fg"` : null;
}

// Letters that run from the left need no mark, and a table of two thousand cells has no room for it.
const OTHER_DIRECTION = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of a text where it may run from the right. */
export function markDirection(text: string): Html | null {
  return OTHER_DIRECTION.test(text) ? html` dir="auto"` : null;
}
