import { describe, expect, test } from "vitest";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { errorsOf, ID, LEAST, readOne, story } from "./samples.ts";

describe("the emitted payload", () => {
  const shared = { summary: null, sources: [], references: [], design: null };
  const attachments = [{ asset_id: ID, label: "L", notes: null }];

  test.each([
    ["story", { title: "A", body_markdown: "b", ...shared }],
    ["dataset", { title: "A", attachments, show_preview: true, ...shared }],
    ["file", { title: "A", attachments, ...shared }],
    ["collection", { title: "A", entries: [ID], ...shared }],
    [
      "external_project",
      {
        title: "A",
        external_url: "https://example.org/",
        destination_label: null,
        repository_url: null,
        ...shared,
      },
    ],
    ["brief", { body_markdown: "b", sources: [] }],
  ] as const)("of a %s has every member in a fixed order, nulls and defaults filled", (type, expected) => {
    const reversed = Object.fromEntries(Object.entries(LEAST[type]).reverse());
    const { payload, ...rest } = readOne({ type, payload: reversed });
    expect(JSON.stringify(payload)).toBe(JSON.stringify(expected));
    const saving = { section: null, change_summary: null, minor: false, correction: false, disclosure: null };
    expect(rest).toEqual({ type, slug: null, ...saving, signature: null, publish: null, schedule: null });
  });

  test("has its inner objects whole and in order too", () => {
    const { payload } = readOne(
      story({
        sources: [{ url: "https://example.org/", title: "S" }],
        references: [{ relation: "uses", creation_id: ID }],
        design: { pattern: "waves", colors: ["#000000", "#FFffff"] },
      }),
    );
    expect(JSON.stringify(payload)).toBe(
      JSON.stringify({
        title: "A",
        body_markdown: "b",
        summary: null,
        sources: [{ title: "S", url: "https://example.org/", note: null }],
        references: [{ creation_id: ID, relation: "uses", note: null }],
        design: { colors: ["#000000", "#FFffff"], pattern: "waves", gradient: "none", seed: 0 },
      }),
    );
  });

  test.each(CREATION_TYPES.filter((type) => type !== "brief"))(
    "of a %s has a licence only where one was sent, in the case of the list",
    (type) => {
      const { payload: bare } = readOne({ type, payload: LEAST[type] });
      for (const license of [null, " "])
        expect(readOne({ type, payload: { ...LEAST[type], license } }).payload).toStrictEqual(bare);
      const { payload } = readOne({ type, payload: { ...LEAST[type], license: " cc-by-4.0 " } });
      expect(payload).toStrictEqual({ ...bare, license: "CC-BY-4.0" });
    },
  );

  test("of a dataset has a frequency only where one was sent, at its end", () => {
    const { payload: bare } = readOne({ type: "dataset", payload: LEAST.dataset });
    for (const update_frequency of [null, " "])
      expect(
        readOne({ type: "dataset", payload: { ...LEAST.dataset, update_frequency } }).payload,
      ).toStrictEqual(bare);
    const { payload } = readOne({
      type: "dataset",
      payload: { update_frequency: "daily", ...LEAST.dataset },
    });
    expect(JSON.stringify(payload)).toBe(JSON.stringify({ ...bare, update_frequency: "daily" }));
  });

  test("read back and sent again is the same", () => {
    for (const type of CREATION_TYPES) {
      const { payload } = readOne({ type, payload: LEAST[type] });
      expect(readOne({ type, payload }).payload).toEqual(payload);
    }
  });

  test("is trimmed, folded and in upper case where the contract says so, and nowhere else", () => {
    const { payload, change_summary } = readOne({
      type: "story",
      change_summary: " a\r\nb ",
      payload: {
        title: " \tA  b\n",
        body_markdown: " a\r\n\u0085b\u0301 \u00e1 ",
        summary: "\u202ec\u202c",
        sources: null,
        references: [{ creation_id: ID.toLowerCase(), relation: "cites", note: "  " }],
      },
    });
    expect(payload).toMatchObject({
      title: "A  b",
      body_markdown: " a\n\nb\u0301 \u00e1 ",
      summary: "\u202ec\u202c",
      sources: [],
      references: [{ creation_id: ID, note: null }],
    });
    expect(change_summary).toBe("a\nb");
  });
});

describe("lengths", () => {
  test.each([
    ["title", 160, "A"],
    ["title", 160, "😀"],
    ["body_markdown", 100_000, "é"],
    ["summary", 320, "潮"],
  ])("%s holds %i characters, counted as code points", (name, most, character) => {
    expect(errorsOf(story({ [name]: character.repeat(most) }))).toEqual({});
    expect(errorsOf(story({ [name]: character.repeat(most + 11) }))).toEqual({
      [`payload.${name}`]: [`The ${name} is longer than ${most} characters (it has ${most + 11}).`],
    });
  });

  test.each([
    ["sources", 50, { title: "S", url: "https://example.org/" }],
    ["references", 50, null],
  ])("%s hold %i items", (name, most, item) => {
    const relations = ["cites", "uses", "derives_from", "references"];
    const items = Array.from(
      { length: most + 1 },
      (_, index) =>
        item ?? {
          creation_id: ID.slice(0, -2) + String(10 + Math.floor(index / 4)),
          relation: relations[index % 4],
        },
    );
    expect(errorsOf(story({ [name]: items.slice(1) }))).toEqual({});
    expect(errorsOf(story({ [name]: items }))).toEqual({
      [`payload.${name}`]: [`The ${name} list has ${most + 1} items; at most ${most} are allowed.`],
    });
  });

  test("attachments and entries need one; a brief holds 500 characters", () => {
    expect(errorsOf({ type: "dataset", payload: { title: "A", attachments: [] } })).toEqual({
      "payload.attachments": ["The attachments list has 0 items; it needs at least 1."],
    });
    expect(errorsOf({ type: "collection", payload: { title: "A" } })).toEqual({
      "payload.entries": ["The entries list is required."],
    });
    expect(errorsOf({ type: "brief", payload: { body_markdown: "b".repeat(500) } })).toEqual({});
    expect(errorsOf({ type: "brief", payload: { body_markdown: "b".repeat(501) } })).toEqual({
      "payload.body_markdown": ["The body_markdown is longer than 500 characters (it has 501)."],
    });
  });
});
