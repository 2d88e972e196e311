import { z } from "zod";
import { findMultiLineFault } from "../core/text.ts";
import { figureOf } from "../limits.ts";
import { revisionIdField, revisionKeyField } from "./ids.ts";
import { atMost } from "./lengths.ts";
import { membersOf, requestOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { foldLineEnds, reportFault } from "./text-fields.ts";

/**
 * The visibilities of a published creation: everybody can find it, or anybody with its address can open it.
 */
export const PUBLIC_VISIBILITIES = ["public", "unlisted"] as const;
export type PublicVisibility = (typeof PUBLIC_VISIBILITIES)[number];

const UNKNOWN_VISIBILITY = "must be public or unlisted";

/** The bodies that publish, schedule, show, hide and restore. */
export function publishingSchemas(options: PayloadOptions) {
  const revision_id = revisionIdField()
    .nullish()
    .describe("That of the latest revision; left out: the same.");
  const visibility = optionalVisibility(AS_IT_IS);
  return {
    nothing: requestOf({}),
    profilePublish: requestOf({
      revision_id: revisionIdField("is required: that of the profile's draft").describe(
        "That of the profile's draft.",
      ),
    }),
    publish: requestOf({ revision_id, visibility }),
    schedule: requestOf({ revision_id, visibility, publish_at: publishAtField() }, [
      "revision_id",
      "publish_at",
      "visibility",
    ]),
    visibility: requestOf({ visibility: requiredVisibility() }),
    restore: requestOf({
      revision_id: revisionKeyField().describe("The id or the number of a revision that was public before."),
      visibility: optionalVisibility("Left out: public."),
      change_summary: restoreSummary(options.limits.changeSummaryCharacters),
    }),
  };
}

const AS_IT_IS = "Left out: as it is, or public.";

/** The members beside `payload` that publish or schedule what is saved. */
export function releaseFields() {
  const visibility = optionalVisibility(AS_IT_IS);
  return {
    publish: membersOf({ visibility })
      .nullable()
      .default(null)
      .describe("Publishes what is saved, in one step; needs creations:publish."),
    schedule: membersOf({ publish_at: publishAtField(), visibility })
      .nullable()
      .default(null)
      .describe("Schedules what is saved, in one step; needs creations:publish. Not beside publish."),
  };
}

function optionalVisibility(leftOut: string) {
  return z.enum(PUBLIC_VISIBILITIES, { error: UNKNOWN_VISIBILITY }).nullish().describe(leftOut);
}

function requiredVisibility() {
  const missing = "is required: public or unlisted";
  return z.enum(PUBLIC_VISIBILITIES, {
    error: ({ input }) => (input == null ? missing : UNKNOWN_VISIBILITY),
  });
}

/**
 * RFC 3339 with capital letters and a zone, without a leap second; parseScheduleRequest checks the window.
 */
function publishAtField() {
  const example = "such as 2027-01-31T18:00:00Z";
  const wrong = `must be a time with a zone, ${example}`;
  return z.iso
    .datetime({
      offset: true,
      error: ({ input }) => (input == null ? `is required, ${example}` : wrong),
    })
    .refine((time) => !/\.\d{10}/.test(time), { error: wrong })
    .describe(`In the future, at most ${figureOf("scheduleDays")} days ahead, with a zone.`);
}

function restoreSummary(maxCharacters: number) {
  return z
    .string({ error: "must be a text" })
    .overwrite((text) => foldLineEnds(text).trim())
    .superRefine((text, context) => reportFault(findMultiLineFault(text), context))
    .check(atMost(maxCharacters, `is longer than ${maxCharacters} characters`))
    .nullish()
    .describe("Left out: Restored revision N.");
}
