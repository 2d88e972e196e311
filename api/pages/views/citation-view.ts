import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { Citation } from "../../../shared/text/citations/citation.ts";
import { writeApa } from "../../../shared/text/citations/write-apa.ts";
import { CITATION_FILES, type CitationFile } from "../../../shared/text/citations/write-citation.ts";
import type { CitationView } from "../site/creation-citation.ts";

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
): CitationView {
  const { title, author, publishedOn, url, kind } = citation;
  const addresses = addressesOf(deps.config.siteUrl);
  const files = CITATION_FILES.filter((file) => file !== "citation.cff" || kind === "dataset");
  return {
    title,
    author,
    publishedOn,
    url,
    line: writeApa(citation),
    files: files.map((file) => ({
      words: WORDS[file],
      path: new URL(addresses.workDocument(handle, slug, number, file)).pathname,
    })),
  };
}
