import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { type Citation, toOneLine, writeCitation } from "../../../../shared/text/citations/citation.ts";
import { runs } from "../../../support/depth.ts";
import { CITATION, HARD_TEXTS } from "./samples.ts";

// Its modules for import name files without their endings, which Node does not find.
const require = createRequire(import.meta.url);
const { Cite } = require("@citation-js/core") as {
  Cite: new (text: string, options: { forceType: string }) => { data: Read[] };
};
require("@citation-js/plugin-bibtex");
require("@citation-js/plugin-ris");

interface Name {
  literal?: string;
  given?: string;
  "non-dropping-particle"?: string;
  family?: string;
}
interface Read {
  title?: string;
  author?: Name[];
  issued?: { "date-parts": number[][] };
  URL?: string;
  version?: string;
  edition?: string;
  publisher?: string;
  note?: string;
}

/** What an entry says, whichever program read it. */
function summarize(entry: Read | undefined) {
  const nameOf = (name: Name) =>
    name.literal ?? [name.given, name["non-dropping-particle"], name.family].filter(Boolean).join(" ");
  return {
    title: entry?.title,
    // RIS has no comma in a name of one part.
    author: entry?.author?.map((name) => nameOf(name).replaceAll("\u201a", ",")),
    date: entry?.issued?.["date-parts"],
    address: entry?.URL,
    version: String(entry?.version ?? entry?.edition),
    publisher: entry?.publisher,
    note: entry?.note,
  };
}

function readBack(citation: Citation) {
  const read = (text: string, forceType: string) => new Cite(text, { forceType }).data;
  const csl: Read[] = JSON.parse(writeCitation(citation, "cite.csl.json"));
  const bib = read(writeCitation(citation, "cite.bib"), "@biblatex/text");
  const ris = read(writeCitation(citation, "cite.ris"), "@ris/file");
  expect([csl.length, bib.length, ris.length]).toEqual([1, 1, 1]);
  return { csl: summarize(csl[0]), bib: summarize(bib[0]), ris: summarize(ris[0]) };
}

function expectAgreement(citation: Citation) {
  const { csl, bib, ris } = readBack(citation);
  expect(csl).toEqual({
    title: toOneLine(citation.title),
    author: [toOneLine(citation.author)],
    date: [[2026, 11, 20]],
    address: citation.url,
    version: "3",
    publisher: "Broadsheet",
    note: `Published by a software agent. SHA-256 ${citation.checksum}`,
  });
  expect(bib).toEqual(csl);
  expect(ris).toEqual(csl);
}

describe("another program reads the same entry out of BibTeX, RIS and CSL-JSON", () => {
  test.each(["dataset", "story", "other"] as const)("of a %s", (kind) => {
    expectAgreement({ ...CITATION, kind });
  });

  test.each(HARD_TEXTS)("with the title %j", (title) => {
    expectAgreement({ ...CITATION, title });
  });

  test.each(HARD_TEXTS)("by the author %j", (author) => {
    expectAgreement({ ...CITATION, author: `Agent ${author}` });
  });

  test("with any title", () => {
    const marks = fc.constantFrom(..."{}\\%&$#_~^`'\"-,=@<>; ab");
    const text = fc.string({
      unit: fc.oneof(marks, fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 })),
    });
    fc.assert(
      fc.property(text, (title) => {
        fc.pre(toOneLine(title) !== "");
        expectAgreement({ ...CITATION, title: `T${title}` });
      }),
      { numRuns: runs(2000) },
    );
  });
});

test.each(HARD_TEXTS)("YAML reads the title %j out of CITATION.cff", (title) => {
  const read = parseYaml(writeCitation({ ...CITATION, title, summary: title }, "citation.cff"));
  expect(read).toMatchObject({
    "cff-version": "1.2.0",
    type: "dataset",
    title: toOneLine(title),
    abstract: title,
  });
});
