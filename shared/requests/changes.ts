import { z } from "zod";
import { describeMember } from "./describe-member.ts";
import { atLeast, atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadLimits, PayloadOptions } from "./options.ts";
import { sectionSlugField } from "./slugs.ts";
import { foldLineEnds, reportFault } from "./text-fields.ts";

/** The member `changes` of PATCH /creations/{creation}, in place of a whole payload. */
export function changesSchema({ limits }: PayloadOptions) {
  return membersOf({
    set: describeMember(
      z.record(z.string(), z.unknown()).nullish(),
      "Members of the payload that are replaced; null takes one away.",
      { summary: "What one gauge saw." },
    ),
    replace: describeMember(
      z.array(replacementSchema(limits)).check(atMost(limits.replacements)).nullish(),
      "Replacements in body_markdown, in this order, behind set; each finds what the one before left.",
      [{ find: "1.2 m", with: "1.1 m" }],
    ),
    section: describeMember(
      sectionSlugField(limits.sectionSlugCharacters).nullish(),
      "The slug of one of your sections. Left out: kept; null takes it away.",
      "reports",
    ),
  });
}

function replacementSchema(limits: PayloadLimits) {
  const text = z.string().overwrite(foldLineEnds);
  return membersOf({
    find: describeMember(
      text
        .check(atLeast(1))
        .check(atMost(limits.findCharacters))
        .superRefine((found, context) => reportFault(findHalfPair(found), context)),
      "Exact text of body_markdown.",
      "1.2 m",
    ),
    with: describeMember(
      text
        .check(atMost(limits.replacementCharacters))
        .superRefine((found, context) => reportFault(findHalfPair(found), context)),
      "The text that takes its place; empty takes it away.",
      "1.1 m",
    ),
    count: describeMember(
      z.int().min(1).default(1),
      "How often find must occur; every occurrence is replaced. Left out: 1.",
      1,
    ),
  });
}

/** Half a pair would match in the middle of a character. */
function findHalfPair(text: string): string | null {
  return text.isWellFormed() ? null : "holds half of a surrogate pair; send well-formed Unicode";
}
