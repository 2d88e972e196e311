import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  MOST_OPEN_UPLOADS,
  UPLOAD_ADDRESS_MINUTES,
} from "../../../shared/datasets/uploads/upload-addresses.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { refuse } from "../../../shared/ground/errors.ts";
import { askWhetherMeant } from "../../../shared/ground/nearest-name.ts";
import { frameList, type PageQuery } from "../../../shared/ground/pagination.ts";
import { toIso } from "../../../shared/ground/times.ts";
import { VERSION } from "../../../shared/ground/version.ts";
import type { Config } from "../../../shared/platform/config.ts";
import { PAYLOAD_LIMITS } from "../../../shared/requests/limits.ts";
import { parseMarkdown } from "../../../shared/text/markdown/parse.ts";
import { inlineText, type ParsedMarkdown } from "../../../shared/text/markdown/plain-text.ts";
import { renderMarkdown } from "../../../shared/text/markdown/render.ts";

/** A heading with the text below it, up to the next heading of its level or above. */
interface DocsSection {
  slug: string;
  title: string;
  level: number;
  markdown: string;
}

/** One page of the documentation: its title and lead are its first heading and its first paragraph. */
export interface DocsPage {
  slug: string;
  title: string;
  lead: string;
  markdown: string;
  sections: DocsSection[];
  audience: Audience;
  /** The text below the lead; its headings begin at h2, their ids are their slugs. */
  bodyHtml: string;
  updatedMs: number;
}

/** Whom a page is for: agents and their owners, or those who run a service. */
export const AUDIENCES = ["agents", "operators"] as const;
type Audience = (typeof AUDIENCES)[number];

/** The settings whose values stand in documentation texts. */
export type DocsFacts = Pick<Config, "siteUrl" | "limits" | "uploadWaitMs">;

/**
 * Reads the pages `<slug>.md` of a folder, in the order of the slugs; throws for a page of the wrong form.
 */
export function readDocs(
  folder: string,
  slugs: readonly string[],
  facts: DocsFacts,
  forOperators: ReadonlySet<string>,
): DocsPage[] {
  return slugs.map((slug) => {
    const path = join(folder, `${slug}.md`);
    const audience = forOperators.has(slug) ? "operators" : "agents";
    const markdown = fillFacts(readFileSync(path, "utf8"), facts);
    return openPage({ slug, audience, markdown, updatedMs: statSync(path).mtimeMs });
  });
}

/** Replaces each `{{name}}` in a text by this service's address, figure or table; throws for an unknown name. */
export function fillFacts(text: string, facts: DocsFacts): string {
  const { site, api } = addressesOf(facts.siteUrl);
  const known = new Map<string, string | number>([
    ["site_url", site],
    ["base_url", api],
    ["client_url", `${site}/client-${VERSION}.tgz`],
    ["upload_wait_ms", facts.uploadWaitMs],
    ["open_uploads", MOST_OPEN_UPLOADS],
    ["upload_address_minutes", UPLOAD_ADDRESS_MINUTES],
    ...Object.entries(facts.limits).map(([name, value]) => [`limit.${name}`, value] as const),
    ...Object.entries(PAYLOAD_LIMITS).map(([name, value]) => [`bound.${name}`, value] as const),
  ]);
  return text.replace(/\{\{([^{}]*)\}\}/g, (_, name: string) => {
    const value = known.get(name);
    if (value === undefined) throw new Error(`the documentation asks for ${name}, which is not known`);
    return typeof value === "number" ? value.toLocaleString("en-GB") : value;
  });
}

/** The text below the lead is parsed when it is first read: a process starts sooner, and shows few of its pages. */
function openPage(file: Pick<DocsPage, "slug" | "audience" | "markdown" | "updatedMs">): DocsPage {
  const { slug, markdown } = file;
  let body: Pick<DocsPage, "sections" | "bodyHtml"> | null = null;
  const readBody = () => {
    body ??= parseBody(markdown);
    return body;
  };
  return {
    ...file,
    ...parseHead(slug, markdown),
    get sections() {
      return readBody().sections;
    },
    get bodyHtml() {
      return readBody().bodyHtml;
    },
  };
}

/** The title and the lead of a page are the first two blocks of its text. */
function parseHead(slug: string, markdown: string): Pick<DocsPage, "title" | "lead"> {
  const { shown } = parseMarkdown(markdown.split("\n\n", 2).join("\n\n"));
  const [heading, title, , paragraph, lead] = shown;
  if (heading?.tag !== "h1" || paragraph?.type !== "paragraph_open" || !title || !lead) {
    throw new Error(`the documentation page ${slug} does not begin with a title and a lead`);
  }
  return { title: inlineText(title.children ?? []), lead: inlineText(lead.children ?? []) };
}

const HEAD_TOKENS = 6;

function parseBody(markdown: string): Pick<DocsPage, "sections" | "bodyHtml"> {
  const parsed = parseMarkdown(markdown);
  const bodyHtml = renderBelow(parsed, parsed.shown.slice(HEAD_TOKENS));
  return { sections: splitSections(parsed, markdown), bodyHtml };
}

function splitSections({ shown }: ParsedMarkdown, markdown: string): DocsSection[] {
  const lines = markdown.split("\n");
  const headings = shown.flatMap((token, at) => {
    if (token.type !== "heading_open" || token.level > 0 || token.map === null) return [];
    const title = inlineText(shown[at + 1]?.children ?? []);
    return [{ slug: String(token.meta?.slug), title, level: Number(token.tag.slice(1)), line: token.map[0] }];
  });
  return headings.slice(1).map(({ line, ...heading }) => {
    const next = headings.find((other) => other.line > line && other.level <= heading.level);
    return { ...heading, markdown: lines.slice(line, next?.line).join("\n").trim() };
  });
}

// The links are our own, so they need no `nofollow`.
function renderBelow(parsed: ParsedMarkdown, below: ParsedMarkdown["shown"]): string {
  const html = renderMarkdown({ ...parsed, shown: below }, { idPrefix: "" });
  return labelCode(html.replaceAll(' rel="nofollow ugc noopener"', ""));
}

/** GET /docs: every page, or those for one audience, on one page of the list (contract section 5 I). */
export function presentDocsIndex(
  siteUrl: string,
  pages: readonly DocsPage[],
  wish: { audience: Audience | null; isShort: boolean; part: PageQuery; query: Record<string, unknown> },
) {
  const { audience, isShort, part, query } = wish;
  const addresses = addressesOf(siteUrl);
  const chosen = pages.filter((page) => audience === null || page.audience === audience);
  const shown = chosen.slice((part.page - 1) * part.perPage, part.page * part.perPage);
  const items = shown.map((page) => (isShort ? presentSummary(page) : presentEntry(siteUrl, page)));
  const list = frameList(addresses.docsJsonIndex, query, part, { items, total: chosen.length });
  return isShort ? { ...list, meta: { ...list.meta, address: addresses.docsMarkdown("{slug}") } } : list;
}

/** GET /docs/{page}: a page with the names of its sections, or one section; throws `not_found`. */
export function presentDocsPage(siteUrl: string, page: DocsPage, section: string | null) {
  const chosen = page.sections.find(({ slug }) => slug === section);
  if (section !== null && chosen === undefined) {
    throw notThere("section", section, page.sections);
  }
  const { slug, title, lead, ...addresses } = presentEntry(siteUrl, page);
  const markdown = chosen?.markdown ?? page.markdown;
  const sections = chosen ? [chosen] : page.sections.map(({ markdown: _, ...named }) => named);
  return { slug, title, lead, markdown, sections, ...addresses, updated_at: toIso(page.updatedMs) };
}

/** The page of a slug; throws `not_found`, which names the existing slugs. */
export function findDocsPage(pages: readonly DocsPage[], slug: string): DocsPage {
  const page = pages.find((candidate) => candidate.slug === slug);
  if (page === undefined) throw notThere("page", slug, pages);
  return page;
}

const presentSummary = ({ slug, title, lead }: DocsPage) => ({ slug, title, lead });

function presentEntry(siteUrl: string, page: DocsPage) {
  const { slug, audience } = page;
  const addresses = addressesOf(siteUrl);
  return {
    ...presentSummary(page),
    audience,
    url: addresses.docs(slug),
    markdown_url: addresses.docsMarkdown(slug),
    json_url: addresses.docsJson(slug),
  };
}

function notThere(what: "page" | "section", slug: string, there: readonly { slug: string }[]) {
  const slugs = there.map((one) => one.slug);
  const meant = askWhetherMeant(slug, slugs);
  return refuse(
    "not_found",
    `There is no such ${what} of the documentation.${meant} There are ${slugs.join(", ")}.`,
  );
}

// The renderer escapes what a block holds.
const BLOCK = /<pre tabindex="0"><code(?: class="language-([a-z]+)")?>([^<]*)<\/code><\/pre>\n/g;
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: "Commands",
  json: "JSON",
  toml: "TOML",
  markdown: "Markdown",
};

/**
 * Puts each code block of a page in a figure whose caption says what it is: commands that send a request, the answer
 * that follows one, or the language of what else has one.
 */
export function labelCode(html: string): string {
  let requestEndsAt = -1;
  return html.replace(BLOCK, (block: string, language = "", code = "", at = 0) => {
    if (language === "http" || (language === "sh" && code.includes("curl "))) {
      requestEndsAt = at + block.length;
      return captionCode(block, "Request", " request");
    }
    if (language === "json" && at === requestEndsAt) return captionCode(block, "Answer", " answer");
    return captionCode(block, LANGUAGES[language] ?? null, "");
  });
}

function captionCode(block: string, caption: string | null, kind: string): string {
  const head = caption === null ? "" : `<figcaption>${caption}</figcaption>`;
  return `<figure class="listing${kind}">${head}${block.trimEnd()}</figure>\n`;
}
