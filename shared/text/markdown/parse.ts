import MarkdownIt, {
  type MarkdownIt as MarkdownParser,
  type StateCore,
  type StateInline,
  type Token,
} from "markdown-it";
import footnotePlugin from "markdown-it-footnote";
import { judgeHref } from "./links.ts";
import { type MarkdownEnv, nameHeadings, type ParsedMarkdown } from "./plain-text.ts";

const MARK = /^\[([ xX])\][ \t]+(?=\S)/;

/**
 * Turns `[ ]` and `[x]` at the start of a list item into a checkbox token.
 * Own rule: the usual plugin writes raw HTML tokens, which are refused here, and unlabelled checkboxes.
 */
function markTasks(state: StateCore): void {
  const { tokens } = state;
  for (let index = 2; index < tokens.length; index++) {
    const [item, paragraph, inline] = [tokens[index - 2], tokens[index - 1], tokens[index]];
    if (inline?.type !== "inline" || paragraph?.type !== "paragraph_open" || item?.type !== "list_item_open")
      continue;
    const checkbox = takeCheckbox(state, inline);
    if (checkbox === null) continue;
    item.attrSet("class", "task");
    inline.children?.unshift(checkbox);
  }
}

function takeCheckbox(state: StateCore, inline: Token): Token | null {
  const first = inline.children?.[0];
  if (first?.type !== "text") return null; // `[x]` may be a reference link instead
  const mark =
    MARK.exec(first.content) ?? (inline.children?.[1] ? /^\[([ xX])\][ \t]+$/.exec(first.content) : null);
  if (mark === null) return null;
  first.content = first.content.slice(mark[0].length);
  const checkbox = new state.Token("task_checkbox", "input", 0);
  checkbox.meta = { done: mark[1] !== " " };
  return checkbox;
}

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
  md.core.ruler.after("block", "keep_written", (state) => {
    state.env.written = state.tokens.slice();
  });
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

/** The footnote plugin's data in the environment of a parse. */
interface FootnoteEnv {
  footnotes?: { list?: { label: string; count: number }[] };
}

/**
 * Moves the bodies of used footnotes behind the text, in order of first use. This replaces the plugin's own
 * last step, which is quadratic in the number of notes and breaks the nesting of blocks where one footnote is
 * defined inside another.
 */
function gatherFootnotes(state: StateCore): void {
  const { text, bodies } = takeBodies(state.tokens);
  const used = (state.env as FootnoteEnv).footnotes?.list ?? [];
  if (used.length > 0) for (const token of footnoteBlock(state, used, bodies)) text.push(token);
  state.tokens = text;
}

function takeBodies(tokens: Token[]): { text: Token[]; bodies: Map<string, Token[]> } {
  const text: Token[] = [];
  const bodies = new Map<string, Token[]>();
  const open: Token[][] = [];
  for (const token of tokens) {
    if (token.type === "footnote_reference_open") {
      const body: Token[] = [];
      const label = String(token.meta?.label);
      if (!bodies.has(label)) bodies.set(label, body); // the first definition of a label counts, as in GFM
      open.push(body);
    } else if (token.type === "footnote_reference_close") {
      open.pop();
    } else {
      (open.at(-1) ?? text).push(token);
    }
  }
  return { text, bodies };
}

function* footnoteBlock(
  state: StateCore,
  used: { label: string; count: number }[],
  bodies: Map<string, Token[]>,
): Generator<Token> {
  yield new state.Token("footnote_block_open", "", 1);
  for (const [id, { label, count }] of used.entries()) {
    const open = new state.Token("footnote_open", "", 1);
    open.meta = { id };
    yield open;
    const body = bodies.get(label) ?? [];
    const back = new state.Token("footnote_back", "", 0);
    back.meta = { id, count };
    const endsInParagraph = body.at(-1)?.type === "paragraph_close";
    yield* endsInParagraph ? body.slice(0, -1) : body;
    yield back;
    yield* endsInParagraph ? body.slice(-1) : [];
    yield new state.Token("footnote_close", "", -1);
  }
  yield new state.Token("footnote_block_close", "", -1);
}

/** A place of a token in its block's text, in UTF-16 units; stored for tokens that may be refused, words and line ends. */
type Offsets = Map<Token, number>;

const RECORDED = new Set([
  ...["html_inline", "image", "link_open", "footnote_ref"],
  ...["text_special", "softbreak", "hardbreak"],
]);

/**
 * Makes the parser note the start of raw HTML, images, links, footnote marks, entities and line ends, and the end of
 * words, because markdown-it stores lines of blocks only.
 */
function recordOffsets(md: MarkdownParser): void {
  const Base = new MarkdownIt().inline.State;
  md.inline.State = class extends Base {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      const token = super.push(type, tag, nesting);
      if (RECORDED.has(type)) offsetsOf(this.env).set(token, this.pos);
      return token;
    }
    override scanDelims(start: number, canSplitWord: boolean) {
      const run = super.scanDelims(start, canSplitWord);
      return canSplitWord ? letCjkTouch(run, this.src, start) : run;
    }
    override pushPending(): Token {
      const token = super.pushPending();
      offsetsOf(this.env).set(token, this.pos);
      return token;
    }
  };
}

const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3001-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

/**
 * Scripts without blanks between words have their marks right beside letters, as in `**具体：**与其说`: beside one of their
 * characters `*` and `~~` open before all that is no blank and close behind it.
 */
function letCjkTouch(run: ReturnType<StateInline["scanDelims"]>, text: string, start: number) {
  const end = start + run.length;
  const before = [...text.slice(Math.max(0, start - 2), start)].at(-1) ?? " ";
  const [after = " "] = text.slice(end, end + 2);
  if (!CJK.test(before) && !CJK.test(after)) return run;
  return { ...run, can_open: /\S/.test(after), can_close: /\S/.test(before) };
}

/** The offsets that one parse collected in its environment. */
export function offsetsOf(env: StateInline["env"]): Offsets {
  if (!(env.offsets instanceof Map)) env.offsets = new Map();
  return env.offsets as Offsets;
}
