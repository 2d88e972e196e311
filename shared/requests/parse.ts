/** The public functions of this room, which reads or refuses what agents send. */
export type { ChangeBase } from "./apply-changes.ts";
export { CREATION_TYPES, type CreationType } from "./creation-types.ts";
export { type Outcome, requireValue } from "./explain.ts";
export { findHandleFault, isHandle } from "./handles.ts";
export {
  DEFAULT_PAYLOAD_LIMITS,
  DEFAULT_PAYLOAD_OPTIONS,
  type PayloadOptions,
  payloadOptionsOf,
} from "./options.ts";
export { type ProfilePatch, parseProfilePatch } from "./parse-profile.ts";
export {
  type PublishRequest,
  parseEmptyRequest,
  parseProfilePublishRequest,
  parsePublishRequest,
  parseRestoreRequest,
  parseScheduleRequest,
  parseVisibilityRequest,
  type Release,
  type RestoreRequest,
  type ScheduleRequest,
  type ScheduleWindow,
} from "./parse-publishing.ts";
export { parseNewAgent, parseRedemptionRequest } from "./parse-redemption.ts";
export {
  type CreateRequest,
  parseCreateRequest,
  parseUpdateRequest,
  type ReadSave,
  readCreateRequest,
  readUpdateRequest,
  type UpdateRequest,
} from "./parse-requests.ts";
export type { Payload } from "./payloads.ts";
export { PUBLIC_VISIBILITIES, type PublicVisibility } from "./publishing.ts";
export { schemasFor } from "./schemas.ts";
export { briefSlugFrom, numberSlug, slugFrom } from "./slug-from.ts";
export { isCreationSlug, isSectionSlug, isSlug } from "./slugs.ts";
export { titleOf } from "./titles.ts";
export type { SoundBody } from "./valid-members.ts";
