import MarkdownIt, { type MarkdownIt as MarkdownParser, type StateCore, type Token } from "markdown-it";
import footnotePlugin from "markdown-it-footnote";
import { gatherFootnotes } from "./footnotes.ts";
import { nameHeadings } from "./headings.ts";
import { judgeHref } from "./links.ts";
import type { MarkdownEnv, ParsedMarkdown } from "./parsed.ts";
import { recordOffsets } from "./positions.ts";
import { readQuote } from "./quotes.ts";
import { markTasks } from "./task-lists.ts";

/**
 * Blocks nested deeper than this are refused (findMarkdownProblems), never cut silently; a list counts two.
 * The work for the marks before a line grows with it.
 */
export const MAX_NESTING = 32;

/** The one parser: CommonMark, tables, strikethrough, task lists, autolinks and footnotes. */
export const markdownIt = createParser();

/** Parses a text; never throws, whatever the text. */
export function parseMarkdown(text: string): ParsedMarkdown {
  const env: MarkdownEnv = {};
  const shown = markdownIt.parse(text, env);
  return { written: env.written as Token[], shown, env };
}

function createParser(): MarkdownParser {
  // html: true makes raw HTML visible as tokens, so that it can be refused; the renderer never emits it.
  const md = new MarkdownIt({ html: true, linkify: true, maxNesting: MAX_NESTING });
  // Every address becomes a link token here, so that findMarkdownProblems sees addresses that markdown-it
  // would hide.
  md.validateLink = () => true;
  linkWww(md);
  md.use(footnotePlugin);
  md.inline.ruler.disable("footnote_inline"); // ^[text] is no part of the dialect; GFM has [^1] alone
  recordOffsets(md);
  md.block.ruler.at("blockquote", readQuote, { alt: ["paragraph", "reference", "blockquote", "list"] });
  md.core.ruler.after("block", "keep_written", keepWritten);
  md.core.ruler.at("footnote_tail", gatherFootnotes);
  md.core.ruler.push("unlink", unlink);
  // before text_join, which would make an escaped bracket look like a written one
  md.core.ruler.before("text_join", "tasks", markTasks);
  md.core.ruler.push("headings", nameHeadings);
  return md;
}

/** `www.example.org` becomes a link, as in GFM; other names without a scheme do not (README.md is no address). */
function linkWww(md: MarkdownParser): void {
  const prefix = "www.";
  md.linkify.add(prefix, {
    validate: (text, position, { re }) => {
      const host = re.get_relative_proto_validator();
      host.lastIndex = position - prefix.length;
      return Math.max((host.exec(text)?.[0].length ?? 0) - prefix.length, 0);
    },
    normalize: (match) => {
      match.url = `http://${match.url}`;
    },
  });
}

function keepWritten(state: StateCore): void {
  state.env.written = state.tokens.slice();
}

/** Hides the tags of links that may not be links; their text stays. Links never nest. */
function unlink(state: StateCore): void {
  for (const block of state.tokens) {
    if (block.type !== "inline" || block.children === null) continue;
    let hiding = false;
    for (const token of block.children) {
      if (token.type === "link_open") token.hidden = hiding = judgeHref(hrefOf(token)) !== "link";
      else if (token.type === "link_close") token.hidden = hiding;
    }
  }
}

/** The address of a link token. */
export function hrefOf(token: Token): string {
  return String(token.attrGet("href") ?? "");
}
