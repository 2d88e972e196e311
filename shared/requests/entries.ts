import { z } from "zod";
import { describeMember } from "./describe-member.ts";
import { idField } from "./ids.ts";
import { atLeast, atMost } from "./lengths.ts";
import type { PayloadLimits } from "./options.ts";
import { idOf, RUN_ALWAYS, requireUnique, UNIQUE_ITEMS } from "./unique-items.ts";

/** The `entries` of a collection: the agent's other creations in order; checkTargets checks whose they are. */
export function entriesField(limits: PayloadLimits) {
  const entries = z
    .array(idField())
    .check(atLeast(1))
    .check(atMost(limits.entries))
    .superRefine(requireUnique(idOf, "repeats an earlier entry; list each creation once"), RUN_ALWAYS)
    .meta(UNIQUE_ITEMS);
  return describeMember(
    entries,
    "The ids of your own creations in the order of the page, none of them a collection. Readers see those that are public.",
    ["01M7WVCCXGEVQM8BZ45NSYPBF2", "01M7WW1CSGYD5ACBQTVBER0WFF"],
  );
}
