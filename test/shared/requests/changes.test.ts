import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CREATION_TYPES, type CreationType } from "../../../shared/ground/creation-types.ts";
import { runs, some } from "../../support/depth.ts";
import { leastCpuMs } from "../../support/growth.ts";
import { readCorpus } from "../text/markdown/read-corpus.ts";
import { ID, LEAST, parseUpdateRequest, readOne } from "./samples.ts";

type Members = Record<string, unknown>;
const whole = (type: CreationType, members: object = {}): Members =>
  readOne({ type, payload: { ...LEAST[type], ...members } }).payload;

/** A creation whose newest revision has this payload. */
const current = (payload: Members, type: CreationType = "story", section: string | null = "news") => ({
  ...{ type, slug: "a" },
  base: { payload, section },
});

const change = (changes: unknown, payload: Members = whole("story"), more: object = {}) =>
  parseUpdateRequest({ changes, ...more }, current(payload));

const story = (body_markdown: string) => whole("story", { body_markdown, summary: "Short." });
const bodyOf = (outcome: ReturnType<typeof change>) =>
  outcome.ok ? (outcome.value.payload as { body_markdown: string }).body_markdown : outcome.errors;

describe("changes", () => {
  test("set replaces members, takes them away by null, and keeps all others", () => {
    const before = story("It rose.");
    const design = { colors: ["#000000", "#ffffff"], pattern: "waves" };
    const outcome = change({ set: { title: " New ", summary: null, design } }, before);
    expect(outcome.ok && outcome.value.payload).toEqual({
      ...before,
      ...{ title: "New", summary: null, design: { ...design, gradient: "none", seed: 0 } },
    });
  });

  test("each replacement works on what the one before left, behind set", () => {
    const replace = [
      { find: "one", with: "two" },
      { find: "two", with: "three", count: 2 },
      { find: "\r\nthree", with: "" },
    ];
    expect(bodyOf(change({ set: { body_markdown: "one\r\ntwo\r\nend" }, replace }))).toBe("three\nend");
    expect(bodyOf(change({ replace: [{ find: "b", with: "c" }] }))).toBe("c");
  });

  test.each([
    [{}, "news"],
    [{ section: "reports" }, "reports"],
    [{ section: null }, null],
    [{ section: " " }, null],
  ])("the section of %j is %s", (changes, section) => {
    const outcome = change(changes);
    expect(outcome.ok && outcome.value.section).toBe(section);
  });

  test("the section may stand beside them too, and only one is said", () => {
    const beside = change({}, whole("story"), { section: "reports" });
    expect(beside.ok && beside.value.section).toBe("reports");
    const both = change({ section: "news" }, whole("story"), { section: "reports" });
    expect(both.ok ? {} : Object.keys(both.errors)).toEqual(["section"]);
  });

  test("a find occurs as often as it says, counted from the start without overlaps, or its lines are named", () => {
    const body = ["gauge", "x", "gauge gauge", "", "aaaa"].join("\n");
    const find = (text: string, count?: number) =>
      bodyOf(change({ replace: [{ find: text, with: "", count }] }, story(body)));
    const refused = (sentence: string) => ({ "changes.replace.0.find": [sentence] });
    expect(find("gauge")).toEqual(refused("It occurs 3 times; lines 1, 3. Give a longer find, or count 3."));
    expect(find("gauge", 4)).toEqual(refused("It occurs 3 times; lines 1, 3. Give count 3."));
    expect(find("gauges")).toEqual(refused("It does not occur in body_markdown; give its exact text."));
    expect(find("aaaa", 2)).toEqual(refused("It occurs 1 time; line 5. Give count 1."));
    expect(find("aa", 2)).toBe("gauge\nx\ngauge gauge\n\n");
    const many = story("e\n".repeat(30));
    expect(bodyOf(change({ replace: [{ find: "e", with: "" }] }, many))).toEqual(
      refused(
        `It occurs 30 times; lines ${Array.from({ length: 20 }, (_, at) => at + 1).join(", ")} and 10 more. Give a longer find, or count 30.`,
      ),
    );
  });

  test.each([
    [{ sett: {} }, ["changes.sett"]],
    [{ set: { titel: "A" } }, ["changes.set.titel"]],
    [
      JSON.parse('{"set": {"__proto__": "x", "entries": []}}'),
      ["changes.set.__proto__", "changes.set.entries"],
    ],
    [{ set: { section: "news", minor: true } }, ["changes.set.section", "changes.set.minor"]],
    [{ set: "title" }, ["changes.set"]],
    [{ set: { title: null } }, ["payload.title"]],
    [{ set: { title: "" } }, ["payload.title"]],
    [{ set: { sources: [{ title: "S", url: "http://x" }] } }, ["payload.sources.0.url"]],
    [{ replace: [{ find: "", with: "" }] }, ["changes.replace.0.find"]],
    [{ replace: [{ find: "b" }] }, ["changes.replace.0.with"]],
    [{ replace: [{ find: "b", with: "c", count: 0 }] }, ["changes.replace.0.count"]],
    [{ replace: [{ find: "b", with: "c", counts: 1 }] }, ["changes.replace.0.counts"]],
    [{ replace: [{ find: "\ud83d", with: "c" }] }, ["changes.replace.0.find"]],
    [{ replace: [{ find: "x".repeat(2001), with: "c" }] }, ["changes.replace.0.find"]],
    [{ replace: [{ find: "b", with: "x".repeat(20_001) }] }, ["changes.replace.0.with"]],
    [{ replace: Array(51).fill({ find: "b", with: "b" }) }, ["changes.replace"]],
    [{ replace: [{ find: "b", with: "" }] }, ["payload.body_markdown"]],
    [{ replace: [{ find: "b", with: "<b>" }] }, ["payload.body_markdown"]],
    [{ section: "No" }, ["changes.section"]],
    ["title", ["changes"]],
  ])("%j is refused by name", (changes, fields) => {
    const outcome = change(changes);
    expect(outcome.ok ? outcome : Object.keys(outcome.errors)).toEqual(fields);
  });

  test("an unknown member is answered with the nearest one", () => {
    const outcome = change({ set: { titel: "A" } });
    expect(outcome.ok || outcome.errors["changes.set.titel"]?.[0]).toMatch(/Did you mean title\?/);
  });

  test("a payload beside them is refused on both, and neither names both", () => {
    const both = change({}, whole("story"), { payload: LEAST.story });
    expect(both.ok ? {} : Object.keys(both.errors)).toEqual(["payload", "changes"]);
    const neither = parseUpdateRequest({}, current(whole("story")));
    expect(neither).toEqual({ ok: false, errors: { payload: ["The payload or changes is required."] } });
  });

  test("a type without a text has none to replace in", () => {
    const outcome = parseUpdateRequest(
      { changes: { replace: [{ find: "a", with: "b" }] } },
      current(whole("dataset"), "dataset"),
    );
    expect(outcome).toEqual({
      ok: false,
      errors: { "changes.replace": ["A creation of type dataset has no body_markdown."] },
    });
  });

  test("a text that would grow without end is refused before it is built", () => {
    const body = story("a".repeat(100_000));
    const replace = [{ find: "a", with: "b".repeat(20_000), count: 100_000 }];
    expect(bodyOf(change({ replace }, body))).toEqual({
      "changes.replace.0.with": ["The text would get longer than 100000 characters."],
    });
  });

  test("texts that almost match everywhere cost no more than others", () => {
    const body = story("ab".repeat(50_000));
    const find = `${"ab".repeat(499)}aa${"ab".repeat(499)}`;
    const replace = Array(50).fill({ find, with: "" });
    // indexOf takes 25 times as long.
    expect(leastCpuMs(() => void change({ replace }, body), 1)).toBeLessThan(2_000);
  });
});

/** The same by hand: splitting finds from the start and without overlaps. */
function replaceByHand(text: string, find: string, by: string): { after: string; count: number } {
  const parts = text.split(find);
  return { after: parts.join(by), count: parts.length - 1 };
}

const CORPORA = [
  "markdown",
  "naughty-strings",
  "xss",
  "charts",
  "flowcharts",
  "values",
  "csv-edge",
  "json-cases",
];

function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listTexts);
}

const corpora = CORPORA.flatMap((name) => listTexts(readCorpus<unknown>(`${name}.json`)));

describe.skipIf(corpora.length === 0)("on every text of the corpora", () => {
  test("a replacement is what the same one by hand is, and is refused where that is refused", () => {
    let taken = 0;
    const texts = [...new Set(corpora.map((text) => text.replaceAll("\r\n", "\n")))].filter(
      (text) => text.isWellFormed() && text !== "" && text.length < 100_000,
    );
    for (const [at, text] of some(texts, 2).entries()) {
      const characters = Array.from(text);
      const from = (at * 7) % characters.length;
      const find = characters.slice(from, from + 1 + (at % 5)).join("");
      const by = ["", "x", "\n\n# y", find + find][at % 4] ?? "";
      const { after, count } = replaceByHand(text, find, by);
      const base = { ...whole("story"), body_markdown: text };
      const changed = change({ replace: [{ find, with: by, count }] }, base);
      const byHand = parseUpdateRequest(
        { payload: { ...base, body_markdown: after }, section: "news" },
        current(base),
      );
      expect(changed).toEqual(byHand);
      if (changed.ok) taken++;
    }
    expect(taken).toBeGreaterThan(texts.length / 10);
  });
});

const piece = fc.constantFrom("a", "b", "ab", "aa", "\n", "**", "<b>", "😀", "# T\n", "\r\n", " ");
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
const member = fc.constantFrom<[string, unknown]>(
  ...([
    ["title", "New"],
    ["title", null],
    ["title", " "],
    ["summary", "s".repeat(321)],
    ["summary", null],
    ["sources", null],
    ["sources", [{ title: "S", url: "https://example.org/" }]],
    ["references", [{ creation_id: ID.toLowerCase(), relation: "uses" }]],
    ["design", null],
    ["design", { colors: ["#000000"], pattern: "waves" }],
    ["show_preview", null],
    ["show_preview", true],
    ["entries", [ID]],
    ["attachments", null],
    ["body_markdown", "ab\r\nab"],
    ["body_markdown", 7],
  ] as [string, unknown][]),
);
const edit = fc.record({
  set: fc.array(member, { maxLength: 3 }).map((members) => Object.fromEntries(members)),
  replace: fc.array(fc.record({ find: text, with: text, count: fc.integer({ min: 1, max: 3 }) }), {
    maxLength: 3,
  }),
});

test("random edits leave nothing that a whole payload would be refused for", () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.constantFrom(...CREATION_TYPES), text, edit, (type, body, changes) => {
      const least = "body_markdown" in LEAST[type] ? { body_markdown: `ab ${body.replace(/<b>/g, "")}` } : {};
      const base = whole(type, least);
      // Most random texts occur nowhere: their replacements are left out, so that the others are tried.
      const replace = changes.replace.filter(({ find }) => find !== "" && body.includes(find));
      const outcome = parseUpdateRequest({ changes: { ...changes, replace } }, current(base, type));
      if (!outcome.ok) return;
      taken++;
      const { payload, section } = outcome.value;
      expect(parseUpdateRequest({ payload, section }, current(base, type))).toEqual(outcome);
    }),
    { numRuns: runs(10_000) },
  );
  expect(taken).toBeGreaterThan(runs(10_000) / 20);
});
