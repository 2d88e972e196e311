import { LRUCache } from "lru-cache";
import { sha256 } from "../checksum.ts";
import { ID_PREFIX } from "../core/draw/draw-block.ts";
import { findDrawingBlocks } from "../core/markdown/drawing-blocks.ts";
import { parseMarkdown } from "../core/markdown/parse.ts";
import { renderMarkdown } from "../core/markdown/render.ts";
import type { Deps } from "../deps.ts";
import type { Threads } from "../threads/open.ts";
import { getFigures } from "./drawings.ts";

// A text's HTML depends only on the text and its place on the page, so it never goes stale.
const cached = new LRUCache<string, string>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: (html) => Math.max(1, html.length),
});

/** How long a reader waits for the missing drawings of a text. */
const WAIT_MS = 5_000;

/**
 * The safe HTML of a Markdown text that was accepted on save, with its drawings in place; missing drawings
 * are drawn now, as far as five seconds suffice. `idPrefix` separates the ids of several texts on one page;
 * `topHeading` is the level of their outermost headings.
 */
export async function renderBody(
  { deps, threads, onMissingPart }: { deps: Deps; threads: Threads; onMissingPart?(): void },
  markdown: string,
  { idPrefix = "body-", topHeading = 2 }: { idPrefix?: string; topHeading?: number } = {},
): Promise<string> {
  const key = `${topHeading}${idPrefix}${sha256(markdown)}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const parsed = parseMarkdown(markdown);
  const blocks = findDrawingBlocks(parsed);
  const drawings = await getFigures(deps, threads, blocks, WAIT_MS);
  const figures = new Map<string, string>();
  blocks.forEach(({ kind, number }, index) => {
    const name = `${idPrefix}${kind.toLowerCase()}-${number}`;
    figures.set(`${kind} ${number}`, (drawings[index]?.html ?? "").replaceAll(ID_PREFIX, name));
  });
  const html = renderMarkdown(parsed, { idPrefix, figures, topHeading });
  // What is not drawn yet will be there next time.
  if (drawings.every(({ isLasting }) => isLasting)) cached.set(key, html);
  else onMissingPart?.();
  return html;
}
