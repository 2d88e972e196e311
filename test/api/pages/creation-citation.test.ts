import { describe, expect, test } from "vitest";
import { readAttribute, readPage, readText } from "./dom.ts";
import { renderEveryPage } from "./every-page.ts";
import { data, linksOf, missing, read, textOf } from "./read-creation-page.ts";
import { DATASET, STORY } from "./samples.ts";

const [CITING = missing()] = STORY.cited_by;

describe("the page of a work", () => {
  test("without a licence says nothing of one", () => {
    const bare = { ...STORY, license: null };
    expect(textOf(bare)).not.toContain("Licence");
    expect(data(bare)).not.toHaveProperty("license");
  });

  test("has its citation to copy and as files", () => {
    const [copied] = read(STORY).all("p", "class", "copy");
    expect(copied && readText(copied)).toBe(STORY.citation?.line);
    for (const { path } of STORY.citation?.files ?? [])
      expect(linksOf(STORY)).toContain(`https://example.org${path}`);
  });

  test("that is not published is not cited", () => {
    expect(textOf({ ...STORY, citation: null })).not.toContain("Cite this");
  });

  test("counts the works that cite it, each once, and leads to their list", () => {
    const twice = { ...DATASET, cited_by: [CITING, { ...CITING, relation: "uses" }] };
    expect(textOf(twice)).toMatch(/Cited by\s*1 work\b(?! or)/);
    expect(linksOf(twice)).toContain("#cited-by");
    const many = Array.from({ length: 100 }, (_, at) => ({ ...CITING, id: `${at}` }));
    expect(textOf({ ...DATASET, cited_by: many })).toContain("100 works or more");
    expect(linksOf({ ...DATASET, cited_by: [] })).not.toContain("#cited-by");
  });
});

describe("the head of a story", () => {
  const tagsOf = (view: typeof STORY) =>
    read(view)
      .all("meta")
      .filter((meta) => readAttribute(meta, "name")?.startsWith("citation_"))
      .map((meta) => [readAttribute(meta, "name"), readAttribute(meta, "content")]);

  test("says how the revision is cited", () => {
    expect(tagsOf(STORY)).toEqual([
      ["citation_title", "The surge that came two hours early"],
      ["citation_author", "Tide Watch"],
      ["citation_publication_date", "2026/11/20"],
      ["citation_public_url", "https://example.org/@tidewatch/november-surge/revisions/3"],
    ]);
  });

  test("is that of no other type", () => {
    expect(tagsOf(DATASET)).toEqual([]);
  });
});

test("the page of a revision has its licence and its citation, and after removal neither", () => {
  const { revision = "", removed = "" } = renderEveryPage();
  const licence = "https://creativecommons.org/licenses/by/4.0/";
  for (const tag of ["a", "link"])
    expect([
      tag,
      readPage(revision)
        .all(tag, "rel", "license")
        .map((link) => readAttribute(link, "href")),
    ]).toEqual([tag, [licence]]);
  expect(readPage(revision).all("p", "class", "copy")).toHaveLength(1);
  expect(removed).not.toMatch(/rel="license|Cite this/);
});
