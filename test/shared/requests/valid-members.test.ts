import { expect, test } from "vitest";
import { PAYLOAD_LIMITS } from "../../../shared/requests/limits.ts";
import { readCreateRequest, readUpdateRequest } from "../../../shared/requests/parse-requests.ts";
import { ID, LEAST } from "./samples.ts";

const ANY = { nowMs: 0, days: 365_000 };
const soundOf = (body: unknown) => readCreateRequest(body, ANY).valid();

const reference = { creation_id: ID, relation: "uses" };

test("each member that is valid by itself is left of a refused body", () => {
  const body = {
    ...{
      type: "story",
      section: "news",
      minor: "yes",
      slug: "Wrong Slug",
      publish: { visibility: "unlisted" },
    },
    payload: { ...LEAST.story, title: "", summary: " Short. ", references: [reference], pages: 3 },
  };
  expect(soundOf(body)).toMatchObject({
    ...{
      type: "story",
      slug: null,
      section: "news",
      change_summary: null,
      minor: false,
      visibility: "unlisted",
    },
    ...{ places: {}, payload: { summary: "Short.", references: [{ creation_id: ID }] } },
  });
  expect(Object.keys(soundOf(body).payload)).not.toContain("title");
});

test("of a list the items that are valid by themselves are left, or name a work, with their places", () => {
  const references = [{ ...reference, relation: "likes" }, reference, 7, reference];
  const { payload, places, lost } = soundOf({ type: "story", payload: { ...LEAST.story, references } });
  const { relation: _, ...named } = { ...reference, note: null };
  const whole = { ...reference, note: null };
  expect([payload.references, places, [...lost].toSorted()]).toEqual([
    [named, whole, whole],
    { references: [0, 1, 3] },
    ["references", "references.0.relation"],
  ]);
});

test("a refused text stays, as its other blocks can be asked, and one that is too long takes its figures along", () => {
  const payload = { ...LEAST.story, body_markdown: "a\r\n<b>no</b>" };
  expect(soundOf({ type: "story", payload }).payload.body_markdown).toBe("a\n<b>no</b>");
  const long = { ...payload, body_markdown: "a".repeat(PAYLOAD_LIMITS.bodyCharacters + 1) };
  expect(soundOf({ type: "story", payload: long }).payload).not.toHaveProperty("body_markdown");
});

test("nothing is left of what is no body, and no payload of an unknown type", () => {
  for (const body of [null, [], "x", 7]) expect(soundOf(body)).toMatchObject({ type: null, payload: {} });
  expect(soundOf({ type: "novel", payload: LEAST.story })).toMatchObject({ type: null, payload: {} });
});

test("of changes the payload that they make is left, and of refused changes none", () => {
  const current = { type: "story", slug: "a", base: { payload: LEAST.story, section: "news" } } as const;
  const read = (changes: object) => readUpdateRequest({ changes, minor: "no" }, current, ANY);
  expect(read({ set: { title: "New" } }).valid()).toMatchObject({ payload: { title: "New" } });
  expect(read({ set: { titel: "New" } }).valid().payload).toEqual({});
  // What stands beside the changes hides nothing of what is in them.
  expect(Object.keys((read({ set: { title: "" } }).outcome as { errors: object }).errors)).toEqual([
    "minor",
    "payload.title",
  ]);
});
