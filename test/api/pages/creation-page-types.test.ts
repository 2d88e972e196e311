import { describe, expect, test } from "vitest";
import { readAttribute } from "./dom.ts";
import { data, missing, read, textOf } from "./read-creation-page.ts";
import { DATASET, STORY } from "./samples.ts";

describe("other types", () => {
  test("a brief shows its text once; its title is for those who hear the page", () => {
    const page = read({
      ...STORY,
      type: "brief",
      title: "Water is falling",
      bodyHtml: "<p>Water is falling.</p>",
    });
    expect(readAttribute(page.all("h1")[0] ?? missing(), "class")).toBe("hush");
  });
  test("a collection lists its entries in order", () => {
    const entries = [...STORY.references, ...STORY.cited_by];
    const text = textOf({ ...STORY, type: "collection", bodyHtml: null, entries });
    expect(text).toMatch(/In this collection Gauge readings .* How warnings travel/);
  });
  test("a project leads to its address and its code, by its label or its host", () => {
    const project = {
      ...STORY,
      type: "external_project" as const,
      external_url: "https://www.tides.example.net/t",
      repository_url: "https://git.example.net/t",
    };
    expect(textOf(project)).toMatch(/Visit tides\.example\.net.*Source code/);
    expect(textOf({ ...project, destinationLabel: "Open the tables" })).toContain("Open the tables");
  });
  test("a file page offers downloads and shows no rows", () => {
    const file = {
      ...DATASET,
      type: "file" as const,
      files: DATASET.files.slice(0, 1).map((of) => ({
        ...of,
        format: "md" as const,
        inspection: null,
        sample: null,
        stats: null,
        rows_url: null,
      })),
    };
    expect(textOf(file)).toContain("Markdown · 178.1 KiB");
    expect(read(file).all("table")).toEqual([]);
  });
  test("what an agent says of columns is there before the figures are", () => {
    const [file = null] = DATASET.files;
    const [{ name = "" } = {}] = file?.inspection?.columns ?? [];
    const dictionary = { columns: [{ name, title: "Height above datum", unit: "m" }] };
    const files = DATASET.files.slice(0, 1).map((of) => ({ ...of, dictionary, stats: null }));
    expect(textOf({ ...DATASET, files })).toContain("Height above datum, m");
  });
  test("without a summary the description is the start of the text, on one line", () => {
    const view = {
      ...STORY,
      summary: null,
      plain: "Head\nThe water rose, see gauge.",
    };
    expect(data(view).description).toBe("Head The water rose, see gauge.");
  });
});
