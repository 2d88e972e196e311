import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { parseMarkdown } from "../../../../shared/text/markdown/parse.ts";
import { writeFrontPageTwin } from "../../../../shared/text/twins/markdown-words.ts";
import { type WorkOfTwin, writeWorkTwin } from "../../../../shared/text/twins/write-work.ts";
import { runs } from "../../../support/depth.ts";

const HOSTILE = [
  ...[
    "no",
    "~",
    "1e3",
    "2026-11-20",
    "---",
    "...",
    "- a",
    "a: b",
    "# a",
    "&a",
    "*a",
    "!!js/function x",
    "<<",
  ],
  ...['"', "'", "\\", "a\nb: c", "a\n---\nb", "\t", "{a: 1}", "[1]", "%", "@", "`", "|", ">", "?", "null"],
  ...["\u0085", "\u2028---", "\ufeff", "\u0000", "\u007f", "😀", "\u202eabc", "ab ‮ c", " lead", "trail ", ""],
];

const work = (of: Partial<WorkOfTwin>): WorkOfTwin => ({
  ...{ type: "story", title: "Title", url: "https://example.org/@a/b", json_url: null },
  language: "pt-BR",
  agent: { handle: "a", url: "https://example.org/@a" },
  ...{ published: "2026-11-20T09:00:00Z", updated: "2026-11-21T09:00:00Z", revision_number: 1 },
  ...{ checksum: "0".repeat(64), origin: null, retracted: null, above: [], body_markdown: "Text." },
  ...{ addresses: [], sources: [], references: [], entries: [], files: [] },
  ...{ evidence: null, figures: [], charts: [], corrections: [], license: null },
  ...of,
});

const matterOf = (text: string) => parse(text.slice(4, text.indexOf("\n---\n")));

describe("front matter", () => {
  test.each(HOSTILE)("gives back %j wherever a text stands", (text) => {
    const reference = { relation: "cites", title: text, url: "https://example.org/@c/d", retracted: false };
    const source = { title: text, url: "https://example.net/", note: text };
    const retracted = { at: "2026-11-22T09:00:00Z", reason: text, superseded_by: null };
    const twin = writeWorkTwin(
      work({ title: text, retracted, sources: [source], references: [reference], origin: "generated" }),
    );
    expect(matterOf(twin)).toEqual({
      ...{
        title: text,
        url: "https://example.org/@a/b",
        json_url: null,
        type: "story",
        language: "pt-BR",
        agent: "a",
      },
      ...{ agent_url: "https://example.org/@a", published: "2026-11-20T09:00:00Z" },
      ...{
        updated: "2026-11-21T09:00:00Z",
        revision: 1,
        checksum: "0".repeat(64),
        license: null,
        disclosure: "generated",
      },
      ...{ retracted: true, retracted_at: "2026-11-22T09:00:00Z", retracted_reason: text },
      ...{ sources: [source], references: [reference] },
    });
  });

  test("gives back any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(matterOf(writeWorkTwin(work({ title: text }))).title).toBe(text);
      }),
      { numRuns: runs(4_000) },
    );
  });
});

describe("the text below", () => {
  test("shows a title as it is, whatever it holds, and the body byte for byte", () => {
    for (const title of ["# *a* [b](c) <d> & `e` | ~f~", "a\nb"]) {
      const body = "---\ntitle: other\n---\n\n    code\n";
      const text = writeWorkTwin(work({ title, body_markdown: body }));
      expect(text.endsWith(`\n\n${body}\n`)).toBe(true);
      const heading = parseMarkdown(text.slice(text.indexOf("\n# ") + 1)).shown[1];
      const words = (heading?.children ?? []).map(({ content }) => content);
      expect(words.join("")).toBe(title.replace("\n", " "));
    }
  });

  test.each([
    "<b>Not</b> *bold*",
    "- no list",
    "12. no list",
    "---",
    "===",
    "+ a",
    "1) b",
    "> no quote",
    "1.2 m",
  ])("shows the plain words %j of a summary and a file as they are", (words) => {
    const file = {
      ...{ label: "F", format: "txt", bytes: 1, url: "https://example.org/f", rows_url: null, tables: [] },
      ...{ notes: words, inspection: null, dictionary: null },
    };
    const text = writeWorkTwin(work({ above: [words], body_markdown: null, files: [file] }));
    const { shown } = parseMarkdown(text.slice(text.indexOf("\n# ") + 1));
    const said = shown.filter(
      ({ level, type }, at) => type === "inline" && shown[at - 1]?.type === "paragraph_open" && level === 1,
    );
    const inLine = (token: (typeof said)[number]) => (token.children ?? []).map(({ content }) => content);
    expect(said.map((token) => inLine(token).join(""))).toEqual([words, words]);
  });

  test("says of a removed revision that its content was removed, and nothing else", () => {
    const text = writeWorkTwin(work({ title: null, body_markdown: null }));
    expect(text).toContain("The content of this revision was removed.");
    expect(matterOf(text).title).toBeNull();
  });

  test("has the meaning of columns, links and entries", () => {
    const column = {
      name: "m|n",
      title: "Height",
      unit: "m",
      description: "above zero",
      missing_values: ["-999"],
    };
    const file = {
      ...{ label: "Readings", format: "csv", bytes: 12, notes: null, tables: [] },
      ...{ url: "https://example.org/media/1/a (1).csv", rows_url: "https://example.org/media/1/rows" },
      inspection: { row_count: 3, columns: [{ name: "m|n", type: "number" }] },
      dictionary: { primary_key: ["m|n"], columns: [column] },
    };
    const text = writeWorkTwin(
      work({
        ...{ type: "dataset", body_markdown: null, above: ["Heights."], files: [file] },
        addresses: [{ label: "Page", url: "https://example.net/" }],
        entries: [{ type: "story", title: "[x]", url: "https://example.org/@a/x", retracted: true }],
      }),
    );
    expect(text).toContain("| m\\|n | number | m | Height: above zero. Stands for blank: -999 |");
    expect(text).toContain("- Key: m\\|n");
    expect(text).toContain("a%20%281%29.csv)");
    expect(text).toContain("- [\\[x\\]](https://example.org/@a/x) (story, retracted)");
    expect(text).toContain("Page: [https://example.net/](https://example.net/)");
  });
});

test("the newest correction stands above the text", () => {
  const corrections = [
    { published_at: "2026-11-22T09:00:00Z", change_summary: "4.4 m, not 14.4 m." },
    { published_at: "2026-11-21T09:00:00Z", change_summary: "Husum, not Büsum." },
  ];
  const text = writeWorkTwin(work({ corrections, license: { id: "CC-BY-4.0" } }));
  expect(text).toContain("# Title\n\nCorrected on 2026-11-22: 4.4 m, not 14.4 m.\n\nText.");
  expect(matterOf(text).license).toBe("CC-BY-4.0");
});

test("a front page without words has its name alone", () => {
  const text = writeFrontPageTwin({
    ...{ handle: "a", display_name: "A: b", tagline: null, introduction_markdown: null, creations: [] },
    ...{ url: "https://example.org/@a", profile_url: "https://example.org/@a/profile.json" },
    ...{ publishing_since: null, updated: "2026-11-21T09:00:00Z" },
  });
  expect(matterOf(text)).toMatchObject({ title: "A: b", type: "agent", publishing_since: null });
  expect(text.endsWith("\n\n# A: b\n")).toBe(true);
});
