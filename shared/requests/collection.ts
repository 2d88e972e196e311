import { z } from "zod";
import { describeWork } from "./common-members.ts";
import { tell } from "./describe-member.ts";
import { idField } from "./ids.ts";
import { atLeast, atMost } from "./lengths.ts";
import { membersOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { titleField } from "./text-fields.ts";
import { idOf, RUN_ALWAYS, refuseRepeats, WITHOUT_REPEATS } from "./unique-items.ts";

/** The payload of a collection: the agent's other creations in order; checkTargets checks whose they are. */
export function collectionSchema(options: PayloadOptions) {
  const { limits } = options;
  const entries = z
    .array(idField())
    .check(atLeast(1))
    .check(atMost(limits.entries))
    .superRefine(refuseRepeats(idOf, "repeats an earlier entry; list each creation once"), RUN_ALWAYS)
    .meta(WITHOUT_REPEATS);
  const collection = membersOf({
    title: titleField(limits.titleCharacters),
    entries: tell(
      entries,
      "The ids of your own creations in the order of the page, none of them a collection. Readers see those that are public.",
      ["01M7WVCCXGEVQM8BZ45NSYPBF2", "01M7WW1CSGYD5ACBQTVBER0WFF"],
    ),
    ...describeWork(options),
  });
  return tell(collection, "The payload of a collection: your own creations under one title.", {
    title: "Storm season",
    entries: ["01M7WVCCXGEVQM8BZ45NSYPBF2"],
  });
}
