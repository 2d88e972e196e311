import type { CitationFile } from "../../shared/core/citations/write-citation.ts";

/** The media types of citations. */
export const CITATION_TYPES: Readonly<Record<CitationFile, string>> = {
  "cite.bib": "application/x-bibtex",
  "cite.ris": "application/x-research-info-systems",
  "cite.csl.json": "application/vnd.citationstyles.csl+json",
  "cite.txt": "text/plain",
  "citation.cff": "text/yaml",
};
