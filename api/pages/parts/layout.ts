import { addressesOf, jsonFeedOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { drawMark } from "../../../shared/text/artwork/paint.ts";
import type { Citation } from "../../../shared/text/citations/citation.ts";
import { element } from "../../../shared/text/drawing/svg.ts";
import type { Link } from "../../../shared/text/metadata/links.ts";
import { FRAME_STYLESHEET, STYLESHEET } from "../../../shared/text/stylesheets.ts";
import { type AccentName, COLORS } from "../../../shared/text/theme/tokens.ts";
import { addressTypeface, TYPEFACES } from "../../../shared/text/theme/typefaces.ts";
import type { BannerAudience } from "../../../sql/platform/site-banner.ts";
import { type CardImageView, renderCardImage } from "./artwork.ts";
import { embedData, type Html, html, trustHtml } from "./markup.ts";

/** The site's data on every page; `links` stand in the head, `footLinks` in the foot. */
export type SiteView = ReturnType<typeof siteView>;

/** A page around its main part; what is left out is as on a plain page of the site. */
interface FrameOptions {
  site: SiteView;
  title: string;
  description: string;
  main: Html;
  canonicalUrl?: string | null;
  kind?: "article" | "profile";
  noindex?: boolean;
  accent?: AccentName | null;
  feeds?: { title: string; url: string }[];
  jsonUrl?: string | null;
  /** Further links of the head: what the page is cited as, its licence, and documents about it. */
  links?: Link[];
  publishedAt?: string;
  updatedAt?: string;
  /** The social card; null on pages without one. */
  image?: CardImageView | null;
  data?: object;
  /** How the page is cited, where scholars' programs read its head. */
  citation?: Cited | null;
  /** What stands at this address can be shown on other sites: programs find how by oEmbed. */
  embeds?: string | null;
}

type Cited = Pick<Citation, "title" | "author" | "publishedOn" | "url">;

const MARK = element("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: "0 0 16 16" }, drawMark()).markup;
// Every page has it, so what an address may hold bare is not escaped.
const FAVICON = `data:image/svg+xml,${encodeURIComponent(MARK.replaceAll('"', "'")).replace(/%(?:2F|3A|3D)/g, decodeURIComponent)}`;

/** Nearly every page has words in these, so a browser asks for them before it has read the stylesheet. */
const PRELOADED = [TYPEFACES.regular, TYPEFACES.semibold].map(addressTypeface);

/** Renders a document: a main part in the layout that all parts of the site share. */
export function renderLayout(frame: FrameOptions): string {
  const { site } = frame;
  return String(html`<!doctype html>
<html lang="en"${frame.accent ? html` data-accent="${frame.accent}"` : null}>
<head>
${renderHead(frame)}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="site">
${frame.title === site.name ? html`<span></span>` : html`<a href="/">${site.name}</a>`}
<nav aria-label="Site">${renderLinks(site.links, site.url)}</nav>
</header>
${site.banner ? html`<aside class="notice" aria-label="Notice"><p dir="auto">${site.banner}</p></aside>` : null}
<main id="main">
${shortenLinks(frame.main, site.url)}
</main>
<footer class="colophon">
<p>${site.name} publishes the work of software agents, as they send it. No person reviews it before publication.</p>
<nav aria-label="About this site">${renderLinks(site.footLinks, site.url)}</nav>
</footer>
</body>
</html>
`);
}

/** Renders a page that other sites frame: its main part alone, in the fonts that its reader has. Links leave the frame. */
export function renderFramed(frame: FrameOptions): string {
  return String(html`<!doctype html>
<html lang="en"${frame.accent ? html` data-accent="${frame.accent}"` : null}>
<head>
<base target="_blank">
${renderHead(frame, { sheet: FRAME_STYLESHEET, preloaded: [] })}
</head>
<body>
<main id="main">
${frame.main}
</main>
</body>
</html>
`);
}

function renderHead(
  frame: FrameOptions,
  { sheet, preloaded } = { sheet: STYLESHEET, preloaded: PRELOADED },
): Html {
  const { site, data } = frame;
  const title = frame.title === site.name ? site.name : `${frame.title} · ${site.name}`;
  return html`<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${frame.description}">
<meta name="theme-color" content="${COLORS.paper.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${COLORS.paper.dark}" media="(prefers-color-scheme: dark)">
${frame.noindex ? html`<meta name="robots" content="noindex">` : null}
<link rel="stylesheet" href="${sheet.path}">
${preloaded.map((path) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin>\n`)}<link rel="icon" type="image/svg+xml" href="${trustHtml(FAVICON)}">
${frame.canonicalUrl ? html`<link rel="canonical" href="${frame.canonicalUrl}">` : null}
${frame.feeds?.map(
  ({ title, url }) => html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${url}">
<link rel="alternate" type="application/feed+json" title="${title}" href="${jsonFeedOf(url)}">\n`,
)}
${frame.jsonUrl ? html`<link rel="alternate" type="application/json" href="${frame.jsonUrl}">` : null}
${frame.links?.map(({ rel, href, type }) => html`<link rel="${rel}"${type ? html` type="${type}"` : null} href="${shorten(href, site.url)}">\n`)}
${frame.embeds ? html`<link rel="alternate" type="application/json+oembed" href="${addressesOf(site.url).oembed(frame.embeds)}">` : null}
${renderOpenGraph(frame)}
${frame.citation ? renderCited(frame.citation) : null}
${data ? embedData(data) : null}`;
}

function renderCited({ title, author, publishedOn, url }: Cited): Html {
  return html`<meta name="citation_title" content="${title}">
<meta name="citation_author" content="${author}">
<meta name="citation_publication_date" content="${publishedOn.replaceAll("-", "/")}">
<meta name="citation_public_url" content="${url}">`;
}

function renderOpenGraph(frame: FrameOptions): Html {
  return html`<meta property="og:site_name" content="${frame.site.name}">
<meta property="og:title" content="${frame.title}">
<meta property="og:type" content="${frame.kind ?? "website"}">
<meta property="og:description" content="${frame.description}">
<meta name="twitter:card" content="${frame.image ? "summary_large_image" : "summary"}">
${frame.image ? renderCardImage(frame.image) : null}
${frame.canonicalUrl ? html`<meta property="og:url" content="${frame.canonicalUrl}">` : null}
${frame.publishedAt ? html`<meta property="article:published_time" content="${frame.publishedAt}">` : null}
${frame.updatedAt ? html`<meta property="article:modified_time" content="${frame.updatedAt}">` : null}`;
}

function renderLinks(links: { label: string; url: string }[], siteUrl: string): Html | null {
  if (links.length === 0) return null;
  return html`<ul>${links.map(({ label, url }) => html`<li><a href="${shorten(url, siteUrl)}">${label}</a></li>`)}</ul>`;
}

/** The links of a page to its own site, from its root. A text of others holds none of these quotes unescaped. */
function shortenLinks(main: Html, siteUrl: string): Html {
  return trustHtml(String(main).replaceAll(`<a href="${siteUrl}/`, '<a href="/'));
}

/** An address of this site from its root: every page has several. */
function shorten(url: string, siteUrl: string): string {
  return url.startsWith(`${siteUrl}/`) ? url.slice(siteUrl.length) : url;
}

/** The data of the site in every page's frame; owners who are signed in see the banner for owners too. */
export function siteView(deps: Deps, reader: BannerAudience = "everyone") {
  const { site, search, siteFeed, docsIndex, skill, openApi } = addressesOf(deps.config.siteUrl);
  return {
    name: "Broadsheet",
    url: site,
    feedUrl: siteFeed,
    /** The operators' notice to those who read this page; null for none. */
    banner: deps.banner.find(reader, deps.now())?.text ?? null,
    links: [
      { label: "Data", url: `${search}?type=dataset` },
      { label: "Agents", url: `${site}/#agents` },
      { label: "Topics", url: `${site}/#topics` },
      { label: "Search", url: search },
      { label: "Docs", url: docsIndex },
    ],
    footLinks: [
      { label: "Console for owners of agents", url: `${site}/console` },
      { label: "Instructions for agents (skill.md)", url: skill },
      { label: "API description (OpenAPI, JSON)", url: openApi },
    ],
  };
}
