import { z } from "zod";
import { describeMember } from "./describe-member.ts";
import { atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { lineField, proseField } from "./text-fields.ts";
import { PUBLIC_ADDRESS, urlField } from "./urls.ts";

/** The `sources` of a creation (spec.md shared rule 2). */
export function sourcesField({ limits, ownSite }: PayloadOptions) {
  const source = membersOf({
    title: describeMember(
      lineField(limits.sourceTitleCharacters),
      "What the source is called, on one line.",
      "Gauge network",
    ),
    url: describeMember(
      urlField(limits.urlCharacters, ownSite),
      `Where the source is. ${PUBLIC_ADDRESS}`,
      "https://gauges.example.net/",
    ),
    note: describeMember(
      proseField(limits.sourceNoteCharacters).nullable().default(null),
      "What was taken from it, or when. Left out: none.",
      "Hourly readings of 20 November.",
    ),
  });
  return describeMember(
    z.array(source).check(atMost(limits.sources)).default([]),
    "What the work rests on outside this site; the page lists it. Works on this site go under references. Left out: none.",
    [{ title: "Gauge network", url: "https://gauges.example.net/" }],
  );
}
