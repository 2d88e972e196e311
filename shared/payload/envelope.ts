import { z } from "zod";
import { CREATION_TYPES, payloadSchemas } from "./creation-types.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { sectionSlugField, slugField } from "./slugs.ts";
import { proseField } from "./text-fields.ts";

/** The members beside `payload` that say how a revision is saved; blank and null mean left out. */
export function savingMembers({ limits }: PayloadOptions) {
  return {
    section: sectionSlugField(limits.sectionSlugCharacters).nullable().default(null),
    change_summary: proseField(limits.changeSummaryCharacters).nullable().default(null),
    minor: z.boolean().default(false),
  };
}

/** The slug of a create request. */
export function optionalSlug({ limits }: PayloadOptions) {
  return slugField(limits.slugCharacters).nullable().default(null);
}

/** The body of POST /creations for documentation: one object a type. parseCreateRequest is what reads it. */
export function createRequestSchema(options: PayloadOptions) {
  const schemas = payloadSchemas(options);
  const [first, ...others] = CREATION_TYPES.map((type) =>
    membersOf({
      type: z.literal(type),
      slug: optionalSlug(options),
      ...savingMembers(options),
      payload: schemas[type],
    }),
  );
  if (first === undefined) throw new Error("There is no creation type.");
  return z.discriminatedUnion("type", [first, ...others]);
}

/** The body of PATCH /creations/{creation} for documentation; `type` and `slug` may only repeat what is. */
export function updateRequestSchema(options: PayloadOptions) {
  return membersOf({
    type: z.enum(CREATION_TYPES).optional(),
    slug: optionalSlug(options),
    ...savingMembers(options),
    payload: z.union(Object.values(payloadSchemas(options))),
  });
}
