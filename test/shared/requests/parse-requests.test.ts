import { describe, expect, test } from "vitest";
import type { CreationType } from "../../../shared/ground/creation-types.ts";
import { errorsOf, LEAST, parseUpdateRequest, readOne } from "./samples.ts";

describe("the envelope", () => {
  const envelope = { type: "story", slug: "a-b", section: "reports", change_summary: "c", minor: true };

  test("stands beside the payload, inside it, or in both alike", () => {
    const beside = readOne({ ...envelope, payload: LEAST.story });
    expect(beside).toMatchObject(envelope);
    expect(readOne({ payload: { ...LEAST.story, ...envelope } })).toEqual(beside);
    expect(readOne({ ...envelope, payload: { ...LEAST.story, ...envelope } })).toEqual(beside);
    expect(readOne({ ...envelope, payload: { ...LEAST.story, section: null } })).toEqual(beside);
  });

  test.each([
    ["type", "brief"],
    ["slug", "c"],
    ["section", "c"],
    ["change_summary", "d"],
    ["minor", false],
  ])("with two different values for %s is refused on that name", (name, other) => {
    const errors = errorsOf({ ...envelope, payload: { ...LEAST.story, [name]: other } });
    expect(errors[name]).toContain(`The ${name} beside payload and the one inside it differ; send it once.`);
  });

  test.each([
    [{}, ["type", "payload"]],
    [{ type: "story" }, ["payload"]],
    [{ type: "story", payload: [] }, ["payload"]],
    [{ type: "poem", payload: {} }, ["type"]],
    [{ type: ["story"], payload: {} }, ["type"]],
    [null, ["body"]],
    [[], ["body"]],
    ["story", ["body"]],
    [{ ...envelope, slug: "a".repeat(81), payload: LEAST.story }, ["slug"]],
    [{ ...envelope, slug: "a--b", payload: LEAST.story }, ["slug"]],
    [{ ...envelope, slug: 5, payload: LEAST.story }, ["slug"]],
    [{ ...envelope, section: "a".repeat(41), payload: LEAST.story }, ["section"]],
    [{ ...envelope, change_summary: "a".repeat(501), payload: LEAST.story }, ["change_summary"]],
  ])("%j is refused on %j", (body, names) => {
    expect(Object.keys(errorsOf(body))).toEqual(names);
  });

  test("takes 80 characters of slug and 500 of change_summary", () => {
    expect(
      errorsOf({ ...envelope, slug: "a".repeat(80), change_summary: "😀".repeat(500), payload: LEAST.story }),
    ).toEqual({});
  });

  test.each([
    ["article", "story"],
    ["status", "brief"],
  ])("names the new name of %s, and checks its payload as that", (former, now) => {
    const errors = errorsOf({ type: former, payload: {} });
    expect(errors.type?.[0]).toContain(`The type ${former} is now called ${now}.`);
    expect(errors["payload.body_markdown"]).toEqual(["The body_markdown is required."]);
  });
});

describe("updates", () => {
  const update = (
    body: unknown,
    current: { type: CreationType; slug: string } = { type: "story", slug: "a" },
  ) => parseUpdateRequest(body, current);

  test("need the payload alone and may repeat type and slug", () => {
    const first = update({ payload: LEAST.story });
    expect(first.ok && first.value).toMatchObject({ type: "story", section: null, minor: false });
    expect(first.ok && "slug" in first.value).toBe(false);
    expect(
      update({ type: "story", slug: "a", payload: { ...LEAST.story, type: "story", slug: "a" } }),
    ).toEqual(first);
  });

  test.each([
    [{ type: "brief" }, "type", "The type cannot change; this creation is a story."],
    [
      { type: "article" },
      "type",
      "The type cannot change; this creation is a story. The type article is now called story.",
    ],
    [{ slug: "b" }, "slug", "The slug cannot change; it is a. Leave it out."],
    [{ slug: 1 }, "slug", "The slug cannot change; it is a. Leave it out."],
  ])("refuse %j", (members, name, sentence) => {
    expect(update({ ...members, payload: LEAST.story })).toEqual({
      ok: false,
      errors: { [name]: [sentence] },
    });
  });

  test("check the payload as the creation's own type", () => {
    expect(update({ payload: LEAST.story }, { type: "brief", slug: "a" })).toMatchObject({
      ok: false,
      errors: { "payload.title": [expect.stringContaining("not known")] },
    });
  });

  test("take a payload whole, never in parts", () => {
    expect(update({ payload: { title: "A" } })).toMatchObject({
      ok: false,
      errors: { "payload.body_markdown": ["The body_markdown is required."] },
    });
  });
});
