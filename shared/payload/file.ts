import { attachmentsField } from "./attachments.ts";
import { describeWork } from "./common-members.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { lineField } from "./text-fields.ts";

/** The payload of a file creation: TXT and Markdown files, served as downloads. */
export function fileSchema(options: PayloadOptions) {
  const { limits } = options;
  return membersOf({
    title: lineField(limits.titleCharacters),
    attachments: attachmentsField(limits),
    ...describeWork(options),
  });
}
