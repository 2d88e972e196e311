import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { buildOpenApi } from "../../../api/openapi/document.ts";
import { cutDocument } from "../../../api/openapi/document-part.ts";
import { Refusal } from "../../../shared/ground/errors.ts";
import { CONFIG } from "./body-readers.ts";
import { listRoutes } from "./open-document.ts";
import { type Document, listOperations, listRefs, resolve } from "./served-document.ts";

const built = buildOpenApi(await listRoutes(), CONFIG);
const document: Document = JSON.parse(JSON.stringify(built));
const cut = (query: object): Document => JSON.parse(JSON.stringify(cutDocument(built, { ...query })));
const keysOf = (part: Document) => listOperations(part).map(({ key }) => key);

test.each([
  ...document.tags.map(({ name }) => ({ tag: name })),
  ...[{ operation: "getAgent" }, { operation: "postCreations" }],
])("the part of %o is valid by itself, has all that it refers to and nothing else", async (query) => {
  const part = cut(query);
  expect((await new Validator().validate(JSON.parse(JSON.stringify(part)))).errors).toBeUndefined();
  const refs = new Set(listRefs(part));
  const kept = ["schemas", "parameters", "headers", "responses", "examples"].flatMap((kind) =>
    Object.keys(part.components[kind] ?? {}).map((name) => `#/components/${kind}/${name}`),
  );
  expect(kept.filter((ref) => !refs.has(ref))).toEqual([]);
  expect([...refs].filter((ref) => resolve(part, ref) === undefined)).toEqual([]);
});

test("the parts of all tags are the whole, and an operation is one request", () => {
  const parts = document.tags.flatMap(({ name }) => keysOf(cut({ tag: name })));
  expect(parts.toSorted()).toEqual(keysOf(document).toSorted());
  expect(keysOf(cut({ operation: "getEvents" }))).toEqual(["GET /api/v1/events"]);
  expect(JSON.stringify(cut({ operation: "getEvents" })).length).toBeLessThan(20_000);
  // What the payloads of all types have in common stands in it once.
  expect(JSON.stringify(cut({ operation: "postCreations" })).length).toBeLessThan(110_000);
  expect(cutDocument(built, {})).toBeNull();
});

test("what the document does not have is refused, with the nearest", () => {
  const refusal = (() => {
    try {
      return cutDocument(built, { operation: "postCreation", tag: "Profiles", opration: "x" });
    } catch (error) {
      return error instanceof Refusal ? error.errors : null;
    }
  })();
  expect(refusal).toEqual({
    operation: [expect.stringMatching(/^There is no operation postCreation\. Did you mean postCreations\? /)],
    tag: [expect.stringMatching(/^There is no tag Profiles\. Did you mean Profile\? /)],
    opration: [expect.stringContaining("Did you mean operation?")],
  });
});
