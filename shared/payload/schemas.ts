import { z } from "zod";
import { payloadSchemas } from "./creation-types.ts";
import { optionalSlug, savingMembers } from "./envelope.ts";
import type { PayloadLimits, PayloadOptions } from "./options.ts";
import { profilePatchSchema } from "./profile.ts";

/** The schemas for a set of figures, built once each: building takes longer than checking a body. */
export function schemasFor(options: PayloadOptions): ReturnType<typeof buildSchemas> {
  const cache = options.drawings ? withDrawings : withoutDrawings;
  const schemas = cache.get(options.limits) ?? buildSchemas(options);
  cache.set(options.limits, schemas);
  return schemas;
}

const withDrawings = new WeakMap<PayloadLimits, ReturnType<typeof buildSchemas>>();
const withoutDrawings = new WeakMap<PayloadLimits, ReturnType<typeof buildSchemas>>();

function buildSchemas(options: PayloadOptions) {
  return {
    payloads: payloadSchemas(options),
    envelope: z.strictObject({ slug: optionalSlug(options), ...savingMembers(options) }),
    profile: profilePatchSchema(options),
  };
}
