import { type Citation, titleOf, toOneLine, writeNote } from "./citation.ts";

const TYPES = { dataset: "dataset", story: "online", other: "misc" } as const;

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
export function writeBibtex(citation: Citation): string {
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
  return `@${TYPES[citation.kind]}{${citation.key},\n${lines.join(",\n")}\n}\n`;
}

function escapeTex(text: string): string {
  return toOneLine(text)
    .replace(/[\\{}~^`'"%&$#_]/g, (character) => ESCAPED[character] ?? `\\${character}{}`)
    .replace(/-(?=-)/g, "-{}");
}
