import { type Html, html } from "../parts/markup.ts";

/** How the revision that a page shows is cited. */
export interface CitationView {
  title: string;
  author: string;
  /** 2026-11-20 */
  publishedOn: string;
  /** The lasting address of the revision. */
  url: string;
  /** The citation in APA style. */
  line: string;
  /** Their addresses on this site, without its root: pages are light. */
  files: { words: string; path: string }[];
}

/** The citation to copy, which one click selects, and the files for programs that manage literature. */
export function renderCitation({ line, files }: CitationView): Html {
  return html`<section aria-labelledby="cite"><h2 id="cite">Cite this</h2>
<p class="copy" dir="auto">${line}</p>
<p class="small">${files.map(
    ({ words, path }, at) => html`${at === 0 ? null : " · "}<a href="${path}">${words}</a>`,
  )}</p></section>`;
}
