import MarkdownIt, { type MarkdownIt as MarkdownParser, type StateInline, type Token } from "markdown-it";

/** The start of a token in its block's text, in UTF-16 units; stored only for tokens that may be refused. */
type Offsets = Map<Token, number>;

const RECORDED = new Set(["html_inline", "image", "link_open"]);

/**
 * Makes the parser note the start of raw HTML, images and links, because markdown-it stores lines of blocks
 * only.
 */
export function recordOffsets(md: MarkdownParser): void {
  const Base = new MarkdownIt().inline.State;
  md.inline.State = class extends Base {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      const token = super.push(type, tag, nesting);
      if (RECORDED.has(type)) offsetsOf(this.env).set(token, this.pos);
      return token;
    }
  };
}

/** The offsets that one parse collected in its environment. */
export function offsetsOf(env: StateInline["env"]): Offsets {
  if (!(env.offsets instanceof Map)) env.offsets = new Map();
  return env.offsets as Offsets;
}
