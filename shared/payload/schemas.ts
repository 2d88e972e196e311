import { z } from "zod";
import { payloadSchemas } from "./creation-types.ts";
import { optionalSlug, savingMembers } from "./envelope.ts";
import type { PayloadLimits, PayloadOptions } from "./options.ts";
import { profilePatchSchema } from "./profile.ts";

/** The schemas for a set of figures, built once each: building takes longer than checking a body. */
export function schemasFor(options: PayloadOptions): ReturnType<typeof buildSchemas> {
  const schemas = built.get(options.limits) ?? buildSchemas(options);
  built.set(options.limits, schemas);
  return schemas;
}

const built = new WeakMap<PayloadLimits, ReturnType<typeof buildSchemas>>();

function buildSchemas(options: PayloadOptions) {
  return {
    payloads: payloadSchemas(options),
    envelope: z.strictObject({ slug: optionalSlug(options), ...savingMembers(options) }),
    profile: profilePatchSchema(options),
  };
}
