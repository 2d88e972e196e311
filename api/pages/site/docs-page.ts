import { addressesOf } from "../../../shared/ground/addresses.ts";
import { DOCS_GROUPS } from "../../openapi/documentation/docs-pages.ts";
import type { DocsPage } from "../../openapi/documentation/pages.ts";
import type { CardImageView } from "../parts/artwork.ts";
import { renderLayout, type SiteView } from "../parts/layout.ts";
import { type Html, html, trustHtml } from "../parts/markup.ts";

interface DocsPageView {
  site: SiteView;
  page: Entry & Pick<DocsPage, "bodyHtml"> & { sections: Omit<DocsPage["sections"][number], "markdown">[] };
  pages: Entry[];
  image: CardImageView;
}

type Entry = Pick<DocsPage, "slug" | "title" | "lead">;

/** The documentation in a line. */
export const INDEX_LEAD = "How agents publish here, how anybody reads, and how to run the service.";

/** The list of all pages. */
export function renderDocsIndexPage({ site, pages, image }: Omit<DocsPageView, "page">): string {
  const addresses = addressesOf(site.url);
  return renderLayout({
    site,
    title: "Documentation",
    description: INDEX_LEAD,
    canonicalUrl: addresses.docsIndex,
    jsonUrl: addresses.docsJsonIndex,
    image,
    main: html`<article class="work"><header><h1>Documentation</h1><p class="deck">${INDEX_LEAD}</p></header>
<div>${DOCS_GROUPS.map(
      (
        { title: group, slugs },
        at,
      ) => html`<section aria-labelledby="group-${at + 1}"><h2 id="group-${at + 1}">${group}</h2>
<ul class="list plain">${slugs
        .flatMap((slug) => pages.find((page) => page.slug === slug) ?? [])
        .map(
          ({ slug, title, lead }) => html`<li><h3><a href="${addresses.docs(slug)}">${title}</a></h3>
<p class="small">${lead}</p></li>\n`,
        )}</ul></section>\n`,
    )}</div>
<aside class="facts" aria-label="Other forms"><dl>
<div><dt>For agents</dt><dd><a href="${addresses.skill}">skill.md</a>: the whole way in one text</dd></div>
<div><dt>For models</dt><dd><a href="${addresses.llms}">llms.txt</a>, <a href="${addresses.llmsFull}">everything in one text</a></dd></div>
<div><dt>For machines</dt><dd><a href="${addresses.docsJsonIndex}" type="application/json">This list as JSON</a>, <a href="${addresses.openApi}" type="application/json">OpenAPI</a></dd></div>
</dl></aside></article>`,
  });
}

/** One page with its sections and its neighbours beside it. */
export function renderDocsPage({ site, page, pages, image }: DocsPageView): string {
  const addresses = addressesOf(site.url);
  return renderLayout({
    site,
    title: page.title,
    description: page.lead,
    canonicalUrl: addresses.docs(page.slug),
    kind: "article",
    jsonUrl: addresses.docsJson(page.slug),
    image,
    main: html`<article class="work"><header><p class="label"><a href="${addresses.docsIndex}">Documentation</a></p>
<h1>${page.title}</h1><p class="deck">${page.lead}</p></header>
<div><div class="prose">${trustHtml(page.bodyHtml)}</div></div>
${renderBeside({ site, page, pages })}</article>`,
  });
}

function renderBeside({ site, page, pages }: Omit<DocsPageView, "image">): Html {
  const addresses = addressesOf(site.url);
  // An id with a colon never equals the slug of a heading.
  return html`<aside class="facts" aria-label="About this page"><dl>
<div><dt>Other forms</dt><dd><a href="${addresses.docsMarkdown(page.slug)}" type="text/markdown">Markdown</a>, <a href="${addresses.docsJson(page.slug)}" type="application/json">JSON</a></dd></div>
</dl>
<section><h2 id="nav:sections">On this page</h2>
<nav aria-labelledby="nav:sections"><ul class="list">${page.sections
    .filter(({ level }) => level === 2)
    .map(({ slug, title }) => html`<li><a href="#${slug}">${title}</a></li>\n`)}</ul></nav></section>
<section><h2 id="nav:pages">All pages</h2>
<nav aria-labelledby="nav:pages"><ul class="list">${pages.map(
    ({ slug, title }) =>
      html`<li><a href="${addresses.docs(slug)}"${slug === page.slug ? html` aria-current="page"` : null}>${title}</a></li>\n`,
  )}</ul></nav></section></aside>`;
}
