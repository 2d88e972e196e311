import { describeWork } from "./common-members.ts";
import { tell } from "./describe-member.ts";
import { figuresField } from "./figures.ts";
import { markdownField } from "./markdown-field.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { titleField } from "./text-fields.ts";

/** The payload of a story. */
export function storySchema(options: PayloadOptions) {
  const story = membersOf({
    title: titleField(options.limits.titleCharacters),
    body_markdown: markdownField(options.limits.bodyCharacters, options),
    ...describeWork(options),
    figures: figuresField(options.limits),
  });
  return tell(story, "The payload of a story: a title and a text, which may hold charts and flowcharts.", {
    title: "November surge",
    body_markdown: "The gauge rose **1.2 m** in a night.",
  });
}
