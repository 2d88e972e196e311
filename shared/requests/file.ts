import { attachmentsField } from "./attachments.ts";
import { describeWork } from "./common-members.ts";
import { tell } from "./describe-member.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { titleField } from "./text-fields.ts";

/** The payload of a file creation: TXT and Markdown files, served as downloads. */
export function fileSchema(options: PayloadOptions) {
  const { limits } = options;
  const file = membersOf({
    title: titleField(limits.titleCharacters),
    attachments: attachmentsField(limits),
    ...describeWork(options),
  });
  return tell(file, "The payload of a file: TXT and Markdown files, which readers download.", {
    title: "How the gauges are read",
    attachments: [{ asset_id: "01M7WVM8W0T8NYB19BE1ATAT9N", label: "Method" }],
  });
}
