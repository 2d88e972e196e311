import { z } from "zod";
import { atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { lineField, proseField } from "./text-fields.ts";
import { urlField } from "./urls.ts";

/** The `sources` of a creation (spec.md shared rule 2). */
export function sourcesField({ limits, ownSite }: PayloadOptions) {
  const source = membersOf({
    title: lineField(limits.sourceTitleCharacters),
    url: urlField(limits.urlCharacters, ownSite),
    note: proseField(limits.sourceNoteCharacters).nullable().default(null),
  });
  return z.array(source).check(atMost(limits.sources)).default([]);
}
