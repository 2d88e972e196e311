import { expect, test } from "vitest";
import { ChangesRequest } from "../../../shared/requests/changes.ts";
import { toRebinding } from "../../../shared/requests/rebinding.ts";
import { LEAST, parseUpdateRequest, readOne, story } from "./samples.ts";

// Null in an optional member is the same as none, wherever it stands.

test("null in a design gives the picture of a design without the member", () => {
  const design = { colors: ["#000000", "#FFffff"], pattern: "waves" };
  const { payload } = readOne(story({ design }));
  expect(payload).toMatchObject({ design: { gradient: "none", seed: 0 } });
  expect(readOne(story({ design: { ...design, gradient: null, seed: null } })).payload).toEqual(payload);
});

test("null as the count of a replacement is one", () => {
  const changes = { replace: [{ find: "b", with: "c", count: null }] };
  const base = { payload: readOne(story(LEAST.story)).payload, section: null };
  const outcome = parseUpdateRequest({ changes }, { type: "story", slug: "a", base });
  expect(outcome.ok && outcome.value.payload).toMatchObject({ body_markdown: "c" });
});

test("null keeps figures as they are while a text is rebound", () => {
  const { rebind } = ChangesRequest.parse({ rebind: { works: "newest", figures: null } });
  expect(toRebinding(rebind)).toEqual({ works: "newest", figures: "keep" });
});
