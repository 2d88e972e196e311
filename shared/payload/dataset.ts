import { z } from "zod";
import { attachmentsField } from "./attachments.ts";
import { describeWork } from "./common-members.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { lineField } from "./text-fields.ts";

/** The payload of a dataset: CSV and JSON files with their display settings. */
export function datasetSchema(options: PayloadOptions) {
  const { limits } = options;
  return membersOf({
    title: lineField(limits.titleCharacters),
    attachments: attachmentsField(limits),
    show_preview: z.boolean().default(true),
    ...describeWork(options),
  });
}
