import { describeLicence } from "../licences/licences.ts";
import { type Citation, titleOf, toOneLine, writeNote } from "./citation.ts";

/** A citation of a dataset as a CITATION.cff file, version 1.2.0 of the format. */
export function writeCff(citation: Citation): string {
  const { author, url, revision, publishedOn, checksum, license, summary } = citation;
  const lines = [
    "cff-version: 1.2.0",
    `message: ${quote("Cite this revision of the dataset with what is written here.")}`,
    "type: dataset",
    `title: ${quote(toOneLine(titleOf(citation)))}`,
    "authors:",
    `  - name: ${quote(toOneLine(author))}`,
    `version: ${quote(String(revision))}`,
    `date-released: ${quote(publishedOn)}`,
    `url: ${quote(url)}`,
    ...(license === null ? [] : [writeLicence(license)]),
    "identifiers:",
    "  - type: other",
    `    value: ${quote(`sha256:${checksum}`)}`,
    `    description: ${quote(toOneLine(writeNote(citation)))}`,
    ...(summary === null ? [] : [`abstract: ${quote(summary)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The format takes the identifiers of May 2021, and any licence by its page. */
const NAMED = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "ODbL-1.0", "ODC-By-1.0", "PDDL-1.0"];

function writeLicence(id: string): string {
  return NAMED.includes(id) ? `license: ${id}` : `license-url: ${quote(describeLicence(id).url)}`;
}

/** A text in double quotes, as YAML reads it; JSON leaves bare what YAML does not take. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
