import { changesSchema } from "./changes.ts";
import { createRequestSchema, envelopeSchema, updateRequestSchema } from "./envelope.ts";
import type { PayloadOptions } from "./options.ts";
import { payloadSchemas } from "./payloads.ts";
import { profilePatchSchema } from "./profile.ts";
import { publishingSchemas } from "./publishing.ts";
import { redemptionSchema } from "./redemption.ts";

/**
 * The schemas of every body under the given options: they read requests, and OpenAPI describes them. They are
 * built once per options, as building takes longer than checking a body.
 */
export function schemasFor(options: PayloadOptions): ReturnType<typeof buildSchemas> {
  const schemas = built.get(options) ?? buildSchemas(options);
  built.set(options, schemas);
  return schemas;
}

const built = new WeakMap<PayloadOptions, ReturnType<typeof buildSchemas>>();

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
