import { expect, test } from "vitest";
import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { schemasFor } from "../../../shared/requests/schemas.ts";

const schemas = schemasFor();

test("the schemas turn into JSON Schema with their bounds", () => {
  const create = z.toJSONSchema(schemas.create, { io: "input" });
  expect(create.oneOf).toHaveLength(CREATION_TYPES.length);
  expect(create.oneOf?.[0]).toMatchObject({
    additionalProperties: false,
    required: ["type", "payload"],
    properties: {
      type: { const: "story" },
      payload: {
        additionalProperties: false,
        required: ["title", "body_markdown"],
        properties: { title: { maxLength: 160 }, sources: { maxItems: 50 } },
      },
    },
  });
  // A complete payload of each type, or changes to the latest revision.
  const { anyOf: forms = [] } = z.toJSONSchema(schemas.update, { io: "input" });
  expect(forms.map((form) => typeof form === "object" && form.required)).toEqual([
    ...CREATION_TYPES.map(() => ["payload"]),
    ["changes"],
  ]);
  const profile = z.toJSONSchema(schemas.profile, { io: "input" });
  expect(profile.required ?? []).toEqual([]);
  expect(Object.keys(profile.properties ?? {})).toHaveLength(13);
});
