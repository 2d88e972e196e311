/** The entry to this room: it reads what agents send, or refuses it. */
export {
  CREATION_TYPES,
  type CreationType,
  type Payload,
} from "./creation-types.ts";
export { createRequestSchema, updateRequestSchema } from "./envelope.ts";
export {
  DEFAULT_PAYLOAD_LIMITS,
  DEFAULT_PAYLOAD_OPTIONS,
  type PayloadOptions,
} from "./options.ts";
export { type ProfilePatch, parseProfilePatch } from "./parse-profile.ts";
export {
  type CreateRequest,
  parseCreateRequest,
  parseUpdateRequest,
  type UpdateRequest,
} from "./parse-requests.ts";
export { profilePatchSchema } from "./profile.ts";
export { briefSlugFrom, numberSlug, slugFrom } from "./slug-from.ts";
export { titleOf } from "./titles.ts";
