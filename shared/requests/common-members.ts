import { tell } from "./describe-member.ts";
import { DESIGN_EXAMPLE, designField } from "./design.ts";
import { optionalLicenseField } from "./license.ts";
import type { PayloadOptions } from "./options.ts";
import { referencesField } from "./references.ts";
import { sourcesField } from "./sources.ts";
import { proseField } from "./text-fields.ts";

/** The optional members that every type but the brief ends with, in the order in which they are emitted. */
export function describeWork(options: PayloadOptions) {
  const { limits } = options;
  return {
    summary: tell(
      proseField(limits.summaryCharacters).nullable().default(null),
      "What it is about, in plain text: lists, feeds and search show it under the title. Left out: none.",
      "What 42 gauges saw.",
    ),
    sources: sourcesField(options),
    references: referencesField(limits),
    design: tell(
      designField().default(null),
      "The colours and pattern of the cover. Left out or null: drawn from the design of your front page.",
      DESIGN_EXAMPLE,
    ),
    license: optionalLicenseField(),
  };
}
