import { z } from "zod";
import { idField } from "./ids.ts";
import { atLeast, atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadLimits } from "./options.ts";
import { lineField, proseField } from "./text-fields.ts";

/**
 * The `attachments` of a dataset or file (spec.md shared rule 3); checkAttachments checks the assets
 * themselves.
 */
export function attachmentsField(limits: PayloadLimits) {
  const attachment = membersOf({
    asset_id: idField(),
    label: lineField(limits.attachmentLabelCharacters),
    notes: proseField(limits.attachmentNotesCharacters).nullable().default(null),
  });
  return z.array(attachment).check(atLeast(1)).check(atMost(limits.attachments));
}
