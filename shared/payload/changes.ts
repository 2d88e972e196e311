import { z } from "zod";
import { atLeast, atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { sectionSlugField } from "./slugs.ts";
import { foldLineEnds, reportFault } from "./text-fields.ts";

/** The member `changes` of PATCH /creations/{creation}, in place of a whole payload. */
export function changesSchema({ limits }: PayloadOptions) {
  const replacement = membersOf({
    find: z
      .string()
      .overwrite(foldLineEnds)
      .check(atLeast(1))
      .check(atMost(limits.findCharacters))
      .superRefine((text, context) => reportFault(findHalfPair(text), context))
      .describe("Exact text of body_markdown."),
    with: z
      .string()
      .overwrite(foldLineEnds)
      .check(atMost(limits.replacementCharacters))
      .superRefine((text, context) => reportFault(findHalfPair(text), context)),
    count: z.int().min(1).default(1).describe("How often find must occur."),
  });
  return membersOf({
    set: z
      .record(z.string(), z.unknown())
      .nullish()
      .describe("Members of the payload that are replaced; null takes one away."),
    replace: z
      .array(replacement)
      .check(atMost(limits.replacements))
      .nullish()
      .describe("Replacements in body_markdown, in this order, behind set."),
    section: sectionSlugField(limits.sectionSlugCharacters)
      .nullish()
      .describe("Left out: kept; null takes it away."),
  });
}

/** Half a pair would match in the middle of a character. */
function findHalfPair(text: string): string | null {
  return text.isWellFormed() ? null : "holds half of a surrogate pair; send well-formed Unicode";
}
