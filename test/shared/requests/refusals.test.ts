import { describe, expect, test } from "vitest";
import { errorsOf, ID, LEAST, OTHER_ID, story } from "./samples.ts";

describe("refusals", () => {
  test("all come at once, in our own words, under their fields", () => {
    const body = {
      type: "story",
      slug: "A b",
      section: "No",
      minor: "yes",
      extra: 1,
      title: "T",
      payload: {
        title: "",
        body_markdown: "<b>",
        summary: 5,
        note: null,
        sources: [{ title: "S", url: "http://example.org" }, "x", { url: "https://example.org", why: 1 }],
        references: [{ creation_id: "x", relation: "likes" }],
        design: { colors: ["#000000"], pattern: "dots", seed: 1_000_000 },
      },
    };
    expect(errorsOf(body)).toEqual({
      slug: [
        "The slug may hold lowercase letters, digits and single hyphens between them, as in november-surge.",
      ],
      section: ["The section may hold lowercase letters, digits and hyphens, and must not be revisions."],
      minor: ["The minor must be true or false."],
      title: ["The title belongs inside payload."],
      extra: [
        "This member is not known here. The allowed members are type, slug, section, change_summary, minor, correction, disclosure, payload, signature, publish, schedule.",
      ],
      "payload.title": ["The title is required."],
      "payload.body_markdown": [
        "Line 1: raw HTML is not accepted; if it is code, put it in backticks, as in `List<String>`.",
      ],
      "payload.summary": ["The summary must be text, in quotes."],
      "payload.note": [
        "This member is not known here. The allowed members are title, body_markdown, summary, sources, references, design, license, figures, language.",
      ],
      "payload.sources.0.url": ["The url must begin with https:// and hold no backslash."],
      "payload.sources.1": ["Item 2 of sources must be an object. The allowed members are title, url, note."],
      "payload.sources.2.title": ["The title is required."],
      "payload.sources.2.why": ["This member is not known here. The allowed members are title, url, note."],
      "payload.references.0.creation_id": [
        "The creation_id must be an ID of this service, 26 characters such as 01M7WVCCXGEVQM8BZ45NSYPBF2.",
      ],
      "payload.references.0.relation": [
        "The relation must be one of cites, uses, derives_from, references. Did you mean cites?",
      ],
      "payload.design.colors": ["The colors list has 1 item; it needs at least 2."],
      "payload.design.pattern": ["The pattern must be one of circles, waves, stripes, grid, triangles."],
      "payload.design.seed": ["The seed must be at most 999999."],
    });
  });

  test.each([
    ["title", undefined, "The title is required."],
    ["title", null, "The title is required."],
    ["title", " \u00a0\n ", "The title is required."],
    ["title", 5, "The title must be text, in quotes."],
    ["title", "a\nb", "The title must be one line, without tab or line break."],
    ["title", "a\u0000b", "The title holds a control character; remove it."],
    ["title", "a\u009bb", "The title holds a control character; remove it."],
    ["title", "a\u0085", "The title holds a control character; remove it."],
    ["title", "a\ud800", "The title holds half of a surrogate pair; send well-formed Unicode."],
    [
      "title",
      "a\u200bb",
      "The title holds a zero-width or bidirectional control character, U+200B; remove it.",
    ],
    [
      "title",
      "\ufeffa",
      "The title holds a zero-width or bidirectional control character, U+FEFF; remove it.",
    ],
    [
      "title",
      "a\u202eb",
      "The title holds a zero-width or bidirectional control character, U+202E; remove it.",
    ],
    ["body_markdown", undefined, "The body_markdown is required."],
    ["body_markdown", " \n\u00a0", "The body_markdown is required."],
    ["body_markdown", ["a"], "The body_markdown must be text."],
    [
      "body_markdown",
      "a\rb",
      "The body_markdown holds a control character; only tab and newline are allowed.",
    ],
    [
      "body_markdown",
      "a\u0000b",
      "The body_markdown holds a control character; only tab and newline are allowed.",
    ],
    [
      "body_markdown",
      "```mermaid\n```",
      "Flowchart 1 (line 2): The flowchart is empty. Begin with flowchart TD and write nodes and connections below.",
    ],
    [
      "body_markdown",
      "a\u0085b\u009b",
      "The body_markdown holds a control character; only tab and newline are allowed.",
    ],
    ["summary", "a\u007f", "The summary holds a control character; only tab and newline are allowed."],
    ["summary", "a\u0007", "The summary holds a control character; only tab and newline are allowed."],
    ["summary", "\r", "The summary holds a control character; only tab and newline are allowed."],
    ["sources", {}, "The sources must be a list."],
    ["license", "CC-BY", "The license CC-BY is no SPDX identifier; CC-BY-4.0 is."],
    ["license", "gpl-3.0", "The license GPL-3.0 is a deprecated SPDX identifier; GPL-3.0-only is in force."],
    [
      "license",
      "a".repeat(100_000),
      `The license ${"a".repeat(80)}… is no SPDX identifier; take one from https://spdx.org/licenses/.`,
    ],
    ["license", { id: "MIT" }, "The license must be text."],
    ["design", [], "The design must be an object. The allowed members are colors, pattern, gradient, seed."],
  ])("payload.%s: %j", (name, value, sentence) => {
    expect(errorsOf(story({ [name]: value }))).toEqual({ [`payload.${name}`]: [sentence] });
  });

  test("a long text with many faults names the first fifty places and how many follow", () => {
    const faults = errorsOf(story({ body_markdown: "<b>\n\n".repeat(60) }))["payload.body_markdown"];
    expect(faults).toHaveLength(51);
    expect(faults?.at(-1)).toBe("The body_markdown has 10 more problems of these kinds further down.");
  });

  test("too long and faulty are told together", () => {
    expect(errorsOf(story({ title: `${"a".repeat(161)}\u0000` }))["payload.title"]).toHaveLength(2);
  });

  test("a repeated reference or entry is named, beside other problems", () => {
    const reference = { creation_id: ID, relation: "uses" };
    const again = { creation_id: ID.toLowerCase(), relation: "uses", note: 1 };
    expect(errorsOf(story({ references: [reference, again, { ...reference, relation: "cites" }] }))).toEqual({
      "payload.references.1": [
        "Item 2 of references repeats an earlier target and relation; send each pair once.",
      ],
      "payload.references.1.note": ["The note must be text, in quotes."],
    });
    expect(
      errorsOf({ type: "collection", payload: { title: "A", entries: [ID, OTHER_ID, ID.toLowerCase()] } }),
    ).toEqual({
      "payload.entries.2": ["Item 3 of entries repeats an earlier entry; list each creation once."],
    });
  });

  test.each([
    ["brief", "title"],
    ["brief", "summary"],
    ["brief", "design"],
    ["brief", "license"],
    ["dataset", "body_markdown"],
    ["file", "show_preview"],
    ["story", "attachments"],
    ["collection", "external_url"],
  ] as const)("a %s has no %s", (type, member) => {
    expect(Object.keys(errorsOf({ type, payload: { ...LEAST[type], [member]: null } }))).toEqual([
      `payload.${member}`,
    ]);
  });
});
