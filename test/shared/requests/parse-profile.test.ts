import { describe, expect, test } from "vitest";
import { parseProfilePatch } from "../../../shared/requests/parse-profile.ts";
import { ID, OTHER_ID } from "./samples.ts";

function read(body: unknown) {
  return parseProfilePatch(body);
}

function errorsOf(body: unknown): Record<string, string[]> {
  const outcome = read(body);
  return outcome.ok ? {} : outcome.errors;
}

test("only what was sent is in the value, in its kept form", () => {
  expect(read({ display_name: " Tide Watch ", topic_ids: [ID.toLowerCase()] })).toEqual({
    ok: true,
    value: { display_name: "Tide Watch", topic_ids: [ID] },
  });
});

test("every member is read", () => {
  const whole = {
    display_name: "Tide Watch",
    tagline: "Read daily",
    introduction_markdown: "I read **42** gauges.",
    about_markdown: "# About\n\nx",
    topic_ids: [ID, OTHER_ID],
    public_links: [{ label: "Code", url: "https://example.net/" }],
    featured_creation_ids: [ID],
    linked_agent_ids: [ID],
    sections: [{ slug: "reports", name: "Reports" }],
    accent: "info",
    design: { colors: ["#0b3d5c", "#e8f1f5"], pattern: "waves", gradient: "none", seed: 0 },
    default_license: "CC-BY-4.0",
    default_language: "pt-BR",
  };
  expect(read(whole)).toEqual({ ok: true, value: whole });
});

test("null and blank empty a member, and set the accent back to the first", () => {
  expect(
    read({
      display_name: null,
      tagline: " ",
      about_markdown: "\r\n ",
      accent: null,
      design: null,
      default_license: " ",
      default_language: "",
      sections: null,
    }),
  ).toEqual({
    ok: true,
    value: {
      display_name: null,
      tagline: null,
      about_markdown: null,
      accent: "primary",
      design: null,
      default_license: null,
      default_language: null,
      sections: [],
    },
  });
});

test.each([{}, null, [], "x"])("%j is refused as a whole", (body) => {
  expect(Object.keys(errorsOf(body))).toEqual(["body"]);
});

describe("bounds", () => {
  const ids = (count: number) =>
    Array.from({ length: count }, (_, index) => ID.slice(0, -2) + String(10 + index));
  const link = { label: "L", url: "https://example.org/" };

  test.each([
    ["display_name", "a".repeat(80), "a".repeat(81)],
    ["tagline", "a".repeat(160), "a".repeat(161)],
    ["introduction_markdown", "a".repeat(5000), "a".repeat(5001)],
    ["about_markdown", "a".repeat(5000), "a".repeat(5001)],
    ["topic_ids", ids(3), ids(4)],
    ["featured_creation_ids", ids(6), ids(7)],
    ["linked_agent_ids", ids(12), ids(13)],
    ["public_links", Array(10).fill(link), Array(11).fill(link)],
    [
      "sections",
      ids(8).map((id) => ({ slug: id.toLowerCase(), name: "N" })),
      ids(9).map((id) => ({ slug: id.toLowerCase(), name: "N" })),
    ],
  ])("of %s", (name, most, tooMuch) => {
    expect(errorsOf({ [name]: most })).toEqual({});
    expect(Object.keys(errorsOf({ [name]: tooMuch }))).toEqual([name]);
  });

  test("of links, sections and lists of IDs", () => {
    expect(
      Object.keys(
        errorsOf({
          topic_ids: [ID, ID.toLowerCase()],
          public_links: [{ label: "a".repeat(81), url: "http://example.org/" }, {}],
          sections: [
            { slug: "a", name: "a".repeat(41) },
            { slug: "a", name: "A" },
            { slug: "revisions", name: "A" },
            { slug: "a".repeat(41), name: "A" },
          ],
          accent: "blue",
        }),
      ).sort(),
    ).toEqual([
      "accent",
      "public_links.0.label",
      "public_links.0.url",
      "public_links.1.label",
      "public_links.1.url",
      "sections.0.name",
      "sections.1",
      "sections.2.slug",
      "sections.3.slug",
      "topic_ids.1",
    ]);
  });
});

describe("refused members", () => {
  test("say what became of them", () => {
    const errors = errorsOf({ layout: "grid", show_owner_alias: true, handle: "x", display_name: "A" });
    expect(errors.layout?.[0]).toContain("every homepage has the same structure");
    expect(errors.show_owner_alias?.[0]).toContain("owner's choice");
    expect(errors.handle?.[0]).toContain("The allowed members are display_name, tagline");
    expect(Object.keys(errors)).toHaveLength(3);
  });

  test.each([["hero"], [{ type: "hero", items: [] }]])(
    "a homepage block in sections is told what a section is",
    (block) => {
      expect(JSON.stringify(errorsOf({ sections: [block] }))).toContain(
        "Homepage blocks no longer exist; a section has exactly slug and name.",
      );
    },
  );

  test("Markdown fields stand under the Markdown rules", () => {
    expect(errorsOf({ introduction_markdown: "a\n<b>", about_markdown: "```mermaid\nx\n```" })).toEqual({
      introduction_markdown: [
        "Line 2: raw HTML is not accepted; if it is code, put it in backticks, as in `List<String>`.",
      ],
      about_markdown: [
        'Flowchart 1 (line 2): A flowchart begins with "flowchart" or "graph" and a direction, such as flowchart TD; here it begins with "x".',
      ],
    });
  });
});
