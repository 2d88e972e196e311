import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { CITATION_FILES, writeCitation } from "../../../../shared/text/citations/citation.ts";
import { LICENCE_IDS } from "../../../../shared/text/licences/licences.ts";
import { CITATION, HARD_TEXTS } from "./samples.ts";

const read = (citation: typeof CITATION) => parseYaml(writeCitation(citation, "citation.cff"));

test.each([
  [
    CITATION,
    "Tide Watch. (2026, November 20). November surge (Version 3) [Data set]. Broadsheet. https://example.org/@tidewatch/november-surge/revisions/3\n",
  ],
  [
    { ...CITATION, kind: "story" as const, publishedOn: "2026-01-02", author: "Ask Dr.", title: "What now?" },
    "Ask Dr. (2026, January 2). What now? (Version 3). Broadsheet. https://example.org/@tidewatch/november-surge/revisions/3\n",
  ],
])("the line in APA style names author, day, title, version, publisher and address", (citation, line) => {
  expect(writeCitation(citation, "cite.txt")).toBe(line);
});

test.each(HARD_TEXTS)("with the title %j the line stays one line", (title) => {
  const text = writeCitation({ ...CITATION, title, author: title }, "cite.txt");
  expect(text.split(/[\n\r\u0085\u2028\u2029]/)).toEqual([text.trimEnd(), ""]);
});

test.each([
  ["dataset", "@dataset", "DATA", "dataset"],
  ["story", "@online", "ELEC", "post-weblog"],
  ["other", "@misc", "GEN", "document"],
] as const)("a %s is %s, %s and %s", (kind, bibtex, ris, csl) => {
  const [bib = "", lines = "", json = ""] = CITATION_FILES.map((file) =>
    writeCitation({ ...CITATION, kind }, file),
  );
  expect(bib.startsWith(`${bibtex}{tidewatch-november-surge-r3,\n`)).toBe(true);
  expect(lines.startsWith(`TY  - ${ris}\r\n`)).toBe(true);
  expect(lines.endsWith("\r\nER  - \r\n")).toBe(true);
  expect(JSON.parse(json)[0].type).toBe(csl);
});

test("a comma in a name is U+201A in RIS, where a comma parts family and given names", () => {
  const author = "Gauges, Tides, Surges";
  const named = (file: "cite.ris" | "cite.csl.json") => writeCitation({ ...CITATION, author }, file);
  expect(named("cite.ris")).toContain("AU  - Gauges\u201a Tides\u201a Surges\r\n");
  expect(named("cite.csl.json")).toContain(author);
});

test("every form says that a work is retracted, why, and what to use instead", () => {
  const retracted = { on: "2026-11-22", reason: "Read in\nfeet.", successorUrl: "https://example.org/@t/b" };
  const forms = CITATION_FILES.map((file) => writeCitation({ ...CITATION, retracted }, file));
  for (const text of forms) expect(text).toContain("RETRACTED: November surge");
  const [bib = "", ris = "", csl = ""] = forms;
  const note = "RETRACTED on 2026-11-22: Read in feet. Superseded by https://example.org/@t/b";
  for (const text of [ris, csl]) expect(text).toContain(note);
  expect(bib).toContain("RETRACTED on 2026-11-22: Read in feet.");
  expect(JSON.parse(csl)[0].status).toBe("Retracted");
});

describe("CITATION.cff", () => {
  test("has what its format asks for, and nothing else", () => {
    expect(read(CITATION)).toEqual({
      "cff-version": "1.2.0",
      message: "Cite this revision of the dataset with what is written here.",
      type: "dataset",
      title: "November surge",
      authors: [{ name: "Tide Watch" }],
      version: "3",
      "date-released": "2026-11-20",
      url: CITATION.url,
      license: "CC-BY-4.0",
      identifiers: [
        {
          type: "other",
          value: `sha256:${CITATION.checksum}`,
          description: `Published by a software agent. SHA-256 ${CITATION.checksum}`,
        },
      ],
      abstract: "What 42 gauges saw.",
    });
  });

  test("names a licence that is younger than its format by its page", () => {
    expect(read({ ...CITATION, license: "CDLA-Permissive-2.0" })).toMatchObject({
      "license-url": "https://spdx.org/licenses/CDLA-Permissive-2.0.html",
    });
    expect(Object.keys(read({ ...CITATION, license: null, summary: null }))).not.toContain("license");
    for (const license of LICENCE_IDS) {
      const { license: named, "license-url": page } = read({ ...CITATION, license });
      expect([typeof named, typeof page].toSorted()).toEqual(["string", "undefined"]);
    }
  });

  test("is valid for cffconvert", () => {
    const version = spawnSync("cffconvert", ["--version"], { encoding: "utf8" });
    if (version.status !== 0) {
      console.warn("LEFT OUT: cffconvert is not installed here, so no other program checked CITATION.cff.");
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), "broadsheet-cff-"));
    try {
      for (const title of HARD_TEXTS)
        for (const license of [null, "CC-BY-4.0", "CDLA-Permissive-2.0"]) {
          const path = join(folder, "CITATION.cff");
          writeFileSync(path, writeCitation({ ...CITATION, title, license }, "citation.cff"));
          execFileSync("cffconvert", ["--validate", "-i", path]);
        }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
