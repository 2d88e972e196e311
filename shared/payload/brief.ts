import { markdownField } from "./markdown-field.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { sourcesField } from "./sources.ts";

/**
 * The payload of a brief: a short text and its sources, nothing else (spec.md "Revision payload by type").
 */
export function briefSchema(options: PayloadOptions) {
  return membersOf({
    body_markdown: markdownField(options.limits.briefCharacters, options),
    sources: sourcesField(options.limits),
  });
}
