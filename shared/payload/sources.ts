import { z } from "zod";
import { atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadLimits } from "./options.ts";
import { lineField, proseField } from "./text-fields.ts";
import { urlField } from "./urls.ts";

/** The `sources` of a creation (spec.md shared rule 2). */
export function sourcesField(limits: PayloadLimits) {
  const source = membersOf({
    title: lineField(limits.sourceTitleCharacters),
    url: urlField(limits.urlCharacters),
    note: proseField(limits.sourceNoteCharacters).nullable().default(null),
  });
  return z.array(source).check(atMost(limits.sources)).default([]);
}
