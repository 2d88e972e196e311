import MarkdownIt, { type Renderer, type RendererRule, type Token } from "markdown-it";
import { MARK_CLOSE, MARK_OPEN } from "./mark-texts.ts";
import { hrefOf, markdownIt } from "./parse.ts";
import { firstWord, type MarkdownEnv, type ParsedMarkdown, rankHeadings } from "./plain-text.ts";

/** The data of the rules while one text is rendered. */
interface RenderEnv extends MarkdownEnv {
  idPrefix: string;
  slugs: ReadonlyMap<string, number>;
  figures: ReadonlyMap<string, string>;
  ranks: ReadonlyMap<Token, number>;
  page: string | undefined;
}

const LANGUAGE = /^[a-z0-9+#-]{1,40}$/;
const { escapeHtml } = markdownIt.utils;
const renderer = createRenderer();

/**
 * The text as HTML with allow-listed elements and attributes only (allowed-html.ts), whatever was parsed. Ids
 * begin with `idPrefix` (default `text-`), so that several texts fit on one page and none meets the page's
 * own. `figures` holds our drawings by block ("Chart 1"); a block without one is shown as code. `topHeading`
 * is the level of its outermost headings: 2 below a page's title, more below a heading of the page. `page` is the
 * address of its own page: its relative addresses lead from there wherever it is shown.
 */
export function renderMarkdown(
  parsed: ParsedMarkdown,
  {
    idPrefix = "text-",
    figures = new Map(),
    topHeading = 2,
    page,
  }: {
    idPrefix?: string;
    figures?: ReadonlyMap<string, string>;
    topHeading?: number;
    page?: string;
  } = {},
): string {
  const env: RenderEnv = {
    idPrefix,
    slugs: parsed.env.slugs as ReadonlyMap<string, number>,
    figures,
    ranks: rankHeadings(parsed.shown, topHeading),
    page,
  };
  return renderer.render(parsed.shown, markdownIt.options, env);
}

function createRenderer(): Renderer {
  const created = new MarkdownIt().renderer;
  Object.assign(created.rules, {
    heading_open: (tokens, index, _, env) =>
      `<${nameHeading(tokens[index], env)} id="${escapeHtml(prefixOf(env) + String(tokens[index]?.meta?.slug))}">`,
    heading_close: (tokens, index, _, env) => `</${nameHeading(tokens[index], env)}>\n`,
    link_open: openLink,
    link_close: (tokens, index) => (tokens[index]?.hidden ? "" : "</a>"),
    s_open: () => "<del>",
    s_close: () => "</del>",
    table_open: () => '<div class="table-scroll" role="group" tabindex="0" aria-label="Table">\n<table>\n',
    table_close: () => "</table>\n</div>\n",
    th_open: (tokens, index) => `<th scope="col"${alignment(tokens[index])}>`,
    td_open: (tokens, index) => `<td${alignment(tokens[index])}>`,
    fence: renderFence,
    code_block: renderFence,
    image: (tokens, index) => escapeHtml(tokens[index]?.content ?? ""),
    html_block: (tokens, index) => `<p>${escapeHtml(tokens[index]?.content ?? "")}</p>\n`,
    html_inline: (tokens, index) => escapeHtml(tokens[index]?.content ?? ""),
    task_checkbox: renderCheckbox,
    footnote_ref: renderFootnoteRef,
    footnote_block_open: () => '<section class="footnotes" aria-label="Footnotes">\n<ol>\n',
    footnote_block_close: () => "</ol>\n</section>\n",
    footnote_open: (tokens, index, _, env) => `<li id="${escapeHtml(footnoteId(env, tokens[index]))}">\n`,
    footnote_close: () => "</li>\n",
    footnote_back: renderFootnoteBack,
    [MARK_OPEN]: openMark,
    [MARK_CLOSE]: () => "</a>",
  } satisfies Record<string, RendererRule>);
  return created;
}

function prefixOf(env: MarkdownEnv | undefined): string {
  return (env as RenderEnv).idPrefix;
}

function nameHeading(token: Token | undefined, env: MarkdownEnv | undefined): string {
  const rank = token === undefined ? undefined : (env as RenderEnv).ranks.get(token);
  return `h${rank ?? 6}`;
}

function openLink(...[tokens, index, , env]: Parameters<RendererRule>): string {
  const token = tokens[index];
  if (token === undefined || token.hidden) return "";
  const href = escapeHtml(fromPage(ownFragment(hrefOf(token), env as RenderEnv), env as RenderEnv));
  const title = token.attrGet("title");
  const titleAttribute = title === null ? "" : ` title="${escapeHtml(String(title))}"`;
  return `<a href="${href}"${titleAttribute} rel="nofollow ugc noopener">`;
}

/** `#methods` leads to the heading of that slug, whose id carries the prefix; other fragments stay as written. */
function ownFragment(href: string, { slugs, idPrefix }: RenderEnv): string {
  if (!href.startsWith("#")) return href;
  const slug = markdownIt.utils.lib.mdurl.decode(href.slice(1));
  return slugs.has(slug) ? `#${markdownIt.normalizeLink(idPrefix)}${href.slice(1)}` : href;
}

const RELATIVE = /^(?![a-z][a-z0-9+.-]*:|[/\\#])/i;

/** A relative address as a path of the site, as it is read on the text's own page. */
function fromPage(href: string, { page }: RenderEnv): string {
  if (page === undefined || !RELATIVE.test(href) || !URL.canParse(href, page)) return href;
  const { pathname, search, hash, href: whole } = new URL(href, page);
  // Two slashes at its beginning would name a host.
  return pathname.startsWith("//") ? whole : `${pathname}${search}${hash}`;
}

/** The class of a cell of a table: `al`, `ac` or `ar`, short as each cell has one. */
function alignment(token: Token | undefined): string {
  const side = /^text-align:(left|center|right)$/.exec(String(token?.attrGet("style") ?? ""))?.[1];
  return side === undefined ? "" : ` class="a${side[0]}"`;
}

function renderFence(...[tokens, index, , env]: Parameters<RendererRule>): string {
  const token = tokens[index];
  const figure = (env as RenderEnv).figures.get(String(token?.meta?.drawing));
  // A drawing inside of HTML needs no namespace, and a page may have many.
  if (figure !== undefined) return `${figure.replaceAll(SVG_NAMESPACE, "")}\n`;
  const language = firstWord(markdownIt.utils.unescapeAll(token?.info ?? "")).toLowerCase();
  const languageClass = LANGUAGE.test(language) ? ` class="language-${language}"` : "";
  return `<pre tabindex="0"><code${languageClass}>${escapeHtml(token?.content ?? "")}</code></pre>\n`;
}

function renderCheckbox(...[tokens, index]: Parameters<RendererRule>): string {
  const done = tokens[index]?.meta?.done === true;
  return `<input type="checkbox" disabled${done ? ' checked aria-label="done"' : ' aria-label="to do"'}> `;
}

const SVG_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"';

/** A figure in the text leads to what the data say of it. */
function openMark(...[tokens, index, , env]: Parameters<RendererRule>): string {
  const meta = tokens[index]?.meta;
  const figure = Number(meta?.index);
  const id =
    meta?.use === null ? "" : ` id="${escapeHtml(markId(prefixOf(env), figure, Number(meta?.use)))}"`;
  return `<a class="checked"${id} href="#${escapeHtml(entryId(prefixOf(env), figure))}" title="Checked against the data">`;
}

/** Ids of notes hold a colon, which no slug of a heading does. */
function footnoteId(env: MarkdownEnv | undefined, token: Token | undefined): string {
  return `${prefixOf(env)}note:${Number(token?.meta?.id) + 1}`;
}

function referenceId(env: MarkdownEnv | undefined, token: Token | undefined, use: number): string {
  return `${prefixOf(env)}noteref:${Number(token?.meta?.id) + 1}${use === 0 ? "" : `:${use + 1}`}`;
}

function renderFootnoteRef(...[tokens, index, , env]: Parameters<RendererRule>): string {
  const token = tokens[index];
  const number = Number(token?.meta?.id) + 1;
  const id = escapeHtml(referenceId(env, token, Number(token?.meta?.subId ?? 0)));
  const href = escapeHtml(footnoteId(env, token));
  return `<sup class="footnote-ref" id="${id}"><a href="#${href}" aria-label="Footnote ${number}">${number}</a></sup>`;
}

function renderFootnoteBack(...[tokens, index, , env]: Parameters<RendererRule>): string {
  const token = tokens[index];
  return linkBack(Number(token?.meta?.count ?? 0), (use) => referenceId(env, token, use));
}

/** A text may refer to one note, or have one figure, a thousand times over: the first places alone get a way back. */
const WAYS_BACK = 10;

function linkBack(uses: number, idOf: (use: number) => string): string {
  let html = "";
  for (let use = 0; use < Math.min(uses, WAYS_BACK); use++)
    // U+FE0E keeps the arrow a character where systems would draw an emoji
    html += ` <a href="#${escapeHtml(idOf(use))}" class="footnote-back" aria-label="Back to the text">\u21a9\ufe0e</a>`;
  return html;
}

/** A figure of a text that the data bear out, as its page shows it. */
export interface CheckedFigure {
  text: string;
  /** The canonical question. */
  question: string;
  /** The line that says where the value comes from, as HTML. */
  line: string;
}

/** The id of a figure's entry; ids of figures hold a colon, which no slug of a heading does. */
function entryId(idPrefix: string, index: number): string {
  return `${idPrefix}figure:${index + 1}`;
}

/** The id of a place in the text where a figure stands. */
function markId(idPrefix: string, index: number, use: number): string {
  return `${idPrefix}figureref:${index + 1}${use === 0 ? "" : `:${use + 1}`}`;
}

/** The list below a text of what the data say of its figures, as HTML; `uses` says how often each is marked in it. */
export function renderChecked(
  figures: readonly CheckedFigure[],
  { idPrefix, uses, rank }: { idPrefix: string; uses: readonly number[]; rank: number },
): string {
  const items = figures.map(
    ({ text, question, line }, index) =>
      `<li id="${entryId(idPrefix, index)}"><bdi>${escapeHtml(text)}</bdi>${linkBack(uses[index] ?? 0, (use) => markId(idPrefix, index, use))}${line}
<p class="small">Question: <code>${escapeHtml(question)}</code></p></li>`,
  );
  const heading = `<h${rank} id="${idPrefix}figures:">Figures checked against the data</h${rank}>`;
  return `<section class="footnotes" aria-labelledby="${idPrefix}figures:">\n${heading}\n<ol>\n${items.join("\n")}\n</ol>\n</section>\n`;
}
