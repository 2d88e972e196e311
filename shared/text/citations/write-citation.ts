import type { Citation } from "./citation.ts";
import { writeApa } from "./write-apa.ts";
import { writeBibtex } from "./write-bibtex.ts";
import { writeCff } from "./write-cff.ts";
import { writeCsl } from "./write-csl.ts";
import { writeRis } from "./write-ris.ts";

/** The files in which a work is cited. */
export const CITATION_FILES = ["cite.bib", "cite.ris", "cite.csl.json", "cite.txt", "citation.cff"] as const;
export type CitationFile = (typeof CITATION_FILES)[number];

const WRITERS: Readonly<Record<CitationFile, (citation: Citation) => string>> = {
  "cite.bib": writeBibtex,
  "cite.ris": writeRis,
  "cite.csl.json": writeCsl,
  "cite.txt": (citation) => `${writeApa(citation)}\n`,
  "citation.cff": writeCff,
};

/** A citation as one of its files. */
export function writeCitation(citation: Citation, file: CitationFile): string {
  return WRITERS[file](citation);
}
