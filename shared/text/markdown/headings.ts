import type { StateCore, Token } from "markdown-it";
import { takeCodePoints } from "../../ground/text.ts";
import { inlineText } from "./plain-text.ts";

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
