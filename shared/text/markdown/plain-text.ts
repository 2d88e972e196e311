import type { StateCore, Token } from "markdown-it";
import { takeCodePoints } from "../../ground/text.ts";

/** A Markdown text parsed once: the service checks and shows the same tokens. */
export interface ParsedMarkdown {
  /** Every block in the order written, with reference and footnote definitions in their places. */
  readonly written: readonly Token[];
  /** The text as readers see it, with footnotes at the end. */
  readonly shown: Token[];
  readonly env: MarkdownEnv;
}

/** The data of one parse that markdown-it and our rules share. */
export type MarkdownEnv = StateCore["env"];

const DRAWINGS = /^(?:chart|mermaid)$/i;

/** The words of inline tokens without their marks; line breaks become blanks. */
export function inlineText(children: readonly Token[]): string {
  let text = "";
  for (const token of children) {
    if (token.type === "softbreak" || token.type === "hardbreak") text += " ";
    else if (token.type === "image") text += inlineText(token.children ?? []);
    else text += token.content;
  }
  return text;
}

/** The text as a reader would say it: one line a block, cells and words without marks, drawings left out. */
export function plainTextOfMarkdown(parsed: ParsedMarkdown): string {
  const lines: string[] = [];
  let row: string[] | null = null;
  for (const token of parsed.shown) {
    if (token.type === "tr_open") row = [];
    else if (token.type === "tr_close") {
      lines.push((row ?? []).join(" | "));
      row = null;
    } else {
      const text = blockText(token);
      if (text !== null) (row ?? lines).push(text);
    }
  }
  return lines.filter((line) => line !== "").join("\n");
}

function blockText(token: Token): string | null {
  if (token.type === "inline") return inlineText(token.children ?? []).trim();
  if (token.type === "fence") return isDrawing(token) ? null : token.content.trimEnd();
  if (token.type === "code_block" || token.type === "html_block") return token.content.trimEnd();
  return null;
}

/** Whether a fence holds a chart or a flowchart: the first word of its info string, in any case. */
export function isDrawing(fence: Token): boolean {
  return DRAWINGS.test(firstWord(fence.info));
}

/** The first word of a fence's info string, or an empty text. */
export function firstWord(info: string): string {
  return info.trim().split(/\s/, 1)[0] ?? "";
}

const SLUG_CHARACTERS = 80;

/** Gives every heading a slug of its own, by which `#slug` links inside the text find it. */
export function nameHeadings(state: StateCore): void {
  const slugs = new Map<string, number>();
  for (const [index, token] of state.tokens.entries()) {
    if (token.type !== "heading_open") continue;
    token.meta = { slug: uniqueSlug(slugify(state.tokens[index + 1]), slugs) };
  }
  state.env.slugs = slugs;
}

/**
 * The level of every heading on the page, from `top` (the level below the page's own title) to 6. Whatever levels a
 * text uses, its outermost headings stand at `top` and none skips a level, as readers who jump by headings expect.
 */
export function rankHeadings(tokens: readonly Token[], top: number): ReadonlyMap<Token, number> {
  const ranks = new Map<Token, number>();
  const open: number[] = [];
  for (const token of tokens) {
    if (token.type === "heading_open") {
      const level = Number(token.tag.slice(1));
      while ((open.at(-1) ?? 0) >= level) open.pop();
      open.push(level);
    }
    if (token.type.startsWith("heading_")) ranks.set(token, Math.min(top + open.length - 1, 6));
  }
  return ranks;
}

function slugify(heading: Token | undefined): string {
  const slug = inlineText(heading?.children ?? [])
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-");
  return takeCodePoints(slug, SLUG_CHARACTERS) || "section";
}

/** `slugs` holds for each slug the number to try next, so that many equal headings cost no search. */
function uniqueSlug(base: string, slugs: Map<string, number>): string {
  let slug = base;
  let number = slugs.get(base) ?? 0;
  while (slugs.has(slug)) slug = `${base}-${++number}`;
  slugs.set(base, number);
  if (slug !== base) slugs.set(slug, 0);
  return slug;
}
