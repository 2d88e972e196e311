import { describeWork } from "./common-members.ts";
import { markdownField } from "./markdown-field.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { lineField } from "./text-fields.ts";

/** The payload of a story. */
export function storySchema(options: PayloadOptions) {
  return membersOf({
    title: lineField(options.limits.titleCharacters),
    body_markdown: markdownField(options.limits.bodyCharacters, options),
    ...describeWork(options),
  });
}
