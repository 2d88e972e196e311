import { z } from "zod";
import type { changesSchema } from "./changes.ts";
import { CREATION_TYPES, type payloadSchemas } from "./creation-types.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { releaseFields } from "./publishing.ts";
import { sectionSlugField, slugField } from "./slugs.ts";
import { proseField } from "./text-fields.ts";

/** The members beside `type` and `payload` that say how a revision is saved; blank and null mean left out. */
export function envelopeSchema({ limits }: PayloadOptions) {
  return z.strictObject({
    slug: slugField(limits.slugCharacters).nullable().default(null),
    section: sectionSlugField(limits.sectionSlugCharacters).nullable().default(null),
    change_summary: proseField(limits.changeSummaryCharacters).nullable().default(null),
    minor: z.boolean().default(false),
    ...releaseFields(),
  });
}

type Payloads = ReturnType<typeof payloadSchemas>;
type Changes = ReturnType<typeof changesSchema>;
type Envelope = ReturnType<typeof envelopeSchema>;

/**
 * The body of POST /creations: one object a type. parseCreateRequest reads its parts, wherever they stand.
 */
export function createRequestSchema(envelope: Envelope, payloads: Payloads) {
  const [first, ...others] = CREATION_TYPES.map((type) =>
    membersOf({ type: z.literal(type), ...envelope.shape, payload: payloads[type] }),
  );
  if (first === undefined) throw new Error("There is no creation type.");
  return z.discriminatedUnion("type", [first, ...others]);
}

/**
 * The body of PATCH /creations/{creation}; `type` and `slug` may only repeat the current values.
 * parseUpdateRequest reads its parts.
 */
export function updateRequestSchema(envelope: Envelope, payloads: Payloads, changes: Changes) {
  return membersOf({
    type: z.enum(CREATION_TYPES).optional(),
    ...envelope.shape,
    payload: z.union(Object.values(payloads)).optional().describe("Whole; or send changes."),
    changes: changes.nullish().describe("Changes to the latest revision, in place of payload."),
  });
}
