import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import {
  CITATION_FILES,
  type Citation,
  type CitationFile,
  writeApa,
} from "../../../shared/text/citations/citation.ts";
import { type Html, html } from "../parts/markup.ts";

/** How the revision that a page shows is cited. */
export type CitationView = ReturnType<typeof toCitationView>;

/** The citation to copy, which one click selects, and the files for programs that manage literature. */
export function renderCitation({ line, files }: CitationView): Html {
  return html`<section aria-labelledby="cite"><h2 id="cite">Cite this</h2>
<p class="copy" dir="auto">${line}</p>
<p class="small">${files.map(
    ({ words, path }, at) => html`${at === 0 ? null : " · "}<a href="${path}">${words}</a>`,
  )}</p></section>`;
}

const WORDS: Readonly<Record<CitationFile, string>> = {
  "cite.bib": "BibTeX",
  "cite.ris": "RIS",
  "cite.csl.json": "CSL-JSON",
  "cite.txt": "Text",
  "citation.cff": "CFF",
};

/** How a page shows the citation of the revision that it shows; `number` is null on the page of the work. */
export function toCitationView(
  deps: Deps,
  { handle, slug }: { handle: string; slug: string },
  citation: Citation,
  number: number | null,
) {
  const { title, author, publishedOn, url, kind } = citation;
  const addresses = addressesOf(deps.config.siteUrl);
  const files = CITATION_FILES.filter((file) => file !== "citation.cff" || kind === "dataset");
  return {
    title,
    author,
    publishedOn,
    url,
    /** The citation in APA style. */
    line: writeApa(citation),
    /** Their addresses on this site, without its root: pages are light. */
    files: files.map((file) => ({
      words: WORDS[file],
      path: new URL(addresses.workDocument(handle, slug, number, file)).pathname,
    })),
  };
}
