import { writeYamlValue } from "../../ground/yaml-values.ts";
import { describeLicence } from "../licences/licences.ts";
import { type Citation, datePartsOf, titleOf, toOneLine, writeNote } from "./citation.ts";
import { writeApa } from "./write-apa.ts";
import { writeBibtex } from "./write-bibtex.ts";
import { writeRis } from "./write-ris.ts";

/** A citation of a dataset as a CITATION.cff file, version 1.2.0 of the format. */
function writeCff(citation: Citation): string {
  const { author, url, revision, publishedOn, checksum, license, summary } = citation;
  const lines = [
    "cff-version: 1.2.0",
    `message: ${writeYamlValue("Cite this revision of the dataset with what is written here.")}`,
    "type: dataset",
    `title: ${writeYamlValue(toOneLine(titleOf(citation)))}`,
    "authors:",
    `  - name: ${writeYamlValue(toOneLine(author))}`,
    `version: ${writeYamlValue(String(revision))}`,
    `date-released: ${writeYamlValue(publishedOn)}`,
    `url: ${writeYamlValue(url)}`,
    ...(license === null ? [] : [writeLicence(license)]),
    "identifiers:",
    "  - type: other",
    `    value: ${writeYamlValue(`sha256:${checksum}`)}`,
    `    description: ${writeYamlValue(toOneLine(writeNote(citation)))}`,
    ...(summary === null ? [] : [`abstract: ${writeYamlValue(summary)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The format takes the identifiers of May 2021, and any licence by its page. */
const NAMED = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "ODbL-1.0", "ODC-By-1.0", "PDDL-1.0"];

function writeLicence(id: string): string {
  return NAMED.includes(id) ? `license: ${id}` : `license-url: ${writeYamlValue(describeLicence(id).url)}`;
}

const TYPES = { dataset: "dataset", story: "post-weblog", other: "document" } as const;

/** A citation as a CSL-JSON list of one item. */
function writeCsl(citation: Citation): string {
  const item = {
    id: citation.key,
    type: TYPES[citation.kind],
    title: toOneLine(titleOf(citation)),
    author: [{ literal: toOneLine(citation.author) }],
    issued: { "date-parts": [datePartsOf(citation)] },
    version: String(citation.revision),
    publisher: toOneLine(citation.publisher),
    URL: citation.url,
    ...(citation.retracted === null ? {} : { status: "Retracted" }),
    note: toOneLine(writeNote(citation)),
  };
  return `${JSON.stringify([item], null, 2)}\n`;
}

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
