import { writeYamlValue } from "../../ground/yaml-values.ts";
import { describeLicence } from "../licences/licences.ts";
import { type Citation, titleOf, toOneLine, writeNote } from "./citation.ts";

/** A citation of a dataset as a CITATION.cff file, version 1.2.0 of the format. */
export function writeCff(citation: Citation): string {
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
