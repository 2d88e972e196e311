import { describe, expect, test } from "vitest";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { payloadSchemas } from "../../../shared/requests/payloads.ts";

/** The optional members of the first version: a payload that was sent without them is stored, and checksummed, with their default. */
const EMITTED_ALWAYS = [
  "show_preview",
  "destination_label",
  "repository_url",
  "summary",
  "sources",
  "references",
  "design",
];

describe.each(CREATION_TYPES)("the payload of a %s", (type) => {
  const { shape } = payloadSchemas(null)[type];

  test("emits a member that came later only where it was sent, so that the checksums of older works stay", () => {
    const emitted = Object.entries(shape).flatMap(([name, schema]) => {
      const { success, data } = schema.safeParse(undefined);
      return success && data !== undefined ? [name] : [];
    });
    expect(emitted.filter((name) => !EMITTED_ALWAYS.includes(name))).toEqual([]);
  });

  test("says of each member what it is, with an example", () => {
    for (const schema of Object.values(shape)) {
      expect(schema.meta()?.description).toMatch(/[.!]$/);
      expect(schema.meta()?.examples).toHaveLength(1);
    }
  });
});
