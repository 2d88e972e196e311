import { z } from "zod";
import { describeMember } from "./describe-member.ts";
import { dictionaryField } from "./dictionary.ts";
import { idField } from "./ids.ts";
import { atLeast, atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadLimits } from "./options.ts";
import { lineField, proseField } from "./text-fields.ts";

/** The `attachments` of a file (spec.md shared rule 3); checkAttachments checks the assets themselves. */
export function attachmentsField(limits: PayloadLimits) {
  return listAttachments(limits, membersOf(fileMembers(limits)));
}

/** The `attachments` of a dataset, each with what its columns mean. */
export function tableAttachmentsField(limits: PayloadLimits) {
  const attachment = membersOf({ ...fileMembers(limits), dictionary: dictionaryField() });
  return listAttachments(limits, attachment.overwrite(withoutNull));
}

// Emitted only where it was sent, so that checksums stay.
function withoutNull<T extends { dictionary?: unknown }>(attachment: T): T {
  const { dictionary, ...rest } = attachment;
  return dictionary == null ? (rest as T) : attachment;
}

function fileMembers(limits: PayloadLimits) {
  return {
    asset_id: describeMember(
      idField(),
      "The id of an upload of yours whose readiness is `ready`.",
      "01M7WVM8W0T8NYB19BE1ATAT9N",
    ),
    label: describeMember(
      lineField(limits.attachmentLabelCharacters),
      "What the file is called on the page, on one line.",
      "Hourly readings",
    ),
    notes: describeMember(
      proseField(limits.attachmentNotesCharacters).nullable().default(null),
      "What a reader of the file has to know: units, time zone, gaps. Left out: none.",
      "Metres above the gauge datum, in UTC.",
    ),
  };
}

function listAttachments<Attachment extends z.ZodType>(limits: PayloadLimits, attachment: Attachment) {
  return describeMember(
    z.array(attachment).check(atLeast(1)).check(atMost(limits.attachments)),
    "The files, in the order in which the page lists them: upload each first, and wait until it is ready. A dataset takes CSV and JSON, a file TXT and Markdown.",
    [{ asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N", label: "Hourly readings" }],
  );
}
