import { describe, expect, test } from "vitest";
import { errorsOf, LEAST, parseUpdateRequest, readOne } from "./samples.ts";

const STORY = { type: "story", payload: LEAST.story };
const send = (disclosure: unknown) => errorsOf({ ...STORY, disclosure });
const keep = (disclosure: unknown) => readOne({ ...STORY, disclosure }).disclosure;
const NOTHING = {
  origin: null,
  models: [],
  tools: [],
  prompt_sha256: null,
  human_review: "none",
  note: null,
};
const MODEL = { name: "m-large", version: "2026-09", provider: "Example" };

describe("a disclosure", () => {
  test("is kept whole, blank and null members as their default", () => {
    expect(keep({ origin: "generated", models: [MODEL] })).toEqual({
      ...NOTHING,
      ...{ origin: "generated", models: [MODEL] },
    });
    const blank = { origin: " ", human_review: "", prompt_sha256: null, models: null, tools: null };
    expect(keep({ ...blank, note: " Read twice. \n" })).toEqual({ ...NOTHING, note: "Read twice." });
    expect(keep({ models: [{ name: " a ", version: " ", provider: null }], tools: [{ name: "b" }] })).toEqual(
      {
        ...NOTHING,
        models: [{ name: "a", version: null, provider: null }],
        tools: [{ name: "b", version: null }],
      },
    );
    expect(keep({ prompt_sha256: "AB".repeat(32) })?.prompt_sha256).toBe("ab".repeat(32));
  });

  test.each([undefined, null, {}, { origin: null }, { models: [], note: "", human_review: "none" }])(
    "that says nothing is none: %j",
    (disclosure) => expect(keep(disclosure)).toBeNull(),
  );

  test("stands beside payload or inside it, twice only with one value", () => {
    const inside = { ...LEAST.story, disclosure: { origin: "human" } };
    expect(readOne({ type: "story", payload: inside })).toMatchObject({
      payload: { title: "A" },
      disclosure: { origin: "human" },
    });
    expect(readOne({ type: "story", payload: inside }).payload).not.toHaveProperty("disclosure");
    expect(errorsOf({ type: "story", payload: inside, disclosure: { origin: "human" } })).toEqual({});
    expect(errorsOf({ type: "story", payload: inside, disclosure: { origin: "computed" } })).toEqual({
      disclosure: ["The disclosure beside payload and the one inside it differ; send it once."],
    });
  });

  test("has texts of 80 characters, 5 models, 10 tools and a note of 500", () => {
    const long = "é".repeat(80);
    const models = Array(5).fill({ name: long, version: long, provider: long });
    const tools = Array(10).fill({ name: long, version: long });
    expect(send({ models, tools, note: "😀".repeat(500) })).toEqual({});
    expect(Object.keys(send({ models: [...models, MODEL], tools: [...tools, { name: "b" }] }))).toEqual([
      "disclosure.models",
      "disclosure.tools",
    ]);
  });
});

const LIST = "The allowed members are origin, models, tools, prompt_sha256, human_review, note.";

describe("is refused under its name", () => {
  test.each([
    [5, "disclosure", `The disclosure must be an object. ${LIST}`],
    ["generated", "disclosure", `The disclosure must be an object. ${LIST}`],
    [[], "disclosure", `The disclosure must be an object. ${LIST}`],
    [{ modles: [] }, "disclosure.modles", `This member is not known here. Did you mean models? ${LIST}`],
    [{ why: 1 }, "disclosure.why", `This member is not known here. ${LIST}`],
    [
      { origin: "genrated" },
      "disclosure.origin",
      "The origin must be one of generated, assisted, computed, human; generated is the nearest.",
    ],
    [{ origin: 1 }, "disclosure.origin", "The origin must be one of generated, assisted, computed, human."],
    [
      { human_review: "review" },
      "disclosure.human_review",
      "The human_review must be one of none, reviewed, edited; reviewed is the nearest.",
    ],
    [{ models: "m" }, "disclosure.models", "The models must be a list."],
    [
      { models: [MODEL, MODEL, MODEL, MODEL, MODEL, MODEL] },
      "disclosure.models",
      "The models list has 6 items; at most 5 are allowed.",
    ],
    [{ models: [{}] }, "disclosure.models.0.name", "The name is required."],
    [
      { models: ["m"] },
      "disclosure.models.0",
      "Item 1 of models must be an object. The allowed members are name, version, provider.",
    ],
    [
      { tools: [{ name: "a", provider: "b" }] },
      "disclosure.tools.0.provider",
      "This member is not known here. The allowed members are name, version.",
    ],
    [
      { models: [{ name: "x".repeat(81) }] },
      "disclosure.models.0.name",
      "The name is longer than 80 characters (it has 81).",
    ],
    [
      { tools: [{ name: "a\u0007b" }] },
      "disclosure.tools.0.name",
      "The name holds a control character; remove it.",
    ],
    [
      { models: [{ name: "a", version: "1\n2" }] },
      "disclosure.models.0.version",
      "The version must be one line, without tab or line break.",
    ],
    [{ note: "a\nb" }, "disclosure.note", "The note must be one line, without tab or line break."],
    [{ note: "x".repeat(501) }, "disclosure.note", "The note is longer than 500 characters (it has 501)."],
    [
      { prompt_sha256: "a".repeat(63) },
      "disclosure.prompt_sha256",
      "The prompt_sha256 must be a SHA-256, 64 digits from 0 to f.",
    ],
    [
      { prompt_sha256: "g".repeat(64) },
      "disclosure.prompt_sha256",
      "The prompt_sha256 must be a SHA-256, 64 digits from 0 to f.",
    ],
  ])("%j", (disclosure, field, sentence) => {
    expect(send(disclosure)).toEqual({ [field]: [sentence] });
  });

  test("where it stands at the wrong place", () => {
    expect(Object.keys(errorsOf({ ...STORY, disclosed: {} }))).toEqual(["disclosed"]);
    expect(errorsOf({ ...STORY, disclosed: {} }).disclosed?.[0]).toContain("Did you mean disclosure?");
    expect(update({ changes: { set: { disclosure: {} } } })).toEqual({
      ok: false,
      errors: { "changes.set.disclosure": ["The disclosure belongs beside changes."] },
    });
  });
});

const SAID = { ...NOTHING, origin: "human" as const, human_review: "none" as const };
const update = (body: object) => {
  const base = { payload: { ...LEAST.story }, section: null, disclosure: SAID };
  return parseUpdateRequest(body, { type: "story", slug: "a", base });
};

test("changes keep it, null takes it away, and a whole payload without it has none", () => {
  const made = (body: object) => {
    const outcome = update(body);
    return outcome.ok ? outcome.value.disclosure : outcome.errors;
  };
  expect(made({ changes: {} })).toEqual(SAID);
  expect(made({ changes: {}, disclosure: null })).toBeNull();
  expect(made({ changes: {}, disclosure: { origin: "computed" } })).toEqual({ ...SAID, origin: "computed" });
  expect(made({ payload: LEAST.story })).toBeNull();
});
