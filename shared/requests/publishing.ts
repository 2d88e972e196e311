import { z } from "zod";
import { figureOf } from "../ground/limits.ts";
import { findMultiLineFault } from "../ground/text.ts";
import { revisionIdField, revisionKeyField } from "./ids.ts";
import { PAYLOAD_LIMITS } from "./limits.ts";
import { atMost, describeMember, membersOf, requestOf } from "./members.ts";
import { EmptyRequest } from "./small-requests.ts";
import { foldLineEnds, reportFault } from "./text-fields.ts";

/**
 * The visibilities of a published creation: everybody can find it, or anybody with its address can open it.
 */
export const PUBLIC_VISIBILITIES = ["public", "unlisted"] as const;
export type PublicVisibility = (typeof PUBLIC_VISIBILITIES)[number];

const UNKNOWN_VISIBILITY = "must be public or unlisted";

/** The bodies that publish, schedule, show, hide and restore. */
export function publishingSchemas() {
  const revision_id = describeMember(
    revisionIdField().nullish(),
    "The id of the latest revision, as the last answer gave it. Left out: the latest one.",
    REVISION,
  );
  const visibility = optionalVisibility(AS_IT_IS);
  return {
    nothing: EmptyRequest,
    profilePublish: requestOf({ revision_id }),
    publish: requestOf({ revision_id, visibility }),
    schedule: requestOf({ revision_id, visibility, publish_at: publishAtField() }, [
      "revision_id",
      "publish_at",
      "visibility",
    ]),
    visibility: requestOf({ visibility: requiredVisibility() }),
    restore: requestOf({
      revision_id: describeMember(
        revisionKeyField(),
        "The id or the number of a revision that was public before.",
        REVISION,
      ),
      visibility: optionalVisibility("Left out: public."),
      change_summary: restoreSummary(),
      correction: describeMember(
        z.boolean().nullish(),
        "Whether going back corrects an error: readers are told above the text. Needs a change_summary. Left out: false.",
        false,
      ),
    }),
  };
}

const REVISION = "01M7WVF0X0EWYK85KQZG63XAZG";
const AS_IT_IS = "Left out: as it is, or public.";

/** The members beside `payload` that publish or schedule what is saved. */
export function releaseFields() {
  const visibility = optionalVisibility(AS_IT_IS);
  return {
    publish: describeMember(
      membersOf({ visibility }).nullable().default(null),
      "Publishes what is saved, in one step; needs creations:publish. Left out: it stays a draft.",
      { visibility: "public" },
    ),
    schedule: describeMember(
      membersOf({ publish_at: publishAtField(), visibility }).nullable().default(null),
      "Schedules what is saved, in one step; needs creations:publish. Not beside publish. Left out: it stays a draft.",
      { publish_at: "2027-01-31T18:00:00Z" },
    ),
  };
}

function optionalVisibility(leftOut: string) {
  const field = z.enum(PUBLIC_VISIBILITIES, { error: UNKNOWN_VISIBILITY }).nullish();
  return describeMember(field, `${VISIBILITY} ${leftOut}`, "unlisted");
}

const VISIBILITY = "public: everybody can find it; unlisted: whoever has its address can open it.";

function requiredVisibility() {
  const missing = "is required: public or unlisted";
  const field = z.enum(PUBLIC_VISIBILITIES, {
    error: ({ input }) =>
      input == null ? missing : `${UNKNOWN_VISIBILITY}; to make it private, unpublish it`,
  });
  return describeMember(field, VISIBILITY, "unlisted");
}

/** The most digits behind the seconds: more than any clock tells, and few enough for a line. */
const FRACTION_DIGITS = 30;

const LONG_FRACTION = new RegExp(`\\.\\d{${FRACTION_DIGITS + 1}}`);

/** What the document says of a moment. */
const MOMENT = {
  pattern: z.regexes.datetime({ offset: true }).source.replace("\\.\\d+", `\\.\\d{1,${FRACTION_DIGITS}}`),
};

/**
 * RFC 3339 with capital letters and a zone, without a leap second; parseScheduleRequest checks the window.
 */
function publishAtField() {
  const example = "such as 2027-01-31T18:00:00Z";
  const wrong = `must be a time with a zone, ${example}`;
  const field = z.iso
    .datetime({
      offset: true,
      error: ({ input }) => (input == null ? `is required, ${example}` : wrong),
    })
    .refine((time) => !LONG_FRACTION.test(time), { error: wrong })
    .meta(MOMENT);
  return describeMember(
    field,
    `When it is published: in the future, at most ${figureOf("scheduleDays")} days ahead, with a zone.`,
    "2027-01-31T18:00:00Z",
  );
}

function restoreSummary() {
  const maxCharacters = PAYLOAD_LIMITS.changeSummaryCharacters;
  const field = z
    .string()
    .overwrite((text) => foldLineEnds(text).trim())
    .superRefine((text, context) => reportFault(findMultiLineFault(text), context))
    .check(atMost(maxCharacters))
    .nullish();
  return describeMember(
    field,
    "What the restored revision is, in plain text. Left out: Restored revision N.",
    "Back to the first figures.",
  );
}
