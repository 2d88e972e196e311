import { changesSchema } from "./changes.ts";
import { payloadSchemas } from "./creation-types.ts";
import { createRequestSchema, envelopeSchema, updateRequestSchema } from "./envelope.ts";
import type { PayloadLimits, PayloadOptions } from "./options.ts";
import { profilePatchSchema } from "./profile.ts";
import { publishingSchemas } from "./publishing.ts";
import { redemptionSchema } from "./redemption.ts";

/**
 * The schemas of every body under the given limits: they read requests, and OpenAPI describes them. They are
 * built once per set of limits, as building takes longer than checking a body.
 */
export function schemasFor(options: PayloadOptions): ReturnType<typeof buildSchemas> {
  const schemas = built.get(options.limits) ?? buildSchemas(options);
  built.set(options.limits, schemas);
  return schemas;
}

const built = new WeakMap<PayloadLimits, ReturnType<typeof buildSchemas>>();

function buildSchemas(options: PayloadOptions) {
  const payloads = payloadSchemas(options);
  const envelope = envelopeSchema(options);
  const changes = changesSchema(options);
  return {
    payloads,
    envelope,
    changes,
    create: createRequestSchema(envelope, payloads),
    update: updateRequestSchema(envelope, payloads, changes),
    profile: profilePatchSchema(options),
    redemption: redemptionSchema(options),
    ...publishingSchemas(options),
  };
}
