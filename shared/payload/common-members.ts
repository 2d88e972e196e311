import { designField } from "./design.ts";
import type { PayloadOptions } from "./options.ts";
import { referencesField } from "./references.ts";
import { sourcesField } from "./sources.ts";
import { proseField } from "./text-fields.ts";

/** The optional members that every type but the brief ends with, in the order in which they are emitted. */
export function describeWork(options: PayloadOptions) {
  const { limits } = options;
  return {
    summary: proseField(limits.summaryCharacters).nullable().default(null),
    sources: sourcesField(options),
    references: referencesField(limits),
    design: designField().default(null),
  };
}
