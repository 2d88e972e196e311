import { LRUCache } from "lru-cache";
import { sha256 } from "./checksum.ts";
import { parseMarkdown } from "./core/markdown/parse.ts";
import { renderMarkdown } from "./core/markdown/render.ts";

// A text's HTML depends on nothing but the text, so it is kept by the text's hash and never goes stale.
const finished = new LRUCache<string, string>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: (html) => Math.max(1, html.length),
});

/** The safe HTML of a Markdown text that was accepted on save. */
export function renderBody(markdown: string): string {
  const key = sha256(markdown);
  const known = finished.get(key);
  if (known !== undefined) return known;
  const html = renderMarkdown(parseMarkdown(markdown), { idPrefix: "body-" });
  finished.set(key, html);
  return html;
}
