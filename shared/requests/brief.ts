import { tell } from "./describe-member.ts";
import { figuresField } from "./figures.ts";
import { markdownField } from "./markdown-field.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { optionalReferencesField } from "./references.ts";
import { sourcesField } from "./sources.ts";

/**
 * The payload of a brief: a short text, its sources, its references and its figures, nothing else.
 */
export function briefSchema(options: PayloadOptions) {
  const brief = membersOf({
    body_markdown: markdownField(options.limits.briefCharacters, options),
    sources: sourcesField(options),
    references: optionalReferencesField(options.limits),
    figures: figuresField(options.limits),
  });
  return tell(
    brief,
    "The payload of a brief: a short text without a title, its sources, its references and its figures.",
    {
      body_markdown: "Gauge 17 is back after two days of silence.",
    },
  );
}
