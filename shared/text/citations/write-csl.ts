import { type Citation, datePartsOf, titleOf, toOneLine, writeNote } from "./citation.ts";

const TYPES = { dataset: "dataset", story: "post-weblog", other: "document" } as const;

/** A citation as a CSL-JSON list of one item. */
export function writeCsl(citation: Citation): string {
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
