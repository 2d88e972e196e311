import { utcFormat } from "d3-time-format";
import { endSentence, writePrintableJson } from "../../ground/text.ts";
import { describeLicence } from "../licences/licences.ts";

/** A published revision as a citation names it: what was read, and where it stays. */
export interface Citation {
  /** A name for the entry in a list of literature: handle, slug and revision. */
  key: string;
  kind: "dataset" | "story" | "other";
  title: string;
  author: string;
  publisher: string;
  /** The lasting address of the revision. */
  url: string;
  revision: number;
  /** The day of its publication in UTC: 2026-11-20. */
  publishedOn: string;
  /** The SHA-256 of the revision. */
  checksum: string;
  /** The SPDX identifier of its licence. */
  license: string | null;
  summary: string | null;
  /** The mark of a work that was taken back. */
  retracted: { on: string; reason: string; successorUrl: string | null } | null;
}

/** What a citation says of how the work came about, and of its bytes. */
function writeNote({ checksum, retracted }: Citation): string {
  const note = `Published by a software agent. SHA-256 ${checksum}`;
  if (retracted === null) return note;
  const { on, reason, successorUrl } = retracted;
  const instead = successorUrl === null ? "" : ` Superseded by ${successorUrl}`;
  return `${note}. RETRACTED on ${on}: ${reason}${instead}`;
}

/** The title, with the mark of a retracted work as lists of literature have it. */
function titleOf({ title, retracted }: Citation): string {
  return retracted === null ? title : `RETRACTED: ${title}`;
}

/** A text on one line, with single blanks: entries of lists of literature end at line ends. */
export function toOneLine(text: string): string {
  return text.replace(/[\s\u0085\p{Cc}]+/gu, " ").trim();
}

/** Year, month and day of a citation. */
function datePartsOf({ publishedOn }: Citation): number[] {
  return publishedOn.split("-").map(Number);
}

const writeDate = utcFormat("%Y, %B %-d");
/** What a work is, where APA style names it. */
const DESCRIBED = { dataset: " [Data set]", story: "", other: "" } as const;

/** A citation as one line in APA style: author, date, title, version, publisher, address. */
export function writeApa(citation: Citation): string {
  const { author, kind, revision, publisher, url } = citation;
  const date = writeDate(new Date(citation.publishedOn));
  const work = `${endSentence(`${toOneLine(titleOf(citation))} (Version ${revision})${DESCRIBED[kind]}`)}`;
  return `${endSentence(toOneLine(author))} (${date}). ${work} ${endSentence(toOneLine(publisher))} ${url}`;
}

const BIBTEX_TYPES = { dataset: "dataset", story: "online", other: "misc" } as const;

/** What TeX reads as a command or a ligature. Braces have names, as BibTeX counts even those behind a backslash. */
const ESCAPED: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\textbraceleft{}",
  "}": "\\textbraceright{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "`": "\\textasciigrave{}",
  "'": "\\textquotesingle{}",
  '"': "\\textquotedbl{}",
};

/** A citation as one BibTeX entry of BibLaTeX's types. */
function writeBibtex(citation: Citation): string {
  const fields = {
    title: escapeTex(titleOf(citation)),
    // Double braces: one name, not a first and a last one.
    author: `{${escapeTex(citation.author)}}`,
    date: citation.publishedOn,
    year: citation.publishedOn.slice(0, 4),
    version: String(citation.revision),
    publisher: escapeTex(citation.publisher),
    url: citation.url,
    note: escapeTex(writeNote(citation)),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}}`);
  return `@${BIBTEX_TYPES[citation.kind]}{${citation.key},\n${lines.join(",\n")}\n}\n`;
}

function escapeTex(text: string): string {
  return toOneLine(text)
    .replace(/[\\{}~^`'"%&$#_]/g, (character) => ESCAPED[character] ?? `\\${character}{}`)
    .replace(/-(?=-)/g, "-{}");
}

const RIS_TYPES = { dataset: "DATA", story: "ELEC", other: "GEN" } as const;

/** A citation as one RIS entry. */
function writeRis(citation: Citation): string {
  const [year = "", month = "", day = ""] = citation.publishedOn.split("-");
  const fields = [
    ["TY", RIS_TYPES[citation.kind]],
    ["ID", citation.key],
    ["TI", toOneLine(titleOf(citation))],
    ["AU", toOneName(citation.author)],
    ["DA", `${year}/${month}/${day}`],
    ["PY", year],
    ["ET", String(citation.revision)],
    ["PB", toOneLine(citation.publisher)],
    ["UR", citation.url],
    ["N1", toOneLine(writeNote(citation))],
    ["ER", ""],
  ];
  return `${fields.map(([tag, value]) => `${tag}  - ${value}`).join("\r\n")}\r\n`;
}

/** RIS has one form of a name, whose comma stands before the first name: a low quotation mark looks the same. */
function toOneName(author: string): string {
  return toOneLine(author).replaceAll(",", "\u201a");
}

/** A citation of a dataset as a CITATION.cff file, version 1.2.0 of the format. */
function writeCff(citation: Citation): string {
  const { author, url, revision, publishedOn, checksum, license, summary } = citation;
  const lines = [
    "cff-version: 1.2.0",
    `message: ${writePrintableJson("Cite this revision of the dataset with what is written here.")}`,
    "type: dataset",
    `title: ${writePrintableJson(toOneLine(titleOf(citation)))}`,
    "authors:",
    `  - name: ${writePrintableJson(toOneLine(author))}`,
    `version: ${writePrintableJson(String(revision))}`,
    `date-released: ${writePrintableJson(publishedOn)}`,
    `url: ${writePrintableJson(url)}`,
    ...(license === null ? [] : [writeLicence(license)]),
    "identifiers:",
    "  - type: other",
    `    value: ${writePrintableJson(`sha256:${checksum}`)}`,
    `    description: ${writePrintableJson(toOneLine(writeNote(citation)))}`,
    ...(summary === null ? [] : [`abstract: ${writePrintableJson(summary)}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** The format takes the identifiers of May 2021, and any licence by its page. */
const NAMED = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "ODbL-1.0", "ODC-By-1.0", "PDDL-1.0"];

function writeLicence(id: string): string {
  return NAMED.includes(id)
    ? `license: ${id}`
    : `license-url: ${writePrintableJson(describeLicence(id).url)}`;
}

const CSL_TYPES = { dataset: "dataset", story: "post-weblog", other: "document" } as const;

/** A citation as a CSL-JSON list of one item. */
function writeCsl(citation: Citation): string {
  const item = {
    id: citation.key,
    type: CSL_TYPES[citation.kind],
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
