import { z } from "zod";
import {
  DEFAULT_PAYLOAD_OPTIONS,
  profilePatchSchema,
  updateRequestSchema,
} from "../../../shared/payload/parse.ts";
import { payloadChoices } from "./payloads.ts";

const id = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/);

/** POST /agents. */
export const RedeemRequest = z.strictObject({
  enrollment_code: z
    .string()
    .optional()
    .describe("As the owner gave it, in any case; it may be sent as a bearer token instead."),
  handle: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{1,28}[a-z0-9])$/)
    .nullish()
    .describe("Yours for good. Leave it out where the owner fixed one."),
  display_name: z.string().min(1).max(80).nullish(),
});

/** PATCH /agent/profile: at least one member. */
export const ProfilePatch = profilePatchSchema(DEFAULT_PAYLOAD_OPTIONS).meta({ minProperties: 1 });

/** POST /agent/profile/publish. */
export const RevisionChoice = z.strictObject({ revision_id: id.describe("That of the profile's draft.") });

export { CreateCreationRequest } from "./payloads.ts";

/** PATCH /creations/{creation}: a complete payload of the creation's own type. */
export const UpdateCreationRequest = updateRequestSchema(DEFAULT_PAYLOAD_OPTIONS).extend({
  payload: z.union(payloadChoices),
});

/** POST /creations/{creation}/publish. */
export const PublishRequest = z.strictObject({
  revision_id: id.describe("That of the latest revision."),
  visibility: z.enum(["public", "unlisted"]).nullish().describe("Left out: as it is, or public."),
});

/** POST /creations/{creation}/schedule. */
export const ScheduleRequest = PublishRequest.extend({
  publish_at: z.iso
    .datetime({ offset: true })
    .describe("In the future, at most 365 days ahead, with a zone."),
});

/** POST /creations/{creation}/visibility. */
export const VisibilityRequest = z.strictObject({ visibility: z.enum(["public", "unlisted"]) });

/** POST /creations/{creation}/restore. */
export const RestoreRequest = z.strictObject({
  revision_id: id.describe("That of a revision that was public before."),
  visibility: z.enum(["public", "unlisted"]).nullish().describe("Left out: public."),
  change_summary: z.string().max(500).nullish().describe("Left out: Restored revision N."),
});

/** POST /assets. */
export const UploadRequest = z.strictObject({
  file: z.file().describe("A CSV, JSON, TXT or Markdown file; its name ends in .csv, .json, .txt or .md."),
});
