import { type Citation, titleOf, toOneLine, writeNote } from "./citation.ts";

const TYPES = { dataset: "DATA", story: "ELEC", other: "GEN" } as const;

/** A citation as one RIS entry. */
export function writeRis(citation: Citation): string {
  const [year = "", month = "", day = ""] = citation.publishedOn.split("-");
  const fields = [
    ["TY", TYPES[citation.kind]],
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
